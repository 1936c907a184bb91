"""Which kind a column is taken for, where nobody says."""

import itertools
import random

import pytest

from hardlimit.exceptions import InputError
from hardlimit.tables import (
    TableSettings,
    as_table,
    column_kinds,
    column_values,
    decide_kinds,
    decide_kinds_of_parts,
)

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
    assert (found[0].kind.name, found[1].kind.name) == (kind, "number")


def test_named_kinds_stand_whatever_the_values():
    settings = TableSettings(number_columns=("a",), category_columns=("b",), text_columns=("c",))
    rows = {"a": ["x"], "b": [1], "c": [2], "d": [3]}
    found = decide_kinds(as_table(rows), settings)
    assert [(kind.name, kind.kind.name) for kind in found] == [
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


def drawn_columns(draw):
    """Columns at the borders between the kinds, whose first values may be of another."""
    n = draw.randint(1, 60)
    long = [f"{k % draw.randint(1, 40)} is the number of a call" for k in range(n)]
    return {
        "slips": draw.sample(["x", "?"] * n + ["7", 3] * 4 * n, n),
        "long": [draw.choice(long) for _ in range(n)],
        "short": [str(draw.randint(0, n)) + draw.choice(["", "a", " "]) for _ in range(n)],
        "truth": draw.choices([True, 1, 0.5, "1", "", None, b"1"], [5, 1, 1, 1, 1, 1, 1], k=n),
        "late": ["4"] * (n // 2) + [f"word {k}" for k in range(n - n // 2)],
    }


def kinds_of(columns, ends, settings):
    table = as_table(columns)
    parts = [table[a:b] for a, b in itertools.pairwise([0, *ends, len(table)])]
    return decide_kinds_of_parts(lambda: parts, settings)


@pytest.mark.parametrize("most", [1 << 18, 8])
def test_the_kinds_are_those_of_all_rows_however_they_are_cut(most, monkeypatch):
    monkeypatch.setattr(column_values, "MOST_VALUES", most)
    draw, found = random.Random(3), set()
    for _ in range(200):
        columns = drawn_columns(draw)
        n = len(columns["slips"])
        named = draw.choice(
            [{}, {"category_columns": ("short", "late")}, {"drop_columns": ("late",)}]
        )
        settings = TableSettings(**named)
        whole = decide_kinds(as_table(columns), settings)
        cuts = sorted(draw.sample(range(1, n), min(n - 1, draw.randint(1, 5))))
        assert kinds_of(columns, cuts, settings) == whole
        found |= {(kind.name, kind.kind.name) for kind in whole}
    assert {kind for name, kind in found if name in ("slips", "late")} >= {"number", "category"}
    assert {"category", "text"} <= {kind for name, kind in found if name == "long"}


def test_a_value_of_no_kind_is_refused_in_every_part():
    with pytest.raises(InputError, match="column 'a'.*type list"):
        kinds_of({"a": [*"xyz", [1]], "b": [1] * 4}, [2], TableSettings())


def test_of_very_many_values_the_number_is_told_roughly(monkeypatch):
    monkeypatch.setattr(column_values, "MOST_VALUES", 200)
    monkeypatch.setattr(column_kinds, "MOST_VALUES", 200)
    values = [f"v{k}" for k in range(10_000)]
    (found,) = decide_kinds(as_table({"a": values}), TableSettings())
    assert 8000 < found.distinct < 12000
    assert found.describe().startswith("category (about ")
