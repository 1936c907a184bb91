"""The nearest name, found in bounded time."""

import itertools

from hardlimit.foundation.nearest import find_nearest


def test_the_nearest_of_some_names():
    assert find_nearest("labl", ["text", "label", "labels"]) == "label"
    assert find_nearest("zzz", ["text", "label"]) is None


def test_no_more_than_some_thousand_names_are_compared():
    assert find_nearest("labl", itertools.cycle(["text", "label"])) == "label"


def test_long_names_are_not_compared():
    assert find_nearest("a" * 10**6, ["a" * 10**6]) is None
    assert find_nearest("a" * 199, ["a" * 10**6, "a" * 198]) == "a" * 198
