"""Mixing in fractions: the theorem holds, one shard is the perceptron, mixing once may fail."""

import math
import random
from fractions import Fraction

import pytest

from hardlimit import textbook
from hardlimit.exceptions import InputError


def separable(seed, n=40, columns=3):
    """Rows of whole numbers, targets by a plane, and the square of R / gamma at most."""
    draw = random.Random(seed)
    u = [draw.randint(-3, 3) or 1 for _ in range(columns)] + [1]
    X, y = [], []
    while len(X) < n:
        x = [draw.randint(-5, 5) for _ in range(columns)]
        score = sum(a * b for a, b in zip(u, [*x, 1], strict=True))
        if score:
            X.append(x)
            y.append(1 if score > 0 else -1)
    signed = textbook.examples(X, y, bias_feature=1).signed
    radius = max(sum(v * v for v in z) for z in signed)
    gamma = min(sum(a * b for a, b in zip(u, z, strict=True)) for z in signed)
    length = sum(v * v for v in u)
    return X, y, Fraction(radius * length) / Fraction(gamma * gamma)


def shards_of(X, y, n):
    return [textbook.examples(X[i::n], y[i::n], bias_feature=1) for i in range(n)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("mixing", ["mistakes", "uniform"])
def test_the_bound_of_mcdonald_hall_and_mann(seed, mixing):
    X, y, bound = separable(seed)
    for n in (2, 5):
        epochs = list(textbook.mixed(shards_of(X, y, n), mixing=mixing))
        assert sum(one.weighted for one in epochs) <= bound
        corrected = sum(any(one.corrections) for one in epochs)
        assert corrected <= (bound if mixing == "mistakes" else n * bound)
        assert epochs[-1].separates and not any(epochs[-1].corrections)
        assert all(sum(one.shares) == 1 for one in epochs)


def test_one_shard_is_the_perceptron():
    X, y, _ = separable(3)
    shard = shards_of(X, y, 1)
    steps, outcome = textbook.run(textbook.incremental(shard[0]))
    epochs = list(textbook.mixed(shard))
    assert epochs[-1].w == outcome.w
    assert sum(k for one in epochs for k in one.corrections) == outcome.corrections
    mean = [sum(w) / Fraction(len(steps)) for w in zip(*(s.w_after for s in steps), strict=True)]
    assert list(epochs[outcome.epochs - 1].average) == mean


def test_mixing_once_may_fail_where_every_shard_succeeds():
    found = None
    for seed in range(200):
        X, y, _ = separable(seed, n=8, columns=2)
        shards = shards_of(X, y, 2)
        ends = [textbook.run(textbook.incremental(shard)).outcome.w for shard in shards]
        mean = [sum(w) / 2 for w in zip(*ends, strict=True)]
        margins = [
            sum(a * b for a, b in zip(mean, z, strict=True)) for s in shards for z in s.signed
        ]
        if min(margins) <= 0:
            found = seed
            assert list(textbook.mixed(shards))[-1].separates
            break
    assert found is not None


def test_what_it_refuses():
    with pytest.raises(InputError, match="'mistakes', 'uniform', 'inertial' or 'accelerated'"):
        next(textbook.mixed(shards_of([[1], [-1]], [1, -1], 1), mixing="mean"))
    with pytest.raises(InputError, match="at least one"):
        next(textbook.mixed([]))


def test_an_order_for_each_shard_and_epoch():
    X, y, bound = separable(7)
    shards = shards_of(X, y, 3)

    def order(shard, epoch):
        numbers = list(range(len(shards[shard])))
        random.Random(31 * shard + epoch).shuffle(numbers)
        return numbers

    epochs = list(textbook.mixed(shards, order=order))
    assert epochs[-1].separates and math.isfinite(bound)


def test_accelerated_mixing_by_hand():
    """Four rows of one column each, of which three share the first.

    Epoch 1: shards 0 to 2 move column 0 by 1, shard 3 column 1 by 1, of m = 4:
    x' = (3 / sqrt(12), 1 / sqrt(4)), no momentum. Epoch 2: nothing is wrong any more.
    """
    rows = ([1, 0], [1, 0], [1, 0], [0, 1])
    shards = [textbook.examples([row], [1], bias_feature=None) for row in rows]
    first, second = textbook.mixed(shards, mixing="accelerated")
    root = shards[0].number(math.sqrt(12))
    assert first.w == (3 / root, Fraction(1, 2)) and first.corrections == (1, 1, 1, 1)
    assert second.w == first.w and second.separates and not any(second.corrections)


def test_a_column_that_moves_twice_goes_on_and_one_that_stays_is_ahead_of_nothing():
    # Passive-aggressive on [2] moves a weight to where 2 w = 1; shard 1 knows another column.
    rows = ([2, 0], [0, 1])
    shards = [textbook.examples([row], [1], bias_feature=None) for row in rows]
    half = 1 / shards[0].number(math.sqrt(2))
    epochs = textbook.mixed(shards, "passive-aggressive", mixing="accelerated")
    x1 = half * Fraction(1, 2)
    assert next(epochs).w[0] == x1
    x2 = x1 + half * (Fraction(1, 2) - x1)
    w2 = x2 + Fraction(1, 4) * (x2 - x1)
    assert next(epochs).w[0] == w2
    x3 = w2 + half * (Fraction(1, 2) - w2)
    assert next(epochs).w[0] == x3 + Fraction(2, 5) * (x3 - x2)


def test_inertial_mixing_by_hand():
    """The mean of two shards, and (t - 1) / t of the last move.

    Passive-aggressive on [2] moves a weight from w to 1/2 in its shard, so that the mean is
    (w + 1/2) / 2: 1/4; then 3/8, and on by 1/2 (3/8 - 1/4) to 7/16; then 15/32, and on by
    2/3 (15/32 - 3/8) to 17/32, where nothing is left to correct.
    """
    shards = [textbook.examples([row], [1], bias_feature=None) for row in ([2, 0], [0, 1])]
    epochs = textbook.mixed(shards, "passive-aggressive", mixing="inertial")
    assert [next(epochs).w[0] for _ in range(4)] == [
        Fraction(1, 4), Fraction(7, 16), Fraction(17, 32), Fraction(17, 32)
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mixing", ["inertial", "accelerated"])
def test_momentum_ends_where_all_rows_are_separated(seed, mixing):
    X, y, _ = separable(seed)
    epochs = list(textbook.mixed(shards_of(X, y, 5), mixing=mixing))
    assert epochs[-1].separates and not any(epochs[-1].corrections)


@pytest.mark.parametrize("mixing", ["inertial", "accelerated"])
def test_one_shard_has_no_momentum(mixing):
    X, y, _ = separable(4)
    shard = shards_of(X, y, 1)
    assert list(textbook.mixed(shard, mixing=mixing)) == list(textbook.mixed(shard))
