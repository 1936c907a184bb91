"""The optimal step for a known separator: the formula, its proof as a test, what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, schedules, textbook
from hardlimit.exceptions import InputError, KindError

from ..rounding import near, roundings

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
SEPARATOR = (1, 1, -1)  # with the threshold's feature -1


def drawn(seed):
    """Rows with a known separator, and its signed rows with the bias."""
    rng = np.random.default_rng(seed)
    separator = rng.normal(size=4)
    X = rng.normal(size=(60, 3)) * 2
    scores = X @ separator[:-1] + separator[-1]
    X, scores = X[abs(scores) > 0.2], scores[abs(scores) > 0.2]
    return X, np.sign(scores).astype(int), separator


def test_on_the_modified_or_each_step_is_a_third():
    """<w*, z> = 1 and ||z||^2 = 3 for the rows that are corrected."""
    told = textbook.trace(*OR, schedule="optimal(1,1,-1)")
    assert [step.tau for step in told.steps if step.corrected] == [Fraction(1, 3)] * 3
    assert told.outcome.w == (Fraction(1, 3), Fraction(1, 3), Fraction(-1, 3))


@pytest.mark.parametrize("seed", range(4))
def test_every_correction_leads_nearer_by_what_the_proof_says(seed):
    X, y, separator = drawn(seed)
    told = textbook.trace(
        X, y, schedule=schedules.OptimalStep(tuple(separator)), bias_feature=1, exact=False
    )
    made = [step for step in told.steps if step.corrected]
    assert made
    for step in made:
        z, before, after = map(np.array, (step.z, step.w_before, step.w_after))
        fall = ((before - separator) ** 2).sum() - ((after - separator) ** 2).sum()
        assert fall >= (separator @ z) ** 2 / (z @ z) - 100 * roundings(1000)
    signed = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    gamma, radius = (signed @ separator).min(), (signed**2).sum(1).max() ** 0.5
    assert len(made) <= (radius * np.linalg.norm(separator) / gamma) ** 2


@pytest.mark.parametrize("rule", ["perceptron", "margin-perceptron", "paum"])
@pytest.mark.parametrize("seed", [0, 5, 6])
def test_the_compiled_fit_goes_as_the_textbook_goes(rule, seed):
    X, y, separator = drawn(seed)
    schedule = schedules.OptimalStep(tuple(separator))
    clf = LinearClassifier(rule, order="cyclic", readout="last", schedule=schedule).fit(X, y)
    told = textbook.trace(X, y, rule, schedule=schedule, bias_feature=1, exact=False).outcome
    assert (clf.n_corrections_, clf.stop_reason_) == (told.corrections, told.reason)
    assert [*clf.coef_[0], *clf.intercept_] == near(told.w, 500)


def test_it_is_saved_and_typed(tmp_path):
    clf = LinearClassifier(schedule="optimal(1,1,1)").fit(*OR)
    clf.save(tmp_path / "m")
    assert schedules.resolve(hl.load(tmp_path / "m").schedule) == schedules.OptimalStep((1, 1, 1))
    assert schedules.resolve("optimal(1/2, -1)").w == (Fraction(1, 2), -1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"schedule": "optimal(1,1,3)"}, "row 0: .*w must separate.* has the margin -1"),
        ({"schedule": "optimal(1,1)"}, "wanted 3 weights, one a column, the bias's last"),
        ({"schedule": "optimal(1,a)"}, r"wanted optimal\(W1,W2"),
        ({"rule": "relaxation"}, "adds the example itself"),
        ({"rule": "passive-aggressive"}, "length of its steps itself"),
        ({"order": "batch"}, "best step of one example"),
        ({"scale": "rows"}, "other units than the separator"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        LinearClassifier(**{"schedule": "optimal(1,1,1)", **given}).fit(*OR)


def test_what_is_no_vector():
    for wrong in (3, (1, float("nan")), ("a",)):
        with pytest.raises(KindError, match="wanted finite numbers"):
            schedules.OptimalStep(wrong)


def test_the_blackboard_refuses_what_separates_not():
    with pytest.raises(InputError, match="w must separate the examples, and one has the margin"):
        textbook.trace(*OR, schedule="optimal(1,1,3)")
