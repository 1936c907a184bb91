"""Tables measured by passes over their rows are those measured at once."""

import random

import pytest

from hardlimit.exceptions import InputError
from hardlimit.tables import TableSettings, TableVectorizer, decide_kinds
from hardlimit.tables import passes as module
from hardlimit.tables.passes import TablePasses
from hardlimit.tables.rows import as_table
from hardlimit.text import TextVectorizer

DRAW = random.Random(2)
ROWS = as_table(
    [
        {"n": DRAW.choice([1.5, None, DRAW.gauss(0, 1e9)]), "c": DRAW.choice("xyz"),
         "t": f"a text {DRAW.randint(0, 9)} of words", "u": f"more words {k}"}
        for k in range(90)
    ]
)  # fmt: skip
SETTINGS = TableSettings(text_columns=("t", "u"), missing="mean")
WORDS = {**TextVectorizer().get_params(), "words": (1, 1), "chars": None}


def make(rows=ROWS, settings=SETTINGS):
    return TableVectorizer.of_kinds(decide_kinds(rows, settings), settings, WORDS, rows)


def run(vectorizer, rows=ROWS, size=7):
    passes = TablePasses(vectorizer)
    for number in range(len(passes.names)):
        passes.run(number, (rows[at : at + size] for at in range(0, len(rows), size)))
    return passes


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_they_are_equal(size):
    whole, passed = make(), make()
    rows = whole.fit_rows(ROWS)
    run(passed, size=size)
    assert passed.header() == whole.header()
    tables, others = whole.state_tables(), passed.state_tables()
    assert tables.keys() == others.keys()
    assert all(bytes(tables[name]) == bytes(others[name]) for name in tables)
    found = passed.rows(ROWS)
    assert (found.data == rows.data).all() and (found.indices == rows.indices).all()


def test_there_are_no_more_passes_than_needed():
    assert run(make()).names == ["sums and categories, terms of 't'", "deviations, terms of 'u'"]
    words = TableSettings(text_columns=("t", "u"), drop_columns=("n",))
    assert run(make(settings=words)).names == ["sums and categories, terms of 't'", "terms of 'u'"]
    none = TableSettings(drop_columns=("n", "t", "u"))
    assert run(make(settings=none)).names == ["sums and categories"]


def test_categories_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_CATEGORIES", 2)
    with pytest.raises(InputError, match="column 'c': got more than 2 values.*hash_categories=18"):
        run(make())
