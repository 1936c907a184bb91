"""Each compiled search against the same algorithm in a few lines of numpy."""

import itertools

import numpy as np
import pytest

from ...rounding import near
from . import twins
from .drawn import dense, inseparable, search_of, separable, signed

STEPPING = {
    "von-neumann": (twins.von_neumann, 1),
    "normalised-perceptron": (twins.normalised_perceptron, 0),
    "smooth-entropy": (lambda Z: twins.smooth_perceptron(Z, twins.entropy, 1.0), 1),
    "smooth-euclidean": (lambda Z: twins.smooth_perceptron(Z, twins.euclidean, 2.0), 1),
}


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("name", STEPPING)
@pytest.mark.parametrize("seed", range(3))
def test_steps(name, sparse, seed):
    rows = signed(*inseparable(seed), sparse=sparse)
    twin, start = STEPPING[name]
    search, Z = search_of(rows, name), dense(rows, unit=True)
    for _ in range(40):
        search.advance(1)
    made = search.iterations if name.startswith("smooth") else 40 - start
    shown = dict(enumerate(itertools.islice(twin(Z), 41)))
    if name == "von-neumann":
        multipliers = shown[40][1]  # the search has moved once more
    else:
        multipliers = shown[made if start else made - 1][1]
    got = search.weighting()
    lost = 40 * 60 * 10
    if name == "smooth-euclidean":  # its scores are divided by mu, about 2 / k^2 at step k
        lost *= 40**2 // 2
    assert got / got.sum() == near(multipliers / multipliers.sum(), lost)
    looked_at = [shown[k][0] for k in range(made + start - (name == "normalised-perceptron"))]
    best = max((Z @ w).min() / np.linalg.norm(w) for w in looked_at)
    assert search.smallest == near(best, lost, size=1)
    length = np.linalg.norm(search.direction())
    assert (Z @ search.direction()).min() == near(search.smallest * length, lost, size=length)


@pytest.mark.parametrize("name", STEPPING)
@pytest.mark.parametrize("seed", range(4))
def test_first_separator(name, seed):
    rows = signed(*separable(seed, n=40))
    twin, start = STEPPING[name]
    search, Z = search_of(rows, name), dense(rows, unit=True)
    while search.found_at < 0:
        search.advance(1)
    wanted = twins.first_separating(twin(Z), Z) + (1 - start)
    assert search.found_at == wanted


RULES = {
    "perceptron": lambda score, wsq, k: score <= 0,
    "dynamic-margin": lambda score, wsq, k: k == 0 or score * k <= 0.9 * wsq,
}


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("name", RULES)
def test_additions(name, sparse):
    rows = signed(*separable(5), sparse=sparse)
    search, Z = search_of(rows, name, parameter=0.1), dense(rows, unit=True)
    while not search.done:
        search.advance(1 << 22)
    order, w = twins.perceptron(Z, RULES[name])
    assert search.weighting().tolist() == np.bincount(order, minlength=len(Z)).tolist()
    assert search.iterations == len(order)
    assert search.direction() == near(w, 20 * len(order), size=len(order))


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("name", ["minimum-norm", "adatron"])
@pytest.mark.parametrize("seed", range(5))
def test_nearest_point_of_the_hull(name, sparse, seed):
    rows = signed(*separable(seed, n=100, d=8), sparse=sparse)
    search, Z = search_of(rows, name, unit=False), dense(rows)
    while not search.done:
        search.advance(1 << 20)
    point, multipliers = twins.nearest_point(Z)
    w = search.direction() * (np.linalg.norm(point) / np.linalg.norm(search.direction()))
    # Both end in the nearest point of one face, each by a solve of its equations.
    np.testing.assert_allclose(w, point, atol=1e-7)
    p = search.weighting()
    # As far as the points, times the inverse of the rows that carry them.
    np.testing.assert_allclose(p / p.sum(), multipliers, atol=1e-5)
