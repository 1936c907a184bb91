"""What all kinds of examples promise; the kinds are found by themselves."""

import importlib
import inspect
import pickle
import pkgutil

import numpy as np
import pytest

from hardlimit import examples
from hardlimit.examples.dense import Dense
from hardlimit.examples.sparse import Csr
from hardlimit.examples.texts import Texts
from hardlimit.examples.tuples import TextTuples
from hardlimit.tables import TableRows

METHODS = {"take", "part", "keys", "hold_out_keys", "size", "place", "joined", "example", "noun"}
X = np.array([[0.0, 1.5], [-0.0, 1.5], [2.0, 0.0], [0.0, 0.0], [1.5, 0.0]])
MADE = {
    Texts: Texts(["a", b"a", "lunch?", "", "\udc80"]),
    TextTuples: TextTuples(
        [("a", ""), (b"a", ""), ("a\x1f", "b"), ("a", "\x1fb"), ("1:", "")], ("s", "b")
    ),
    Dense: Dense(X),
    Csr: Csr(
        np.array([0, 1, 3, 5, 5, 6]),
        np.array([1, 0, 1, 0, 1, 0], np.int32),
        np.array([1.5, -0.0, 1.5, 2.0, 0.0, 1.5]),
        2,
    ),
    TableRows: TableRows(("n", "s"), ([41, 41.0, 0, None, 1], ["x", "x", "x", "x", None])),
}
# Of each kind the first two rows are equal to a model, and no others are.


def kinds():
    """Find the classes of the room, and of the tables, that have the methods."""
    names = [one.name for one in pkgutil.iter_modules(examples.__path__) if one.name[0] != "_"]
    modules = [importlib.import_module(f"hardlimit.examples.{name}") for name in names]
    modules.append(importlib.import_module("hardlimit.tables.rows"))
    return {
        one
        for module in modules
        for _, one in inspect.getmembers(module, inspect.isclass)
        if one.__module__ == module.__name__ and hasattr(one, "joined")
    }


def values(found):
    """Return examples as plain values."""
    if isinstance(found, Csr):
        return found.to_scipy().toarray().tolist()
    return np.asarray(found).tolist() if isinstance(found, Dense) else list(found)


def test_every_kind_of_examples_is_held_to_the_contract():
    assert kinds() == set(MADE)


each = pytest.mark.parametrize("made", MADE.values(), ids=[one.__name__ for one in MADE])


@each
def test_it_has_all_methods(made):
    assert all(hasattr(made, name) for name in METHODS) and made.noun in ("text", "row")


@each
@pytest.mark.parametrize("rows", [[], [3], [4, 0, 0], np.array([1, 2]), range(5)], ids=str)
def test_taken_rows_are_those_rows(made, rows):
    taken, wanted = made.take(rows), values(made)
    assert type(taken) is type(made) and len(taken) == len(rows)
    assert values(taken) == [wanted[row] for row in rows]
    assert list(taken.keys()) == [made.keys()[row] for row in rows]


@each
@pytest.mark.parametrize("begin, end", [(0, 5), (0, 0), (5, 5), (1, 3), (4, 5)])
def test_a_part_is_what_is_taken_there(made, begin, end):
    part = made.part(begin, end)
    assert type(part) is type(made) and len(part) == end - begin
    assert values(part) == values(made.take(range(begin, end)))
    assert all(part.place(row).startswith("row ") for row in range(len(part)))


@each
def test_parts_that_are_joined_are_the_whole(made):
    parts = [made.part(0, 2), made.part(2, 2), made.part(2, 5)]
    whole = made.joined(parts)
    assert type(whole) is type(made) and values(whole) == values(made)
    assert list(whole.keys()) == list(made.keys())
    assert list(whole.hold_out_keys()) == list(made.hold_out_keys())
    assert sum(part.size() for part in (made.part(0, 2), made.part(2, 5))) >= made.size() > 0


@each
def test_keys_are_equal_where_a_model_sees_no_difference(made):
    keys = list(made.keys())
    assert keys[0] == keys[1] and len(set(keys)) == 4


@each
def test_what_is_held_out_is_told_by_the_bytes_of_a_row(made):
    """A file that was split once is split in the same way for ever."""
    found = {
        Texts: ["a", b"a"],
        TextTuples: ["a\x1f", "b'a'\x1f"],
        Dense: [np.array([0.0, 1.5]).tobytes(), np.array([-0.0, 1.5]).tobytes()],
        Csr: [
            np.int32([1]).tobytes() + np.array([1.5]).tobytes(),
            np.int32([0, 1]).tobytes() + np.array([-0.0, 1.5]).tobytes(),
        ],
        TableRows: ["41\x1fx", "41.0\x1fx"],
    }
    assert list(made.hold_out_keys())[:2] == found[type(made)]


@each
def test_examples_travel(made):
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made) and values(again) == values(made)
    assert list(again.keys()) == list(made.keys())


@each
def test_a_row_that_is_not_there_is_an_error(made):
    with pytest.raises(IndexError):
        made.take([5])
    assert values(made.part(2, 3)) == values(made.joined([made.part(2, 3)]))


def test_parts_of_numbers_share_the_memory():
    dense, sparse = MADE[Dense], MADE[Csr]
    assert np.shares_memory(np.asarray(dense.part(1, 3)), X)
    assert np.shares_memory(sparse.part(1, 3).data, sparse.data)
    texts = MADE[Texts]
    assert texts.part(2, 3)[0] is texts[2]


def test_dense_and_sparse_rows_of_the_same_values_have_one_key():
    assert MADE[Dense].keys() == MADE[Csr].keys()


def test_rows_are_as_wide_as_the_widest_and_may_grow():
    narrow = Csr(np.array([0, 1]), np.array([0], np.int32), np.array([2.0]), 1, grows=True)
    whole = Csr.joined([narrow, MADE[Csr]])
    assert whole.shape == (6, 2) and whole.grows and narrow.take([0]).grows


def test_rows_of_a_table_keep_their_places():
    placed = TableRows(("n",), ([1, 2, 3],), lambda row: f"a.csv:{row + 2}")
    whole = TableRows.joined([placed.part(1, 3), placed.take([0])])
    assert [whole.place(row) for row in range(3)] == ["a.csv:3", "a.csv:4", "a.csv:2"]
    assert pickle.loads(pickle.dumps(whole)).place(0) == "row 0"
