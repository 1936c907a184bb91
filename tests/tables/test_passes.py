"""Tables measured by passes over their rows are those measured at once."""

import pickle
import random

import pytest

from hardlimit.exceptions import InputError
from hardlimit.tables import TableSettings, TableVectorizer, categories, decide_kinds
from hardlimit.tables.passes import BlockPasses
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


def run(vectorizer, size=7, n_parts=1):
    """Measure pieces of few rows, which belong to some parts that are looked at apart."""
    passes = BlockPasses(vectorizer.blocks)
    for number in range(len(passes.names)):
        found = [None] * n_parts
        for at in range(0, len(ROWS), size):
            part = at * n_parts // len(ROWS)
            table = vectorizer.table(ROWS[at : at + size])
            found[part] = passes.look(number, table.columns, table.place, part, found[part])
        if n_parts > 1:
            found = [pickle.loads(pickle.dumps(passes.pack(seen))) for seen in found]
        passes.settle(number, found)
    vectorizer.place_blocks()
    return passes


@pytest.mark.parametrize(("size", "n_parts"), [(1, 1), (7, 1), (1000, 1), (7, 3)])
@pytest.mark.parametrize("most", [None, 9])
def test_they_are_equal(size, n_parts, most, monkeypatch):
    monkeypatch.setitem(WORDS, "max_features", most)
    whole, passed = make(), make()
    rows = whole.fit_rows(ROWS)
    run(passed, size, n_parts)
    assert passed.header() == whole.header()
    tables, others = whole.state_tables(), passed.state_tables()
    assert tables.keys() == others.keys()
    assert all(bytes(tables[name]) == bytes(others[name]) for name in tables)
    found = passed.rows(ROWS)
    assert (found.data == rows.data).all() and (found.indices == rows.indices).all()


def test_there_are_no_more_passes_than_needed():
    assert run(make()).names == ["sums, categories, terms", "deviations"]
    words = TableSettings(text_columns=("t", "u"), drop_columns=("n",))
    assert run(make(settings=words)).names == ["categories, terms"]


def test_categories_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(categories, "MOST_CATEGORIES", 2)
    with pytest.raises(InputError, match="column 'c': got more than 2 values.*hash_categories=18"):
        run(make())
