"""What every rule promises; the rules are found, not listed."""

import dataclasses
import json

import numpy as np
import pytest

from hardlimit import LinearClassifier, _native, rules
from hardlimit.engine import engine_rule
from hardlimit.exceptions import InputError, KindError

ALL = rules.describe()


def parameters_of(description):
    """Several settings of a rule: its defaults, and others inside the ranges."""
    yield {}
    for scale in (0.25, 3.0, 1e-3):
        yield {name: default * scale for name, default, _ in description.parameters}


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_compiled_answers_are_the_python_answers_bit_for_bit(description):
    rng = np.random.default_rng(0)
    for parameters in parameters_of(description):
        rule = rules.get(description.name, **parameters)
        compiled = engine_rule(rule, description.name)
        asked = engine_rule(rule)
        assert not compiled.is_python
        assert asked.is_python
        assert compiled.equality_violates == rule.equality_violates
        assert compiled.needs_sqnorm == asked.needs_sqnorm
        for _ in range(200):
            scalars = {
                "margin": float(rng.normal() * 10.0 ** rng.integers(-3, 3)),
                "sqnorm": float(rng.random() * 10.0 ** rng.integers(-3, 3) + 1e-9),
                "weight": float(rng.random() * 4),
                "step": float(rng.integers(1, 1000)),
            }
            assert compiled.change(scalars) == asked.change(scalars), (rule, scalars)
            assert compiled.required(scalars) == asked.required(scalars)


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_a_rule_says_what_a_reader_needs(description):
    text = description.cls.__doc__
    assert "Guarantee" in text
    assert "Worked example" in text
    assert "weight" in text
    assert any(year in text for year in ("(1958)", "(1962)", "(1987)", "(2006)"))
    assert len(description.summary) < 80
    for name, _, range_ in description.parameters:
        assert range_, f"{description.name}: {name} has no range"


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_a_rule_is_plain_json_and_back(description):
    for parameters in parameters_of(description):
        rule = rules.get(description.name, **parameters)
        assert rules.from_json(json.loads(json.dumps(rules.to_json(rule)))) == rule


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
@pytest.mark.parametrize("bad", [-1.0, float("nan"), "1", None])
def test_a_parameter_out_of_range_is_refused(description, bad):
    for name, _, _ in description.parameters:
        with pytest.raises(InputError, match=f"{name}="):
            rules.get(description.name, **{name: bad})


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_a_rule_is_frozen_and_can_be_searched(description):
    rule = rules.get(description.name)
    for name, default, _ in description.parameters:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(rule, name, 1.0)
        clf = LinearClassifier(rule).set_params(**{f"rule__{name}": default * 2})
        assert getattr(clf.rule, name) == default * 2
        assert getattr(rule, name) == default


def test_the_compiled_list_knows_no_rule_that_python_does_not():
    assert _native.compiled_rule("no-such-rule", {}) is None
    for name in rules.names():
        defaults = {k: float(v) for k, v in rules.get(name).get_params().items()}
        assert _native.compiled_rule(name, defaults) is not None


def test_names_that_do_not_exist_are_answered_with_those_that_do():
    with pytest.raises(InputError, match="did you mean 'perceptron'"):
        rules.get("perceptrn")
    with pytest.raises(InputError, match="wanted C"):
        rules.get("passive-aggressive", c=1)
    with pytest.raises(KindError, match=r"Perceptron\(\)"):
        LinearClassifier(rules.Perceptron).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(KindError, match="required"):
        LinearClassifier(42).fit([[1.0], [2.0]], [0, 1])


def test_bounds_are_numbers_or_a_reason():
    good, bad = rules.Geometry(radius=2.0, gamma=0.5), rules.Geometry(radius=2.0, gamma=0.0)
    for name in rules.names():
        assert rules.get(name).mistake_bound(good).value > 0
        bound = rules.get(name).mistake_bound(bad)
        assert bound.value is None
        assert "separable" in bound.reason
    assert rules.Perceptron().mistake_bound(good).value == 16
