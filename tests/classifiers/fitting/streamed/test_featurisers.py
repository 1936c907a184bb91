"""Several texts a row, and mixed tables: a stream gives the model of a fit, bit for bit."""

import random

import pytest

import hardlimit as hl
from hardlimit.classifiers.fitting.streamed import texts
from hardlimit.exceptions import InputError

from .test_texts import LABELS, SMALL, TEXTS, batches, saved

DRAW = random.Random(4)
TABLE = [
    {
        "amount": DRAW.gauss(3, 4) * 10.0 ** DRAW.randint(-9, 9) if DRAW.random() > 0.1 else None,
        "number": DRAW.randint(0, 5),
        "same": 0.1,
        "kind": DRAW.choice(["x", "y", " z", ""]),
        "text": text,
    }
    for text in TEXTS
]


def tables(**given):
    plain = {"missing": "mean", "text_columns": ["text"]}
    return hl.TableClassifier(**{**SMALL, **plain, **given})


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"idf": "smooth", "hash_bits": None, "max_features": 100},
        {"drop_columns": ["text"], "text_columns": None, "hash_bits": None},
        {"category_columns": ["number"], "column_weights": (2, 1, 3)},
        {"text_columns": ["text", "kind"], "hash_bits": None},
    ],
    ids=str,
)
def test_rows_of_a_table(given, tmp_path):
    fitted = tables(**given).fit(TABLE, LABELS)
    stream = tables(**given).fit_stream(batches(TABLE, LABELS))
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")
    assert stream.predict(TABLE[:20]).tolist() == fitted.predict(TABLE[:20]).tolist()


def test_columns_of_a_table_come_in_any_order(tmp_path):
    fitted = tables().fit(TABLE, LABELS)
    moved = [*TABLE[:70], *({**dict(reversed(row.items())), "more": 1} for row in TABLE[70:])]
    stream = tables().fit_stream(batches(moved, LABELS))
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_the_kinds_of_columns_are_those_of_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "HEAD_ROWS", 20)
    rows = [
        {
            "late": 3 if k < 150 else f"word {k % 7}",
            "text": f"{k} is the number of a call" if k > 100 else "7 is a call",
        }
        for k, _ in enumerate(LABELS)
    ]
    given = {"text_columns": None, "random_state": 2}
    fitted = tables(**given).fit(rows, LABELS)
    stream = tables(**given).fit_stream(batches(rows, LABELS))
    assert stream.kinds_ == {"late": "category", "text": "text"}
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_a_bad_value_is_named_with_its_row():
    rows = [dict(row) for row in TABLE]
    rows[222]["number"] = "many"
    with pytest.raises(InputError, match="row 12: column 'number': got 'many', wanted a number"):
        tables(number_columns=["number"]).fit_stream(batches(rows, LABELS))


def test_what_a_stream_of_tables_cannot_do():
    with pytest.raises(InputError, match="columns of a table are measured before any row"):
        tables().fit_stream(iter(batches(TABLE, LABELS)))
    with pytest.raises(InputError, match="there is no column 'kind'"):
        short = [{k: v for k, v in row.items() if k != "kind"} for row in TABLE[:9]]
        tables().fit_stream([*batches(TABLE, LABELS), (short, LABELS[:9])])
