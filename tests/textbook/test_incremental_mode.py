"""One by one: aims, patience, orders, and two published runs by hand."""

from fractions import Fraction

import pytest

from hardlimit import rules, textbook
from hardlimit.exceptions import InputError
from hardlimit.textbook.plan import Presentation, check_until, number_epochs

from .boards import W1, W3, exercise, modified_or, vector


class AboveOneHalf(rules.Rule):
    """Answer 1 where the score is above 1/2, as the example of Wikipedia does; steps of 1/10.

    Scores are multiples of 1/10, so that "not below -1/2" can be written with an equality.
    """

    equality_violates = True

    def required(self, y):
        return Fraction(1, 2) if y > 0 else Fraction(-11, 20)

    def tau(self):
        return Fraction(1, 10)


def test_wikipedias_nand():
    """w = (4/5, -1/5, -1/10) after 20 corrections; the ninth epoch is clean."""
    X = [[1, a, b] for a in (0, 1) for b in (0, 1)]
    ex = textbook.examples(X, [1, 1, 1, -1], bias_feature=None)
    steps, outcome = textbook.run(textbook.incremental(ex, AboveOneHalf(), until=None, max_iter=9))
    assert outcome.w == vector("4/5 -1/5 -1/10")
    assert outcome.corrections == 20
    clean = [not any(s.corrected for s in steps[4 * k : 4 * k + 4]) for k in range(9)]
    assert clean == [False] * 8 + [True]


def test_the_third_class_of_the_exercise_is_not_separable_from_the_first():
    outcome = textbook.run(textbook.incremental(exercise(W1, W3), max_iter=60)).outcome
    assert outcome.reason in ("max_iter", "cycling") and outcome.wrong


def test_until_separated_needs_every_margin_above_zero():
    steps, outcome = textbook.run(textbook.incremental(modified_or()))
    assert outcome.reason == "separated" and len(steps) == 8
    assert min(s.margin for s in steps[4:]) > 0


@pytest.mark.parametrize("tol", [0, "1/2"])
def test_until_margin_needs_what_is_required_less_tol(tol):
    rule = rules.Relaxation(eta=1, b=1)
    run = textbook.incremental(modified_or(), rule, until="margin", tol=tol, max_iter=500)
    outcome = textbook.run(run).outcome
    if outcome.reason == "margin_reached":
        least = min(
            sum(a * b for a, b in zip(outcome.w, z, strict=True)) for z in modified_or().signed
        )
        assert least >= 1 - Fraction(tol)


def test_impatience_looks_after_every_epoch():
    """After one epoch of three corrections all margins are positive: patience needs one more."""
    patient = textbook.run(textbook.incremental(modified_or())).outcome
    hasty = textbook.run(textbook.incremental(modified_or(), patient=False)).outcome
    assert (patient.epochs, hasty.epochs) == (2, 1)
    assert patient.w == hasty.w


def test_no_aim_runs_every_epoch():
    steps, outcome = textbook.run(textbook.incremental(modified_or(), until=None, max_iter=5))
    assert (outcome.reason, outcome.epochs, len(steps)) == ("max_iter", 5, 20)


def test_an_order_that_ends_ends_the_run():
    run = textbook.incremental(modified_or(), order=[[0], [1]])
    steps, outcome = textbook.run(run)
    assert [s.example for s in steps] == [0, 1]
    assert (outcome.reason, outcome.epochs) == ("max_iter", 2)


def test_part_of_the_examples_in_an_epoch_is_not_settled():
    """A quiet epoch over some of the rows says nothing of the others."""
    run = textbook.incremental(modified_or(), order=[[0], [0], [1, 2], range(4)], w=(1, 1, 1))
    outcome = textbook.run(run).outcome
    assert (outcome.epochs, outcome.reason) == (4, "separated")


@pytest.mark.parametrize("until", ["Separated", "never", 3])
def test_aims_that_there_are_not(until):
    with pytest.raises(InputError) as caught:
        next(textbook.incremental(modified_or(), until=until))
    assert (caught.value.parameter, caught.value.got) == ("until", until)
    with pytest.raises(InputError):
        check_until(until)


def test_the_rows_of_an_epoch():
    assert list(number_epochs(None, 4, 2)) == [(1, range(4)), (2, range(4))]
    assert list(number_epochs([[2, 1], [0]], 4, 9)) == [(1, [2, 1]), (2, [0])]
    assert list(number_epochs(lambda epoch: [epoch], 4, 2)) == [(1, [1]), (2, [2])]
    assert not list(number_epochs(None, 4, 0))
    assert Presentation() == Presentation(None, "separated", True, 0, 1000)


def test_eta_counts_corrections_and_not_examples():
    run = textbook.incremental(modified_or(), schedule=textbook.one_over, until=None)
    taus = [s.tau for _, s in zip(range(8), run, strict=False) if s.corrected]
    assert taus == [Fraction(1, k) for k in range(1, len(taus) + 1)]


def test_scaling_the_rows_scales_the_weights():
    X = [[3 * v for v in row[:-1]] for row in modified_or().rows]
    ex = textbook.examples(X, modified_or().targets, bias_feature=-3)
    steps, outcome = textbook.run(textbook.incremental(ex))
    plain = textbook.run(textbook.incremental(modified_or()))
    assert [s.corrected for s in steps] == [s.corrected for s in plain.steps]
    assert outcome.w == tuple(3 * v for v in plain.outcome.w)


def test_a_column_of_zeros_and_a_rotation_change_no_mistake():
    """(x, y) -> (3x - 4y, 4x + 3y) / 5 keeps all products."""
    base = textbook.run(textbook.incremental(exercise(W1, W3), until=None, max_iter=4))
    rows = [row[:-1] for row in exercise(W1, W3).rows]
    targets = exercise(W1, W3).targets
    turned = [[(3 * a - 4 * b) / 5, (4 * a + 3 * b) / 5, 0] for a, b in rows]
    ex = textbook.examples(turned, targets, bias_feature=1)
    other = textbook.run(textbook.incremental(ex, until=None, max_iter=4))
    assert [s.margin for s in other.steps] == [s.margin for s in base.steps]
    assert {s.w_after[2] for s in other.steps} == {0}


def test_the_scale_of_b_scales_relaxation():
    """b = 1 gives ten times the weights of b = 1/10, and the same corrections."""
    runs = [
        textbook.run(
            textbook.incremental(
                modified_or(), rules.Relaxation(eta=1.5, b=b), until=None, max_iter=6
            )
        )
        for b in (1, 0.1)
    ]
    assert [s.corrected for s in runs[0].steps] == [s.corrected for s in runs[1].steps]
    assert runs[0].outcome.w == tuple(10 * v for v in runs[1].outcome.w)
    assert runs[0].steps[0].w_after == vector("1/2 1/2 1/2")
