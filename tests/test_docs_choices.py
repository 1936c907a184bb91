"""docs/choices.md says what the checks say."""

import re
from pathlib import Path

import pytest

from hardlimit import LinearClassifier, keep, orders, rules, schedules
from hardlimit.classifiers import goes_with
from hardlimit.exceptions import InputError

PAGE = (Path(__file__).parents[1] / "docs" / "choices.md").read_text()
X, Y = [[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [3.0, 1.0]], [0, 1, 0, 1]


def test_the_tables_are_current():
    found = re.search(r"<!-- choices:[^\n]*-->\n(.*?)<!-- end of choices -->", PAGE, re.S)
    assert found.group(1) == goes_with.markdown(), "run: make readme"


def test_the_page_names_every_choice():
    for name in [*orders.ORDERS.members, *keep.READOUTS, *rules.names(), "line-search"]:
        assert f"`{name}`" in PAGE
    for name in schedules.names():
        assert name in PAGE or name == "NUMBER"


@pytest.mark.parametrize("rule", rules.names())
def test_what_the_table_allows_can_be_fitted(rule):
    refused = {one.choice for one in goes_with.refusals() if one.rule == rule}
    for choice, settings in goes_with._ASKED.items():
        given = {"keep": ("last",), "readout": "last", "max_iter": 3, "until": None} | settings
        clf = LinearClassifier(rule, **given)
        if choice in refused:
            with pytest.raises(InputError):
                clf.fit(X, Y)
        else:
            assert clf.fit(X, Y).predict(X).shape == (4,)
            kept = given["keep"][0]
            assert clf.with_readout(kept).predict(X).shape == (4,)


@pytest.mark.parametrize("rule", rules.names())
def test_what_the_table_says_of_three_classes(rule):
    clf = LinearClassifier(rule, max_iter=2, until=None)
    if any(one.choice == "coupled" and one.rule == rule for one in goes_with.refusals()):
        with pytest.raises(InputError, match="multiclass='ovr'"):
            clf.fit(X, [0, 1, 2, 0])
        clf.set_params(multiclass="ovr")
    assert clf.fit(X, [0, 1, 2, 0]).predict(X).shape == (4,)


def test_every_refusal_has_a_reason_that_stands_alone():
    for one in goes_with.refusals():
        assert len(one.reason) > 30 and "()" not in one.reason
