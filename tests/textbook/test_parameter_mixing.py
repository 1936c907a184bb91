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
    with pytest.raises(InputError, match="'mistakes' or 'uniform'"):
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
