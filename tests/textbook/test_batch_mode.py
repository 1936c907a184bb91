"""All violators at once: sums, averages, line searches, stalls, and what has no batch."""

from fractions import Fraction

import pytest

from hardlimit import rules, schedules, textbook
from hardlimit.exceptions import InputError
from hardlimit.textbook.batch_mode import resolve_combination

from .boards import W1, W2, exercise, modified_or, vector


def iterations(run, n=4):
    steps, outcome = textbook.run(run)
    return [steps[k] for k in range(0, len(steps), n)], outcome


def test_the_exercise_takes_twenty_three_iterations():
    outcome = textbook.run(textbook.batch(exercise(W1, W2))).outcome
    assert (outcome.reason, outcome.epochs) == ("separated", 23)
    assert outcome.w == vector("-30.4 34.1 34")


def test_every_line_of_an_iteration_shares_its_weights():
    steps = textbook.run(textbook.batch(exercise(W1, W2), max_iter=5, until=None)).steps
    for k in range(0, len(steps), 20):
        of_one = steps[k : k + 20]
        assert len({(s.w_before, s.delta, s.w_after) for s in of_one}) == 1
        added = [0, 0, 0]
        for s in of_one:
            added = [a + s.tau * z for a, z in zip(added, s.z, strict=True)]
        assert tuple(added) == of_one[0].delta


def test_an_average_divides_by_the_violators():
    (first, *_), _ = iterations(textbook.batch(modified_or(), combine="average"))
    assert first.delta == vector("1/2 1/2 -1/2")  # the sum (2, 2, -2) of four


def test_relaxation_sums_by_hand():
    """b = 1, eta = 1/2, summed: (1/3, 1/3, -1/3), (4/9, 4/9, -4/9), (29/54, 29/54, -29/54)."""
    rule = rules.Relaxation(eta=0.5, b=1)
    run = textbook.batch(modified_or(), rule, combine="sum", until=None, max_iter=3)
    found, _ = iterations(run)
    assert [s.w_after for s in found] == [
        vector("1/3 1/3 -1/3"),
        vector("4/9 4/9 -4/9"),
        vector("29/54 29/54 -29/54"),
    ]


@pytest.mark.parametrize(("b", "rho", "w"), [(1, "1", "1 1 -1/3"), (0.5, "3/2", "1 1 -1/2")])
def test_a_line_search_by_hand(b, rho, w):
    rule = rules.Relaxation(eta=1, b=b)
    run = textbook.batch(
        modified_or(), rule, combine="sum", schedule=schedules.LineSearch(), w=(1, 1, 1)
    )
    (first, *_), _ = iterations(run)
    assert first.w_after == vector(w)
    assert first.delta == tuple(
        -Fraction(rho) * g for g in vector("0 0 4/3" if b == 1 else "0 0 1")
    )


def test_a_line_search_never_lets_the_criterion_rise():
    J = textbook.criterion("J_r", 1)
    ex = exercise(W1, W2, number=float)
    rule = rules.Relaxation(eta=1, b=1)
    run = textbook.batch(ex, rule, schedule=schedules.LineSearch(), until="margin", max_iter=15)
    steps, _ = textbook.run(run)
    values = [J.value(steps[k].w_before, ex.signed) for k in range(0, len(steps), 20)]
    assert all(b <= a for a, b in zip(values, values[1:], strict=False))


def test_corrections_that_cancel_stall():
    ex = textbook.examples([[1], [-1]], [1, 1], bias_feature=None)
    steps, outcome = textbook.run(textbook.batch(ex))
    assert (outcome.reason, outcome.epochs, outcome.wrong) == ("stalled", 1, (0, 1))
    assert steps[0].corrected and steps[0].delta == (0,)


def test_the_iteration_that_finds_nothing_is_shown_and_not_counted():
    steps, outcome = textbook.run(textbook.batch(modified_or()))
    assert (len(steps), outcome.epochs) == (8, 1)
    assert not any(s.corrected for s in steps[4:])


def test_step_counts_iterations():
    run = textbook.in_batches(exercise(W1, W2), until=None, max_iter=4)
    steps, _ = textbook.run(run)
    for k, etas in enumerate([{1}, {Fraction(1, 2)}, {Fraction(1, 3)}, {Fraction(1, 4)}]):
        assert {s.eta for s in steps[20 * k : 20 * k + 20] if s.corrected} == etas


@pytest.mark.parametrize(
    ("combine", "rule", "found"),
    [
        (None, rules.Perceptron(), "sum"),
        (None, rules.Relaxation(), "average"),
        ("sum", rules.Relaxation(), "sum"),
        (None, rules.DynamicMargin(), "sum"),
    ],
)
def test_how_corrections_are_combined(combine, rule, found):
    assert resolve_combination(combine, rule) == found


def test_other_ways_to_combine_are_refused():
    with pytest.raises(InputError) as caught:
        next(textbook.batch(modified_or(), combine="median"))
    assert (caught.value.parameter, caught.value.got) == ("combine", "median")


def test_rules_that_do_more_than_add_have_no_batch():
    with pytest.raises(InputError) as caught:
        next(textbook.batch(modified_or(number=float), "romma"))
    assert caught.value.topic == "no-batch"


def test_a_line_search_needs_a_quadratic_criterion():
    with pytest.raises(InputError, match="no Hessian to divide by; take relaxation"):
        next(textbook.batch(modified_or(), schedule=schedules.LineSearch()))
