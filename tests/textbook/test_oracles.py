"""Numbers that are known: gates, inseparable sets, the exercise of Duda, Hart and Stork."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hardlimit import rules, textbook
from hardlimit.foundation.exact_numbers import dot

from .boards import W1, W2, W3, exercise, modified_or, vector

# coding, gate: targets, incremental w, corrections, epochs, batch w, iterations (bias feature +1)
GATES = {
    ("+-1", "AND"): ([-1, -1, -1, 1], (1, 1, -1), 1, 2, (2, 2, -2), 1),
    ("+-1", "OR"): ([-1, 1, 1, 1], (1, 1, 1), 3, 2, (2, 2, 2), 1),
    ("+-1", "NAND"): ([1, 1, 1, -1], (-1, -1, 1), 1, 2, (-2, -2, 2), 1),
    ("+-1", "NOR"): ([1, -1, -1, -1], (-1, -1, -1), 3, 2, (-2, -2, -2), 1),
    ("0/1", "AND"): ([-1, -1, -1, 1], (3, 2, -4), 18, 9, (2, 2, -3), 9),
    ("0/1", "OR"): ([-1, 1, 1, 1], (2, 2, -1), 9, 6, (2, 2, -1), 4),
    ("0/1", "NAND"): ([1, 1, 1, -1], (-3, -2, 4), 18, 9, (-2, -2, 3), 9),
    ("0/1", "NOR"): ([1, -1, -1, -1], (-2, -2, 1), 9, 6, (-2, -2, 1), 4),
}
XOR = [-1, 1, 1, -1]


def inputs(coding):
    low = 0 if coding == "0/1" else -1
    return [[a, b] for a in (low, 1) for b in (low, 1)]


@pytest.mark.parametrize("s", [1, -1])
@pytest.mark.parametrize(("coding", "gate"), GATES)
def test_gates(coding, gate, s):
    targets, w, corrections, epochs, w_batch, iterations = GATES[coding, gate]
    ex = textbook.examples(inputs(coding), targets, bias_feature=s)
    one_by_one = textbook.run(textbook.incremental(ex)).outcome
    assert one_by_one.w == (*w[:2], s * w[2])
    assert (one_by_one.corrections, one_by_one.epochs) == (corrections, epochs)
    together = textbook.run(textbook.batch(ex)).outcome
    assert together.w == (*w_batch[:2], s * w_batch[2])
    assert together.epochs == iterations


@pytest.mark.parametrize("s", [1, -1])
@pytest.mark.parametrize("coding", ["+-1", "0/1"])
def test_xor(coding, s):
    rows = inputs(coding) if coding == "0/1" else [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    ex = textbook.examples(rows, XOR, bias_feature=s)
    steps, outcome = textbook.run(textbook.incremental(ex, until=None, max_iter=3))
    assert all(step.corrected for step in steps)
    assert steps[3].w_after == steps[7].w_after == (0, 0, 0)
    assert (outcome.reason, outcome.counts) == ("max_iter", (3, 3, 3, 3))
    cycling = textbook.run(textbook.incremental(ex)).outcome
    assert (cycling.reason, cycling.cycle, cycling.counts) == ("cycling", (1, 4), (1, 1, 1, 1))
    stalled = textbook.run(textbook.batch(ex)).outcome
    assert (stalled.reason, stalled.epochs, stalled.wrong) == ("stalled", 1, (0, 1, 2, 3))


def test_other_inseparable_sets():
    contradiction = textbook.examples([[1, 2], [1, 2]], [1, -1])
    steps, outcome = textbook.run(textbook.incremental(contradiction, max_iter=1))
    assert outcome.counts == (1, 1) and outcome.w == (0, 0, 0)
    zero = textbook.examples([[0, 0], [1, 1]], [1, 1], bias_feature=None)
    outcome = textbook.run(textbook.incremental(zero, max_iter=5)).outcome
    assert (outcome.counts, outcome.wrong, outcome.cycle) == ((2, 1), (0,), (1, 1))
    opposite = textbook.examples([[1, 0], [-1, 0], [0, 1]], [1, 1, 1], bias_feature=None)
    outcome = textbook.run(textbook.incremental(opposite, max_iter=9)).outcome
    assert (outcome.reason, outcome.cycle, outcome.counts) == ("cycling", (1, 2), (2, 2, 1))


def test_a_zero_row_does_not_correct_a_rule_that_divides_by_its_length():
    ex = textbook.examples([[0, 0], [1, 1]], [1, 1], bias_feature=None)
    for rule in ("passive-aggressive", rules.Relaxation()):
        outcome = textbook.run(textbook.incremental(ex, rule, until=None, max_iter=4)).outcome
        assert outcome.counts[0] == 0 and outcome.counts[1] > 0


class TestExercise:
    """The chapter's data: what is usually quoted as 23 iterations."""

    def test_batch(self):
        outcome = textbook.run(textbook.batch(exercise(W1, W2))).outcome
        assert (outcome.reason, outcome.epochs) == ("separated", 23)
        assert outcome.w == vector("-152/5 341/10 34")  # the bias's weight last

    def test_incremental(self):
        outcome = textbook.run(textbook.incremental(exercise(W1, W2))).outcome
        assert (outcome.corrections, outcome.epochs) == (33, 9)
        assert outcome.w == vector("-51/5 113/10 13")

    def test_the_other_pair_is_never_separated(self):
        for algorithm in (textbook.batch, textbook.incremental):
            outcome = textbook.run(algorithm(exercise(W1, W3), max_iter=60)).outcome
            assert outcome.reason == "max_iter" and outcome.wrong

    @pytest.mark.parametrize(
        ("eta", "corrections", "epochs"),
        [("1/2", 110, 12), ("1", 127, 21), ("3/2", 73, 12), ("19/10", 54, 14)],
    )
    def test_relaxation(self, eta, corrections, epochs):
        """Until all margins are > 0; ten times b is ten times w, and the same counts."""
        runs = [
            textbook.run(
                textbook.incremental(
                    exercise(W1, W2), rules.Relaxation(Fraction(eta), Fraction(b)), patient=False
                )
            ).outcome
            for b in ("1/10", "1")
        ]
        assert [(o.corrections, o.epochs) for o in runs] == [(corrections, epochs)] * 2
        assert runs[1].w == tuple(10 * v for v in runs[0].w)

    def test_the_batch_sum_diverges_where_the_average_does_not(self):
        def largest(combine, eta, n):
            rule = rules.Relaxation(eta, 0.1)
            run = textbook.batch(
                exercise(W1, W2, number=float), rule, combine=combine, until=None, max_iter=n
            )
            return max(map(abs, textbook.run(run).outcome.w))

        for eta in (0.5, 1.0, 1.5, 1.9):
            assert largest("sum", eta, 150) > 1e20
            assert largest("average", eta, 150) < 10
        assert largest("sum", 0.14, 150) < 10  # 2 / 13.49 = 0.148


