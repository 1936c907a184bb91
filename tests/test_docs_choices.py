"""docs/choices.md and docs/what-works.md say what the checks say."""

import re
from pathlib import Path

import pytest

from benchmarks import compatibility_table as table
from benchmarks import what_works
from hardlimit import LinearClassifier, budgets, orders, readouts, rules, schedules
from hardlimit.exceptions import InputError

PAGE = (Path(__file__).parents[1] / "docs" / "choices.md").read_text()
WORKS = (Path(__file__).parents[1] / "docs" / "what-works.md").read_text()
X = [[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [3.0, 1.0]]


def test_the_tables_are_current():
    found = re.search(r"<!-- choices:[^\n]*-->\n(.*?)<!-- end of choices -->", PAGE, re.S)
    assert found.group(1) == table.markdown(), "run: make readme"


def test_the_tables_of_what_works_are_current():
    found = re.search(r"<!-- works:[^\n]*-->\n(.*?)<!-- end of works -->", WORKS, re.S)
    assert found.group(1) == what_works.markdown(), "run: make readme"
    assert max(map(len, found.group(1).splitlines())) <= 80


def test_the_page_names_every_choice():
    for name in [*orders.ORDERS.members, *readouts.READOUTS, *rules.names(), "line-search"]:
        assert f"`{name}`" in PAGE
    for name in [*budgets.names(), *table.SETTINGS]:
        assert name in PAGE
    for name in schedules.names():
        assert name in PAGE or name == "NUMBER"


@pytest.mark.parametrize("rule", rules.names())
def test_what_the_table_says_of_three_classes(rule):
    clf = LinearClassifier(rule, max_iter=2, until=None)
    if any(one.choice == "coupled" and one.rule == rule for one in table.refusals()):
        with pytest.raises(InputError, match="multiclass='ovr'"):
            clf.fit(X, [0, 1, 2, 0])
        clf.set_params(multiclass="ovr")
    assert clf.fit(X, [0, 1, 2, 0]).predict(X).shape == (4,)


def test_every_refusal_has_a_reason_that_stands_alone():
    for one in table.refusals():
        assert len(one.reason) > 20
        assert type(rules.get(one.rule)).__name__ not in one.sentence.split()


def test_a_line_is_as_wide_as_its_head():
    for block in table.markdown().split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1
