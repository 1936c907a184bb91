"""A verdict that claims a little more than its numbers prove is refused, by the claim's name."""

import dataclasses
import math
from fractions import Fraction

import pytest

from hardlimit import certify
from hardlimit.certificates.proof_writing import encode_proofs, write_multipliers, write_subject
from hardlimit.certificates.verdicts import NotSeparable, Undecided
from hardlimit.exceptions import InputError, ProofError

X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
AND, XOR = [0, 0, 0, 1], [0, 1, 1, 0]


@pytest.fixture(scope="module")
def both():
    return certify(X, AND, gap=1e-3)


@pytest.fixture(scope="module")
def xor():
    return certify(X, XOR)


def up(value):
    return math.nextafter(value, math.inf)


def test_what_is_proved_passes(both, xor):
    both.check(X, AND)
    xor.check(X, XOR)


def test_less_than_what_is_proved_may_be_claimed(both):
    lo, hi = both.margin
    dataclasses.replace(both, margin=(lo / 2, hi * 2), smallest_margin=0.0).check(X, AND)


@pytest.mark.parametrize("name", ["smallest_margin", "input_margin"])
def test_one_float_more_of_a_margin_is_too_much(both, name):
    claimed = dataclasses.replace(both, **{name: up(getattr(both, name))})
    with pytest.raises(ProofError, match=f"{name} is .*, not the .* that is claimed"):
        claimed.check(X, AND)


def test_a_lower_end_that_the_weights_do_not_reach(both):
    lo, hi = both.margin
    with pytest.raises(ProofError, match=r"the weights reach a margin of .* \(row \d\), not the"):
        dataclasses.replace(both, margin=(up(lo), hi)).check(X, AND)


def test_an_upper_end_that_the_multipliers_do_not_exclude(both):
    lo, hi = both.margin
    with pytest.raises(ProofError, match="the multipliers exclude margins above"):
        dataclasses.replace(both, margin=(lo, math.nextafter(hi, 0))).check(X, AND)


@pytest.mark.parametrize("end", [0, 1])
def test_an_end_that_is_no_number_is_refused(both, end):
    margin = list(both.margin)
    margin[end] = math.nan
    with pytest.raises(ProofError):
        dataclasses.replace(both, margin=tuple(margin)).check(X, AND)


def test_weights_that_leave_a_row_on_the_other_side(both):
    with pytest.raises(ProofError, match="row 3 is not on its side"):
        dataclasses.replace(both, weights=(1, 1, -2)).check(X, AND)


def test_multipliers_of_which_one_is_changed_do_not_cancel(xor):
    for row in xor.multipliers:
        changed = dataclasses.replace(xor, multipliers={**xor.multipliers, row: 2})
        with pytest.raises(ProofError, match="do not cancel"):
            changed.check(X, XOR)


def test_a_zero_sum_is_not_a_proof_of_a_separable_set(xor, both):
    wrong = NotSeparable(both.subject, multipliers=xor.multipliers)
    with pytest.raises(ProofError, match="do not cancel"):
        wrong.check(X, AND)


def test_a_small_sum_is_refused_where_it_is_not_small_enough(both):
    wrong = NotSeparable(both.subject, multipliers=both.multipliers, by="small sum")
    with pytest.raises(ProofError, match="the sum is not small enough"):
        wrong.check(X, AND)


def test_rows_with_a_multiplier_of_zero_bear_nothing(xor):
    assert NotSeparable(xor.subject, multipliers={2: 1, 0: Fraction(1, 2), 1: 0}).conflict == [0, 2]


def test_the_sentences(xor):
    one = NotSeparable(xor.subject, multipliers={2: 1})
    assert str(one) == "not separable: row 2 is 0 throughout, which is on no side"
    assert str(xor) == "not separable: 4 rows cannot all be right"
    small = NotSeparable(xor.subject, multipliers={2: 1}, by="small sum")
    assert str(small) == "not separable: 1 row cannot all be right"


def test_an_undecided_verdict_claims_its_bracket_and_nothing_else(both):
    open_ = Undecided(
        both.subject, weights=both.weights, margin=both.margin, multipliers=both.multipliers
    )
    open_.check(X, AND)
    assert not open_ and str(open_).startswith("undecided: margin between ")
    with pytest.raises(ProofError, match="the weights reach"):
        dataclasses.replace(open_, margin=(both.margin[1] * 2, both.margin[1] * 3)).check(X, AND)


def test_multipliers_are_written_by_rising_row_as_ratios():
    assert write_multipliers({10: Fraction(1, 2), 2: Fraction(1, 3)}) == {"2": "2", "10": "3"}
    assert list(write_multipliers({10: 1, 9: 1, 100: 1})) == ["9", "10", "100"]


def test_a_subject_is_written_with_its_digest(both):
    written = write_subject(both.subject)
    assert written["rows"] == 4 and written["features"] == 2
    assert written["bias"] == (1.0).hex()
    assert (written["positive"], written["negative"]) == (1, 0)
    assert written["digest"] == both.subject.digest
    with pytest.raises(InputError, match="cannot be written into a proof"):
        write_subject(dataclasses.replace(both.subject, positive=(1, 2)))


def test_the_bytes_do_not_depend_on_the_order_of_members():
    assert encode_proofs([{"b": 1, "a": "é"}]) == encode_proofs([{"a": "é", "b": 1}])
    assert encode_proofs([{"a": "é"}]).isascii()
    with pytest.raises(ValueError, match="JSON"):
        encode_proofs([{"a": math.nan}])
