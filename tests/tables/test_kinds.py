"""Which kind a column is taken for, where nobody says."""

import pytest

from hardlimit.exceptions import InputError
from hardlimit.tables import TableSettings, as_table, decide_kinds

NOTES = [f"the customer called {n} times about her bill" for n in range(30)]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3] * 10, "number"),
        (["1", " 2.5", "-3e4"] * 10, "number"),
        ([*range(29), "?"], "number"),
        ([*range(28), "old", "5"], "number"),  # a slip, which is refused by its place
        (["1", "2", "x"] * 10, "category"),
        ([True, False] * 15, "category"),
        (["yes", "no"] * 15, "category"),
        ([f"id{n}" for n in range(30)], "category"),
        (NOTES, "text"),
        (NOTES[:2] * 15, "category"),
        (["1_000"] * 30, "category"),
        ([None] * 30, "drop"),
        (["", "NA"] * 15, "drop"),
    ],
    ids=str,
)
def test_a_kind_is_told_by_the_values(values, kind):
    rows = {"a": values, "b": [1] * 30}
    found = decide_kinds(as_table(rows), TableSettings())
    assert (found[0].kind, found[1].kind) == (kind, "number")


def test_named_kinds_stand_whatever_the_values():
    settings = TableSettings(number_columns=("a",), category_columns=("b",), text_columns=("c",))
    rows = {"a": ["x"], "b": [1], "c": [2], "d": [3]}
    found = decide_kinds(as_table(rows), settings)
    assert [(kind.name, kind.kind) for kind in found] == [
        ("a", "number"), ("b", "category"), ("c", "text"),
    ]  # fmt: skip


def test_they_are_described():
    rows = {
        "age": [1, None, 3] * 10,
        "city": ["Ghent", "Bruges", "?"] * 10,
        "id": [f"c{n}" for n in range(30)],
        "notes": NOTES,
        "empty": [None] * 30,
    }
    found = {
        kind.name: kind.describe("mean") for kind in decide_kinds(as_table(rows), TableSettings())
    }
    assert found == {
        "age": "number (10 missing -> mean)",
        "city": "category (2 values, 10 missing -> a value)",
        "id": "category (30 values, nearly all different)",
        "notes": "text",
        "empty": "left out: it has no values",
    }


def test_what_is_no_kind_is_refused():
    with pytest.raises(InputError, match="column 'a'.*type list.*drop_columns=\\['a'\\]"):
        decide_kinds(as_table([{"a": [1]}, {"a": [2]}]), TableSettings())
