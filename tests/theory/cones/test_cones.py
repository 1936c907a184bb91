"""The cone algorithm: a worked example by hand, exact duality, the bound, the perceptron inside."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from hardlimit import cones, textbook
from hardlimit.exceptions import InputError, ProofError

from ...rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])


def drawn(seed, n=12):
    """Integer vectors with a margin along a hidden integer direction, which is given too."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    u = rng.integers(-5, 6, d)
    while not u.any():
        u = rng.integers(-5, 6, d)
    rows = rng.integers(-9, 10, (20 * n, d))
    rows = np.where((rows @ u > 0)[:, None], rows, -rows)
    kept = rows[rows @ u >= max(1, int(np.abs(rows @ u).max()) // 4)][:n]
    return kept.tolist(), u.tolist()


def test_every_step_of_a_worked_example():
    """Modified OR, r = 1: b_x = 1 for all but (1, 1, 1), whose coordinates are all 1."""
    signed = textbook.examples(*OR, number=int).signed
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    steps, outcome = textbook.run(cones.move_generators(signed, unit))
    moved = [(s.epoch, s.example + 1, s.least, s.translation) for s in steps if s.corrected]
    assert moved == [
        (1, 2, -1, (1, -1, -1)),
        (1, 3, -2, (0, 0, -2)),
        (2, 1, -1, (1, 1, -1)),
        (2, 2, 0, (2, 0, -2)),
        (2, 3, -1, (1, 1, -3)),
        (3, 1, 0, (2, 2, -2)),
    ]
    assert (outcome.reason, outcome.epochs, outcome.counts) == ("contained", 4, (2, 2, 2, 0))
    found = cones.cone(*OR)
    assert found.generators == ((3, 2, -2), (2, 3, -2), (2, 2, -1)) and found.separator == (
        7,
        7,
        -5,
    )
    third = Fraction(1, 3)
    assert found.covering == (
        (third, -2 * third, -2 * third),
        (-2 * third, third, -2 * third),
        (2 * third, 2 * third, 5 * third),
    )


@pytest.mark.parametrize("block", range(10))
def test_on_drawn_sets_everything_holds_exactly_and_the_bound_too(block):
    """300 drawn sets in all."""
    for seed in range(30 * block, 30 * block + 30):
        vectors, u = drawn(seed)
        found = cones.of_vectors(vectors, max_iter=20000)
        found.check()
        least = min(sum(a * b for a, b in zip(x, u, strict=True)) for x in vectors)
        gamma_squared = Fraction(least * least, sum(a * a for a in u))
        gamma = Fraction(np.sqrt(float(gamma_squared)) * (1 - 1e-12))
        assert found.updates <= cones.bound(vectors, gamma, r=found.r)
        assert all(found.contains(x) for x in vectors)
        inside = found.separator
        assert all(sum(a * b for a, b in zip(x, inside, strict=True)) > 0 for x in vectors)


def test_one_generator_at_zero_is_the_perceptron():
    for seed in range(20):
        vectors, _ = drawn(seed)
        _, outcome = textbook.run(cones.move_generators(vectors, [[0] * len(vectors[0])]))
        ex = textbook.examples(vectors, [1] * len(vectors), bias_feature=None, number=int)
        plain = textbook.run(textbook.incremental(ex)).outcome
        assert (outcome.translation, outcome.counts) == (plain.w, plain.counts)
        assert outcome.epochs == plain.epochs


def test_dependent_generators_are_seen_and_another_r_taken():
    """By hand: s = (-2, 1) after one update: W is (-1, 1), (-2, 2) with r = 1; r = 2 mends it."""
    first = textbook.run(cones.move_generators([[-2, 1]], [[1, 0], [0, 1]])).outcome
    assert (first.reason, first.translation, first.updates) == ("contained", (-2, 1), 1)
    found = cones.of_vectors([[-2, 1]])
    assert (found.tried, found.r) == ((1,), 2)
    assert found.generators == ((0, 1), (-2, 3))
    found.check()


@pytest.mark.parametrize(
    "vectors", [[(0, 1), (-1, 0)], [(0, "1/3"), ("-1/3", 0)], [(0, 0, 1), (0, -1, 0), (1, 0, 0)]]
)
def test_a_cone_is_found_where_every_multiple_of_r_ends_dependent(vectors):
    """By hand, for (0, 1), (-1, 0): s = (-(r + 1), 1) for each whole r, which adds up to -r."""
    found = cones.of_vectors(vectors)
    found.check()
    assert len(found.tried) in (0, cones.TRIES)
    if found.tried:
        assert found.r not in found.tried
        assert found.r.denominator > 1


def test_the_r_that_cannot_fail_is_half_a_unit_of_the_vectors_above_the_first():
    found = cones.of_vectors([(0, 1), (-1, 0)])
    assert (found.tried, found.r) == (tuple(range(1, 65)), Fraction(3, 2))
    # s = (-2, 1): <w_2, (-1, 0)> = 2 and <w_1, (0, 1)> = 1, the least products, are positive.
    assert found.translation == (-2, 1)
    assert found.generators == ((Fraction(-1, 2), 1), (-2, Fraction(5, 2)))


def test_a_changed_cone_is_refused_with_the_first_product_that_fails():
    found = cones.cone(*OR)
    found.check()
    w = found.generators
    wrong = dataclasses.replace(found, generators=((-3, 2, -2), *w[1:]))
    with pytest.raises(ProofError, match=r"got <w_0, x_0>=-3, wanted more than 0"):
        wrong.check()
    g = found.covering
    wrong = dataclasses.replace(found, covering=((g[0][0] + 1, *g[0][1:]), *g[1:]))
    with pytest.raises(ProofError, match=r"got <w_0, g_0>=4, wanted 1"):
        wrong.check()


def test_vectors_that_are_not_contained_are_refused_with_what_shows_it():
    with pytest.raises(InputError, match="not linearly contained: .* add up to zero"):
        cones.cone([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    with pytest.raises(InputError, match=r"no cone after 1 epoch: .* raise max_iter"):
        cones.cone(*OR, max_iter=1)
    with pytest.raises(InputError, match="r=0, wanted a number > 0"):
        cones.of_vectors([[1, 1]], r=0)
    for vectors in ([], [[]], [[1, 2], [1]]):
        with pytest.raises(InputError, match="wanted at least one, all of the same length"):
            cones.of_vectors(vectors)
    with pytest.raises(InputError, match="generators of 1 number for vectors of 2"):
        textbook.run(cones.move_generators([[1, 2]], [[0]]))


def test_the_plane_has_the_rays_of_both_cones():
    found = cones.of_vectors([["1/2", 1], [1, -1]])
    plane = found.plane()
    assert plane["vectors"] == [(0.5, 1.0), (1.0, -1.0)]
    products = np.array(plane["solution"]) @ np.array(plane["covering"]).T
    assert products == near(np.eye(2), 100)
    with pytest.raises(InputError, match="3 dimensions, wanted 2"):
        cones.cone(*OR).plane()
