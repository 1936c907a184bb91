"""Guards as objects: options, ranges, refusals, compiled twins."""

import pytest

from hardlimit import _native, guards, rules
from hardlimit.exceptions import InputError, KindError

ALL = [guards.GUARDS.get(name) for name in guards.names()]


@pytest.mark.parametrize("guard", ALL, ids=lambda guard: type(guard).__name__)
def test_a_guard_has_a_compiled_twin(guard):
    (name,) = guards.compiled_parameters((guard,))
    assert name in _native.guard_names()
    rule = _native.compiled_rule("perceptron", {})
    assert _native.guarded(rule, name, guard.compiled_parameters()) is not None


def test_the_compiled_list_knows_no_guard_that_python_does_not():
    assert set(_native.guard_names()) == set(guards.names())


def test_places_differ_and_each_has_one_parameter():
    assert len({guard.place for guard in ALL}) == len(ALL)
    assert all(len(guard.get_params()) == 1 for guard in ALL)


@pytest.mark.parametrize("name", rules.names())
def test_refusals_follow_from_the_rule(name):
    rule = rules.get(name)
    assert guards.AlphaBound().refusal(rule) is None
    assert (guards.Margin().refusal(rule) is None) == rule.takes_margin
    if not isinstance(rule, rules.AdditiveRule):
        assert guards.LambdaTrick().refusal(rule)


def test_a_refusal_has_fields():
    with pytest.raises(InputError, match="takes no margin from outside") as refused:
        guards.check((guards.Margin(2),), "romma")
    error = refused.value
    assert (error.who, error.parameter, error.got) == ("ROMMA", "guard", guards.Margin(2))
    assert error.fix


def test_a_guard_of_ones_own_is_refused():
    """Guards are compiled: nothing of such a class could run."""
    for guard in ALL:
        cls = type(guard)
        with pytest.raises(KindError, match="objects of hardlimit.guards"):
            guards.resolve(type(cls.__name__, (cls,), {})())
