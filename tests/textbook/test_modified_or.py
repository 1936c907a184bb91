"""The tables of the blackboard, digit for digit."""

from __future__ import annotations

import csv
import io
import json

import pytest

from hardlimit import textbook

from ..rounding import near
from .boards import OR, modified_or, vector

# e, i, w before, signed row, margin, corrected, delta (threshold feature -1)
INCREMENTAL = """
    1 1  0 0 0    1 1 1     0  yes   1 1 1
    1 2  1 1 1    1 -1 -1  -1  yes   1 -1 -1
    1 3  2 0 0   -1 1 -1   -2  yes  -1 1 -1
    1 4  1 1 -1   1 1 -1    3  no    0 0 0
    2 1  1 1 -1   1 1 1     1  no    0 0 0
    2 2  1 1 -1   1 -1 -1   1  no    0 0 0
    2 3  1 1 -1  -1 1 -1    1  no    0 0 0
    2 4  1 1 -1   1 1 -1    3  no    0 0 0
"""
BATCH = """
    1 1  0 0 0    1 1 1     0  yes   2 2 -2
    1 2  0 0 0    1 -1 -1   0  yes   2 2 -2
    1 3  0 0 0   -1 1 -1    0  yes   2 2 -2
    1 4  0 0 0    1 1 -1    0  yes   2 2 -2
    2 1  2 2 -2   1 1 1     2  no    0 0 0
    2 2  2 2 -2   1 -1 -1   2  no    0 0 0
    2 3  2 2 -2  -1 1 -1    2  no    0 0 0
    2 4  2 2 -2   1 1 -1    6  no    0 0 0
"""


def lines(table, bias_feature):
    """The table's lines as numbers; with +1 the last column of every vector turns its sign."""
    for line in table.strip().splitlines():
        words = line.split()
        numbers = [int(word) for word in words if word not in ("yes", "no")]
        e, i, *rest = numbers
        w, z, margin, delta = rest[:3], rest[3:6], rest[6], rest[7:]
        for v in (w, z, delta):
            v[2] *= -bias_feature
        yield e, i - 1, tuple(w), tuple(z), margin, "yes" in words, tuple(delta)


def as_lines(steps):
    return [(s.epoch, s.example, s.w_before, s.z, s.margin, s.corrected, s.delta) for s in steps]


@pytest.mark.parametrize("bias_feature", [-1, 1])
@pytest.mark.parametrize("number", [textbook.exact, int, float])
@pytest.mark.parametrize(
    ("algorithm", "table", "w", "corrections", "epochs"),
    [
        (textbook.incremental, INCREMENTAL, (1, 1, -1), 3, 2),
        (textbook.batch, BATCH, (2, 2, -2), 1, 1),
    ],
)
def test_the_two_tables(algorithm, table, w, corrections, epochs, number, bias_feature):
    steps, outcome = textbook.run(algorithm(modified_or(bias_feature, number=number)))
    assert as_lines(steps) == list(lines(table, bias_feature))
    assert all(s.w_after == tuple(map(sum, zip(s.w_before, s.delta, strict=True))) for s in steps)
    assert outcome.w == (*w[:2], -bias_feature * w[2])
    assert (outcome.reason, outcome.corrections, outcome.epochs) == (
        "separated",
        corrections,
        epochs,
    )
    assert outcome.wrong == ()


def test_the_dual_variables():
    assert textbook.run(textbook.incremental(modified_or())).outcome.counts == (1, 1, 1, 0)
    assert textbook.run(textbook.batch(modified_or())).outcome.counts == (1, 1, 1, 1)


@pytest.mark.parametrize("bias_feature", [-1, 1])
@pytest.mark.parametrize(
    ("order", "table"), [("cyclic", INCREMENTAL), ("batch", BATCH)], ids=["incremental", "batch"]
)
def test_the_table_that_is_printed(order, table, bias_feature):
    """Text and CSV hold the same digits; a batch says its weights once."""
    found = textbook.trace(*OR, order=order, bias_feature=bias_feature)
    text = [line.split() for line in found.text().splitlines()]
    start = next(k for k, line in enumerate(text) if "update" in line)
    heads, *body = text[start : text.index([], start)]
    assert heads[1:8] == ["no", "w1", "w2", "w0", "tx1", "tx2", "tx0"]
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    for number, (e, i, w, z, margin, corrected, delta) in enumerate(lines(table, bias_feature)):
        row, first = rows[number], i == 0
        own = [*z, margin, "yes" if corrected else "no"]
        expected = [i + 1, *w, *own, *delta] if order == "cyclic" or first else [i + 1, *own]
        assert body[number] == [str(v) for v in ([e, *expected] if first else expected)]
        assert [row[h] for h in ("w1", "w2", "w0", "t w.x")] == [str(v) for v in (*w, margin)]
        assert [row[h] for h in ("dw1", "dw2", "dw0")] == [str(v) for v in delta]
    assert len(rows) == len(body) == 8
    assert json.loads(found.json())["steps"][1]["z"] == [1, -1, bias_feature]


def survivors():
    return textbook.survivors(textbook.run(textbook.incremental(modified_or())).steps)


def test_voted():
    assert survivors() == [((0, 0, 0), 0), ((1, 1, 1), 1), ((2, 0, 0), 1), ((1, 1, -1), 6)]
    assert textbook.longest(survivors()) == ((1, 1, -1), 6)
    row = modified_or().row
    votes = [textbook.vote(survivors(), row(x)) for x in OR[0]]
    assert votes == [-6 - 1 - 1, 6 - 1 + 1, 6 - 1 - 1, 6 + 1 + 1]
    assert textbook.vote(survivors(), (0, 0, 0)) == 0


@pytest.mark.parametrize(
    ("convention", "expected"), [("post", "9 7 -5"), ("pre", "8 6 -4"), ("ciml", "1 7/9 -5/9")]
)
def test_averaged(convention, expected):
    steps = textbook.run(textbook.incremental(modified_or())).steps
    assert textbook.average(steps, convention) == vector(expected)
    assert getattr(textbook.average_lazily(steps), convention) == vector(expected)


def test_balanced_winnow():
    steps, outcome = textbook.run(textbook.balanced_winnow(modified_or(), alpha=2))
    assert [s.example for s in steps if s.corrected] == [0, 1, 2]
    assert [s.score for s in steps if s.corrected] == list(vector("0 -3/2 -15/4"))
    assert steps[-1].ap_after == vector("2 2 1/2")
    assert steps[-1].am_after == vector("1/2 1/2 2")
    assert (outcome.reason, outcome.epochs) == ("separated", 2)
    for s in steps:
        assert all(p * m == 1 for p, m in zip(s.ap_after, s.am_after, strict=True))
        sinh = [textbook.weight_of(v, 2) for v in s.v]
        assert list(map(float, s.w_after)) == near(sinh, 20)
