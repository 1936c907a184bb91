"""Schedules: compiled and Python answers alike, names, ranges."""

import json
import math

import pytest

from hardlimit import LinearClassifier, _native, schedules
from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.register import registered_name

SOME = [
    schedules.Constant(0.3),
    schedules.Power(1),
    schedules.Power(0.5),
    schedules.Power(0),
    schedules.Power(0.75),
    schedules.Inverse(2.0, 7.0),
    schedules.Inverse(0, 3.0),
]


def test_every_schedule_is_tried_here():
    tried = {type(schedule) for schedule in SOME}
    assert tried | {schedules.Projection, schedules.LineSearch, schedules.OptimalStep} == set(
        schedules.SCHEDULES.members.values()
    )


@pytest.mark.parametrize("schedule", SOME, ids=str)
def test_compiled_is_python_bit_for_bit(schedule):
    parameters = {name: float(value) for name, value in schedule.get_params().items()}
    compiled = _native.compiled_schedule(registered_name(type(schedule)), parameters)
    for step in (1, 2, 3, 10, 1234, 10**9):
        assert compiled.eta({"step": float(step)}) == schedule.eta(step)
    assert schedule.verdict().converges


def test_projection():
    compiled = _native.compiled_schedule("projection", {})
    scalars = {"margin": -0.7, "sqnorm": 3.1}
    assert compiled.eta(scalars, 1.5) == schedules.Projection().eta(1, **scalars, required=1.5)


@pytest.mark.parametrize("schedule", [*SOME, schedules.LineSearch()], ids=str)
def test_json_there_and_back(schedule):
    data = json.loads(json.dumps(schedules.SCHEDULES.to_json(schedule)))
    assert schedules.resolve(data) == schedule


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("constant", schedules.Constant(1.0)),
        ("0.5", schedules.Constant(0.5)),
        ("1/2", schedules.Constant(0.5)),
        (".25", schedules.Constant(0.25)),
        ("1/step", schedules.Power(1.0)),
        ("1 / sqrt(step)", schedules.Power(0.5)),
        ("1/(10+step/2.5)", schedules.Inverse(10, 2.5)),
        ("line-search", schedules.LineSearch()),
        ("projection", schedules.Projection()),
    ],
)
def test_names(text, schedule):
    assert schedules.resolve(text) == schedule


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: schedules.Constant(0), "value=0, wanted a number > 0"),
        (lambda: schedules.Constant(math.inf), "value=inf"),
        (lambda: schedules.Power("2"), "exponent='2'"),
        (lambda: schedules.Power(math.nan), "exponent=nan"),
        (lambda: schedules.Inverse(-1, 1), "a=-1"),
        (lambda: schedules.Inverse(1, 0), "b=0"),
        (lambda: schedules.resolve("0"), "value=0.0"),
        (lambda: schedules.resolve("1.2.3"), "wanted"),
        (lambda: schedules.resolve("1/(0+step/0)"), "b=0.0"),
        (lambda: schedules.LineSearch().eta(1), "depends on all violators"),
    ],
)
def test_nonsense_is_refused(make, message):
    with pytest.raises((InputError, ValueError), match=message):
        make()


def test_divergent_and_convergent_sums():
    """The conditions of convergence, looked at where they can be seen: partial sums."""
    for exponent, met in [(0, True), (0.5, True), (1, True), (-1, True), (1.5, False), (2, False)]:
        verdict = schedules.Power(exponent).verdict()
        assert verdict.converges is met
        etas = [schedules.Power(exponent).eta(k) for k in range(1, 20_001)]
        grown = sum(etas) - sum(etas[:10_000])
        assert (grown > 0.5) is met


class ByKeyword:
    """Asked for the step by its name."""

    def eta(self, *, step):
        return 1 / step


class Projection(schedules.Projection):
    """Asks for what only ours is told."""


def test_an_eta_by_keyword_is_asked_like_any_other():
    X, y = [[1.0, 2.0], [2.0, -1.0], [0.5, 3.0]], [0, 1, 1]
    mine, ours = (
        LinearClassifier(schedule=one, order="cyclic", until=None, max_iter=4).fit(X, y)
        for one in (ByKeyword(), schedules.Power(1))
    )
    assert (mine.coef_ == ours.coef_).all()


def test_a_projection_of_ones_own_is_refused():
    """It would be asked for the step alone, and go on with its defaults."""
    with pytest.raises(KindError, match="only hardlimit's own Projection is told") as refused:
        schedules.resolve(Projection())
    assert refused.value.fix
