"""The orders: documented numbers, the same for ever."""

import pytest

from hardlimit import orders
from hardlimit.engine import shuffle
from hardlimit.exceptions import InputError

MASK = (1 << 64) - 1
VECTOR = [7, 2, 6, 3, 0, 1, 4, 5]


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def slow_shuffle(n, seed, epoch):
    """SplitMix64, Lemire's bounded numbers, Fisher and Yates: once more, slow and obvious."""
    state = (mix(seed) + mix(~epoch & MASK)) & MASK

    def draw():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        return mix(state)

    def below(bound):
        while True:
            product = draw() * bound
            if (product & MASK) >= (-bound & MASK) % bound:
                return product >> 64

    items = list(range(n))
    for i in range(n, 1, -1):
        j = below(i)
        items[i - 1], items[j] = items[j], items[i - 1]
    return items


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 1000])
@pytest.mark.parametrize(("seed", "epoch"), [(0, 0), (0, 1), (1, 0), (2**63 - 1, 999)])
def test_the_shuffle_is_the_documented_one(n, seed, epoch):
    assert shuffle(n, seed, epoch).tolist() == slow_shuffle(n, seed, epoch)


def test_the_first_numbers_never_change():
    assert shuffle(8, 0, 0).tolist() == VECTOR


def test_each_epoch_and_each_seed_has_an_order_of_its_own():
    drawn = {tuple(shuffle(50, seed, epoch)) for seed in range(20) for epoch in range(20)}
    assert len(drawn) == 400


def test_every_place_is_equally_likely():
    counts = [0] * 5
    for epoch in range(5000):
        counts[shuffle(5, 3, epoch)[0]] += 1
    assert all(850 < count < 1150 for count in counts)


def test_orders_by_name():
    assert orders.resolve("shuffled") == orders.Shuffled()
    assert orders.Cyclic().positions(5, 0, 0) is None
    with pytest.raises(InputError, match="batch, blocks, cyclic"):
        orders.resolve("sorted")