def test_relaxation_step_by_step():
    """Single sample, b = 1, eta = 3/2."""
    expected = [
        "1/2 1/2 1/2", "5/4 -1/4 -1/4", "1/8 7/8 -11/8",
        "13/16 25/16 -11/16", "43/32 33/32 -39/32", "83/64 69/64 -81/64",
    ]  # fmt: skip
    run = textbook.incremental(modified_or(), rules.Relaxation(1.5, 1), until="margin")
    steps, outcome = textbook.run(run)
    corrections = [s for s in steps if s.corrected]
    assert [s.w_after for s in corrections] == [vector(line) for line in expected]
    assert outcome.reason == "margin_reached"

    def margins(w):
        return tuple(dot(w, z) for z in modified_or().signed)

    assert margins(corrections[2].w_after) == vector("-3/8 5/8 17/8 19/8")
    assert margins(outcome.w) == vector("71/64 95/64 67/64 233/64")
    for s in corrections:  # z.w_new - b = (1 - eta) (z.w_old - b)
        assert dot(s.w_after, s.z) - 1 == Fraction(-1, 2) * (s.margin - 1)


def test_batch_relaxation_step_by_step():
    """The sum, b = 1, eta = 1/2."""
    run = textbook.batch(
        modified_or(), rules.Relaxation(0.5, 1), combine="sum", until="margin", max_iter=3
    )
    steps = textbook.run(run).steps
    expected = ["1/3 1/3 -1/3", "4/9 4/9 -4/9", "29/54 29/54 -29/54"]
    assert [s.w_after for s in steps[::4]] == [vector(line) for line in expected]
    violators = [sum(s.corrected for s in steps[k : k + 4]) for k in (0, 4, 8)]
    assert violators == [4, 4, 3]


@pytest.mark.parametrize("eta", ["1/2", "1", "3/2"])
def test_relaxation_comes_nearer_to_every_solution(eta):
    rule = rules.Relaxation(Fraction(eta), 1)
    a = vector("3 3 -3")  # all margins >= 3 > b
    steps = textbook.run(textbook.incremental(modified_or(), rule, until=None, max_iter=4)).steps

    def distance(w):
        return sum((p - q) * (p - q) for p, q in zip(w, a, strict=True))

    for s in steps:
        if s.corrected:
            gain = rule.eta * (2 - rule.eta) * (1 - s.margin) ** 2 / dot(s.z, s.z)
            assert distance(s.w_after) <= distance(s.w_before) - gain


def test_a_margin_that_is_met_with_equality_is_corrected_for_ever():
    """Until margin > b for all, as the usual procedure says, never ends: the margin is b."""
    ex = textbook.examples([[1]], [1], bias_feature=None)
    steps, outcome = textbook.run(
        textbook.incremental(ex, rules.Relaxation(1, 1), until=None, max_iter=50)
    )
    assert outcome.reason == "max_iter" and outcome.w == (1,)
    assert all(s.corrected for s in steps) and not any(any(s.delta) for s in steps[1:])
    for until, reason in (("separated", "separated"), ("margin", "margin_reached")):
        run = textbook.incremental(ex, rules.Relaxation(1, 1), until=until, max_iter=50)
        assert textbook.run(run).outcome.reason == reason


def test_the_sequence_of_the_figure():
    """Corrections by y2, y3, y1, y3; the second moves away from the solutions."""
    ex = textbook.examples([[-1, 0], [0, 2], [-2, -2]], [1, 1, 1], bias_feature=None)
    steps, outcome = textbook.run(textbook.incremental(ex))
    corrections = [s for s in steps if s.corrected]
    assert [s.example for s in corrections] == [0, 1, 2, 1]
    assert [s.w_after for s in corrections] == [(-1, 0), (-1, 2), (-3, 0), (-3, 2)]
    assert outcome.reason == "separated"
