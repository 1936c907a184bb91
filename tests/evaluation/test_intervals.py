"""Intervals against scikit-learn's values, and against the share of times they hold."""

import numpy as np
import pytest
from sklearn import metrics

from hardlimit import evaluation
from hardlimit.exceptions import InputError

from ..rounding import near


def drawn(seed, n, classes, right=0.8):
    draw = np.random.RandomState(seed)
    true = draw.choice(classes, n, p=draw.dirichlet(np.full(classes, 5.0)))
    said = np.where(draw.rand(n) < right, true, draw.randint(classes, size=n))
    return true.tolist(), said.tolist()


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_values_are_those_of_scikit_learn(classes):
    true, said = drawn(classes, 200, classes)
    confusion = evaluation.figures(true, said).confusion
    assert evaluation.matthews(confusion).value == near(
        metrics.matthews_corrcoef(true, said), 100, size=1
    )
    assert evaluation.macro_f1(confusion).value == near(
        metrics.f1_score(true, said, average="macro"), 100, size=1
    )


@pytest.mark.parametrize("classes", [2, 4])
def test_the_intervals_hold_about_as_often_as_they_say(classes):
    true, said = drawn(classes, 4000, classes)
    whole = evaluation.figures(true, said)
    values = [f(whole.confusion).value for f in (evaluation.matthews, evaluation.macro_f1)]
    f1 = whole.classes[0].f1
    draw, held = np.random.RandomState(9), np.zeros(3)
    for _ in range(300):
        rows = draw.randint(len(true), size=250)
        part = evaluation.figures([true[i] for i in rows], [said[i] for i in rows])
        first = next(one for one in part.classes if one.label == whole.classes[0].label)
        ends = [
            evaluation.matthews(part.confusion).interval,
            evaluation.macro_f1(part.confusion).interval,
            evaluation.f1_interval(first),
        ]
        held += [low <= x <= high for (low, high), x in zip(ends, [*values, f1], strict=True)]
    # a binomial of 300 at 0.95 leaves 0.91 .. 0.98 about once in 500
    assert ((held / 300 > 0.91) & (held / 300 < 0.985)).all(), held / 300


def test_the_interval_of_the_area_holds():
    draw, held = np.random.RandomState(4), 0
    truth = 0.76025  # P(N(1, 1) > N(0, 1)) = Phi(1 / sqrt 2)
    for _ in range(300):
        scores = np.concatenate([draw.randn(60) + 1, draw.randn(90)])
        low, high = evaluation.roc_area(scores, [True] * 60 + [False] * 90).interval
        held += low <= truth <= high
    assert 0.91 < held / 300 < 0.985, held


def test_where_no_interval_can_be_told_there_is_none():
    assert evaluation.matthews({(0, 0): 3, (1, 1): 2}) == (1.0, None)
    assert evaluation.macro_f1({(0, 0): 3, (1, 1): 2}) == (1.0, None)
    assert evaluation.matthews({(0, 0): 3, (1, 0): 2}) == (0.0, None)
    assert evaluation.roc_area([1.0, 2.0], [False, True]) == (1.0, None)
    assert evaluation.roc_area([2.0, 1.0], [False, True]) == (0.0, None)
    assert evaluation.roc_area([1.0, 1.0], [False, True]).value == 0.5


def test_nothing_to_judge_is_refused():
    with pytest.raises(InputError):
        evaluation.matthews({})
    with pytest.raises(InputError, match="one class only"):
        evaluation.roc_area([1.0], [True])
    with pytest.raises(InputError, match="confidence"):
        evaluation.macro_f1({(0, 0): 1, (0, 1): 1}, confidence=1.0)


LOPSIDED = {(0, 0): 50, (0, 1): 30, (1, 0): 2, (1, 1): 18, (2, 0): 9, (2, 2): 4, (1, 2): 1}


@pytest.mark.parametrize(
    ("figure", "scale"),
    [
        (evaluation.matthews, np.arctanh),
        (evaluation.macro_f1, lambda x: np.log(x / (1 - x))),
    ],
)
def test_slopes_are_those_of_small_steps(figure, scale):
    many = {pair: count * 10**8 for pair, count in LOPSIDED.items()}
    n, step = sum(LOPSIDED.values()), 10**4
    value = figure(many).value
    slopes = {
        pair: (figure({**many, pair: many[pair] + step}).value - value) * 10**8 / step
        for pair in many
    }
    first = sum(LOPSIDED[pair] * slope for pair, slope in slopes.items())
    second = sum(LOPSIDED[pair] * slope**2 for pair, slope in slopes.items())
    error = np.sqrt(second - first**2 / n)
    low, high = (scale(end) for end in figure(LOPSIDED).interval)
    slope_of_scale = (scale(value + 1e-6) - scale(value - 1e-6)) / 2e-6
    # A quantile of seven digits, and a central difference of a curved scale.
    assert (high - low) / 2 == pytest.approx(1.959964 * error * slope_of_scale, rel=1e-3)
