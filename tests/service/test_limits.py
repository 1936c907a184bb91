"""Requests of a key in a second."""

import pytest

from hardlimit.service.limits import Rates
from hardlimit.service.problems import Problem


def test_a_bucket_fills_again_at_its_rate_and_is_each_keys_own():
    now = 0.0
    rates = Rates(2.0, lambda: now)
    for _ in range(2):
        rates.check("alice")
    with pytest.raises(Problem) as refused:
        rates.check("alice")
    assert refused.value.headers == ((b"retry-after", b"1"),)
    rates.check("bob")
    now = 0.5
    rates.check("alice")
    with pytest.raises(Problem):
        rates.check("alice")
    now = 1000.0
    for _ in range(2):
        rates.check("alice")
    with pytest.raises(Problem):
        rates.check("alice")


def test_a_rate_below_one_lets_one_through_and_names_the_wait():
    rates = Rates(0.1, lambda: 0.0)
    rates.check("")
    with pytest.raises(Problem) as refused:
        rates.check("")
    assert refused.value.headers == ((b"retry-after", b"10"),)
