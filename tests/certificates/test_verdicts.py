"""Verdicts by themselves: what they claim, what their proof holds, how they read."""

import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest

from hardlimit import certify
from hardlimit.certificates import NotSeparable, Separable, Undecided, load_proof
from hardlimit.certificates.checking import find_smallest_product
from hardlimit.certificates.verdicts import (
    explain_undecided,
    measure_input_margin,
    round_lower_end,
    round_upper_end,
)
from hardlimit.exceptions import ProofError

from ..rounding import near

X = np.array([[0.0, 0.0], [0, 1], [1, 0], [1, 1]])
AND, XOR = [0, 0, 0, 1], [0, 1, 1, 0]


@pytest.fixture(scope="module")
def separable():
    return certify(X, AND, gap=1e-6)


@pytest.fixture(scope="module")
def conflict():
    return certify(X, XOR)


def test_the_margin_of_and_is_one_over_the_root_of_seventeen(separable):
    """w = (2, 2, -3): products 3, 1, 1, 1 over ||w|| = sqrt 17."""
    lo, hi = separable.margin
    # The last part is the gap that was asked for.
    assert lo <= 1 / math.sqrt(17) <= hi and hi - lo <= 1e-6 * hi
    assert bool(separable) and str(separable).startswith("separable: margin between 0.2425")


def test_weights_and_intercept_classify(separable):
    scores = X @ separable.w + separable.intercept
    assert (scores > 0).tolist() == [False, False, False, True]


def test_the_input_margin_leaves_the_bias_out_of_the_length(separable):
    scores = X @ separable.w + separable.intercept
    signed = np.where(AND, scores, -scores)
    assert separable.input_margin == near(signed.min() / np.linalg.norm(separable.w), 30)
    assert separable.input_margin > separable.margin[0]


def test_ends_are_rounded_outward(separable):
    rows = separable.subject.rows_of(X, AND)
    smallest = find_smallest_product(rows, separable.weights)
    lower = round_lower_end(smallest)
    assert Fraction(lower) ** 2 <= smallest.squared_margin
    assert Fraction(math.nextafter(lower, 1)) ** 2 >= smallest.squared_margin * (1 - 10**-15)
    assert round_upper_end(rows, separable.multipliers) >= lower
    wrong = find_smallest_product(rows, [-w for w in separable.weights])
    assert round_lower_end(wrong) < 0


def test_weights_of_the_bias_alone_have_no_input_margin():
    rows = certify([[1.0], [2.0]], [0, 1]).subject.rows_of([[1.0], [2.0]], [0, 1])
    smallest = find_smallest_product(rows, [0, 1])
    assert measure_input_margin(rows, [0, 1], smallest) == math.inf


def test_a_conflict_names_rows_and_is_false(conflict):
    assert not conflict and conflict.conflict == [0, 1, 2, 3]
    assert str(conflict) == "not separable: 4 rows cannot all be right"
    conflict.check(X, XOR)


def test_a_proof_has_the_members_of_its_format(separable, conflict):
    common = {"verdict", "found_by", "data", "multipliers"}
    assert set(conflict.to_proof()) == common | {"by", "suspects"}
    margins = {"weights", "margin", "smallest_margin", "input_margin"}
    assert set(separable.to_proof()) == common | margins
    undecided = Undecided(separable.subject, weights=(1, 0, 0), why="w", multipliers={0: 1})
    assert set(undecided.to_proof()) == common | {"weights", "margin", "tried", "why"}
    for verdict in (separable, conflict, undecided):
        json.dumps(verdict.to_proof())


def test_saved_and_read_it_is_the_same(separable, conflict, tmp_path):
    for verdict in (separable, conflict):
        verdict.save(tmp_path / "p.json")
        assert load_proof(tmp_path / "p.json") == verdict


@pytest.mark.parametrize("name", ["smallest_margin", "input_margin"])
def test_a_claim_beyond_the_proof_is_refused(separable, name):
    claimed = dataclasses.replace(separable, **{name: 99.0})
    with pytest.raises(ProofError, match=f"{name} is .*, not the 99.0"):
        claimed.check(X, AND)
    dataclasses.replace(separable, **{name: 0.0}).check(X, AND)  # less may be claimed


@pytest.mark.parametrize(
    ("margin", "words"), [((1.0, 1.0), "weights reach"), ((0.0, 0.0), "exclude")]
)
def test_a_bracket_beyond_the_proof_is_refused(separable, margin, words):
    with pytest.raises(ProofError, match=words):
        dataclasses.replace(separable, margin=margin).check(X, AND)


def test_undecided_checks_its_bracket_alone():
    subject = certify(X, AND).subject
    verdict = Undecided(subject, weights=(1, 1, -1), margin=(-1.0, 2.0), multipliers={0: 1})
    verdict.check(X, AND)
    assert not verdict and str(verdict) == "undecided: margin between -1 and 2"
    assert "between -1 and 2" in explain_undecided(-1.0, 2.0)


def test_other_rows_are_refused_with_the_fields_of_the_first_difference(separable):
    with pytest.raises(ProofError) as caught:
        separable.check(X, ["a", "b", "b", "b"])
    assert caught.value.where == "proof: not of these data"
    assert caught.value.parameter == "positive"
    with pytest.raises(ProofError) as caught:
        separable.check(X[:3], AND[:3])
    assert caught.value.where == "proof: not of these data" or caught.value.who == "proof"


@pytest.mark.parametrize("kind", [Separable, NotSeparable, Undecided])
def test_a_verdict_is_frozen(kind, separable):
    verdict = kind(separable.subject)
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict.found_by = "me"
