"""What every rule promises; the rules are found, not listed."""

import dataclasses
import json
import math
import re

import numpy as np
import pytest

from hardlimit import LinearClassifier, _native, rules
from hardlimit.engine import engine_rule
from hardlimit.exceptions import InputError, KindError

ALL = rules.describe()


SCALES = (0.25, 3.0, 1e-3, 0.9, 1.1)
ANSWERS = ("tau", "shrink, tau", "tau, linked", "tau, beta", "factor")


def allowed(name, parameters):
    try:
        rules.get(name, **parameters)
    except InputError:
        return False
    return True


def scaled(default, scale):
    """Another value of a parameter; what is not a number stays."""
    if default in (None, 0, math.inf):
        return scale
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    return default * scale if is_number else default


def parameters_of(description):
    """Several settings of a rule: its defaults, and others inside the ranges."""
    yield {}
    for scale in SCALES:
        several = {name: scaled(default, scale) for name, default, _ in description.parameters}
        singles = [{name: value} for name, value in several.items()]
        yield from (found for found in (several, *singles) if allowed(description.name, found))


def another_value(description, name, default):
    return next(
        value
        for value in (scaled(default, scale) for scale in SCALES)
        if value != default and allowed(description.name, {name: value})
    )


def drawn_scalars(rng):
    """Numbers as they may come together: |margin| is at most ||w|| ||x||."""
    sqnorm = float(rng.random() * 10.0 ** rng.integers(-3, 3) + 1e-9)
    wsq = float(rng.random() * 10.0 ** rng.integers(-3, 3)) * float(rng.random() < 0.9)
    return {
        "margin": float(rng.uniform(-1, 1)) * math.sqrt(sqnorm * wsq),
        "sqnorm": sqnorm,
        "wsq": wsq,
        "weight": float(rng.random() * 4),
        "step": float(rng.integers(1, 1000)),
        "y": float(rng.choice([-1.0, 1.0])),
        "n_i": float(rng.integers(0, 9)),
        "alpha_i": float(rng.random() * 9),
        "variance": float(rng.random() * 10.0 ** rng.integers(-3, 3) + 1e-9),
    }


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_compiled_answers_are_the_python_answers_bit_for_bit(description):
    rng = np.random.default_rng(0)
    for parameters in parameters_of(description):
        rule = rules.get(description.name, **parameters)
        compiled = engine_rule(rule)
        asked = engine_rule(rule, compiled=False)
        assert not compiled.is_python
        assert asked.is_python
        assert compiled.equality_violates == rule.equality_violates
        for need in ("needs_sqnorm", "needs_wsq", "needs_example", "shrinks"):
            assert getattr(compiled, need) == getattr(asked, need), need
        for _ in range(200):
            scalars = drawn_scalars(rng)
            assert compiled.change(scalars) == asked.change(scalars), (rule, scalars)
            assert compiled.required(scalars) == asked.required(scalars)


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_a_rule_says_what_a_reader_needs(description):
    text = description.cls.__doc__
    assert "Guarantee" in text
    assert "Worked example" in text
    assert "weight" in text
    assert re.search(r"\((19|20)\d\d\)", text), "no reference with its year"
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
    for name, default, range_ in description.parameters:
        if bad is default or (bad == -1.0 and "negative" in range_):
            continue
        with pytest.raises(InputError, match=f"{name}="):
            rules.get(description.name, **{name: bad})


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_a_rule_is_frozen_and_can_be_searched(description):
    rule = rules.get(description.name)
    for name, default, _ in description.parameters:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(rule, name, 1.0)
        if isinstance(default, str):
            continue
        other = another_value(description, name, default)
        clf = LinearClassifier(rule).set_params(**{f"rule__{name}": other})
        assert getattr(clf.rule, name) == other
        assert getattr(rule, name) == default


def test_the_compiled_list_knows_no_rule_that_python_does_not():
    assert _native.compiled_rule("no-such-rule", {}) is None
    for name in rules.names():
        assert _native.compiled_rule(name, rules.get(name).compiled_parameters()) is not None


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
    good = rules.Geometry(
        radius=2.0, gamma=0.5, n_columns=3, x_inf=1.0, gamma_1=0.4, spectrum=(4.0, 1.0),
        spread=2.0, relevant=1,
    )  # fmt: skip
    bad = dataclasses.replace(good, gamma=0.0, gamma_1=0.0)
    for name in rules.names():
        bound = rules.get(name).mistake_bound(good)
        assert bound.reason
        assert bound.of in ("corrections", "mistakes")
        if bound.value is not None:
            assert bound.value > 0
            assert rules.get(name).mistake_bound(bad).value is None
            assert "separable" in rules.get(name).mistake_bound(bad).reason
    assert rules.Perceptron().mistake_bound(good).value == 16


@pytest.mark.parametrize("description", ALL, ids=lambda d: d.name)
def test_what_a_rule_says_of_itself_goes_together(description):
    rule = rules.get(description.name)
    assert rule.answers in ANSWERS
    assert rule.batch in ("", "sum", "average")
    if rule.quadratic:
        assert rule.batch
    if rule.takes_margin:
        assert rule.required == 0
    if rule.takes_schedule:
        assert rule.answers == "tau"
    if not rule.weighs:
        clf = LinearClassifier(rule, multiclass="ovr")
        with pytest.raises(InputError, match="can only be 0 or 1 here, since .*repeat examples"):
            clf.fit([[1.0], [2.0]], [0, 1], sample_weight=[1, 2])
    if rule.alone:
        with pytest.raises(InputError, match="ovr"):
            rule.split()
