"""What every kind of targets promises, whatever an example says what it is by."""

import importlib
import inspect
import pickle
import pkgutil

import numpy as np
import pytest

from hardlimit.classifiers import targets
from hardlimit.classifiers.model.choices import resolve_choices
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets._protocol import Targets
from hardlimit.evaluation.holdout import row_digest
from hardlimit.exceptions import HardlimitError
from hardlimit.streaming.blocks import Block

CHOICES = resolve_choices({"rule": "perceptron", "order": "cyclic"})
KEYS = [row_digest(text) for text in ("a", "b", "a", "c", "d", "e", "f", "g")]

# Of each kind: labels as they are handed in, and as they stand in a file of numbers.
GIVEN = {
    "OneLabel": (
        ["x", "y", "x", "y", "x", "y", "x", "y"],
        ["1", "2", "1", "2", "1", "2", "1", "2"],
    ),
    "LabelSets": (
        [{"x"}, {"x", "y"}, {"y"}, set(), {"z"}, {"x", "z"}, {"y"}, {"z"}],
        [("x",), ("x", "y"), ("y",), (), ("z",), ("x", "z"), ("y",), ("z",)],
    ),
    "LabelColumns": (
        [[0, 1], [1, 1], [1, 0], [0, 0], [0, 1], [1, 1], [0, 1], [0, 1]],
        [(a, b) for a, b in ("01", "11", "10", "00", "01", "11", "01", "01")],
    ),
}


def find_kinds():
    """Return all classes of the room that have what a kind of targets has."""
    wanted = [name for name in vars(Targets) if not name.startswith("_")]
    found = {}
    for info in pkgutil.iter_modules(targets.__path__, f"{targets.__name__}."):
        module = importlib.import_module(info.name)
        for name, kind in inspect.getmembers(module, inspect.isclass):
            own = kind.__module__ == info.name and not info.name.rpartition(".")[2].startswith("_")
            if own and all(hasattr(kind, one) for one in wanted):
                found[name] = kind
    return found


KINDS = find_kinds()
each_kind = pytest.mark.parametrize("name", sorted(KINDS))


def read(name):
    y, _ = GIVEN[name]
    kind = targets.targets_of(y)
    return kind, y, kind.read(len(y), y, "X")


def test_the_kinds_are_those_that_are_tested():
    assert sorted(KINDS) == sorted(GIVEN)


@each_kind
def test_labels_of_a_kind_are_read_by_it(name):
    kind, y, items = read(name)
    assert type(kind) is KINDS[name] is type(targets.of_labels(targets.read_labels(len(y), y)))
    assert len(items) == len(y)
    assert pickle.loads(pickle.dumps(kind)) == kind


@each_kind
def test_batches_of_another_kind_or_length_are_refused(name):
    kind, y, _ = read(name)
    with pytest.raises(HardlimitError, match=f"{len(y) + 1}, one for each"):
        kind.read(len(y) + 1, y, "X")
    for other in sorted(set(GIVEN) - {name}):
        if "OneLabel" in (name, other):
            with pytest.raises(HardlimitError, match="as in the first batch"):
                kind.read(len(y), GIVEN[other][0], "X")


@each_kind
@pytest.mark.parametrize("cut", [0, 3, 8])
def test_counts_of_parts_add_up(name, cut):
    kind, y, items = read(name)
    whole, parts = kind.count(items), kind.count(items[:cut])
    parts.update(kind.count(items[cut:]))
    assert parts == whole
    assert kind.n_rows(whole) == len(y)
    assert whole == kind.count(items)  # pure


@each_kind
def test_labels_of_files_are_what_all_of_them_are(name):
    kind, items = KINDS[name](), GIVEN[name][1]
    settled = kind.settled(items)
    plain = settled.plain(items)
    assert plain == read(name)[2] or plain == [1, 2] * 4
    assert settled.plain_counts(kind.count(items)) == settled.count(plain)


@each_kind
def test_a_stream_a_shard_and_a_fit_learn_the_same_targets(name):
    kind, y, items = read(name)
    fitted = kind.check(CHOICES, targets.read_labels(len(y), y), None)
    for counts in (None, kind.count(items)):
        book = kind.open_book(CHOICES, items, counts, whole=True)
        assert list(book.numbers) == list(fitted.book.numbers)
        assert type(targets.of_book(book)) is type(kind)
        codes, weights = kind.encode(book, items, CHOICES.rule, None)
        training = Training(CHOICES, book, 1)
        streamed, _ = kind.encoder(CHOICES, counts).encode(training, Block(None, items, None))
        for found in (codes, streamed):
            assert found.dtype == np.int32
            np.testing.assert_array_equal(found, fitted.targets)
        assert weights is None
        assert kind.n_learnt(kind.count(items), book) == len(y)


@each_kind
def test_known_labels_are_those_that_are_read(name):
    kind, y, items = read(name)
    labels = targets.read_labels(len(y), y)
    book = kind.check(CHOICES, labels, None).book
    rows = range(len(y))
    wanted = kind.codes(labels, book, rows)
    np.testing.assert_array_equal(kind.codes(kind.known(items, book), book, rows), wanted)
    assert len(kind.known([], book)) == 0
    each = np.bincount(wanted) if wanted.ndim == 1 else wanted.sum(axis=0)
    found = kind.rows_of_each(kind.count(items), book)
    assert [found[label] for label in book.numbers] == each.tolist()


@each_kind
def test_rows_are_held_out_and_dealt_with_their_twins(name):
    kind, y, items = read(name)
    kept, out = kind.split(KEYS, items, 0.4)
    assert sorted([*kept, *out]) == list(range(len(y)))
    assert out
    assert (0 in out) == (2 in out)
    labels = targets.read_labels(len(y), y)
    folds = kind.deal(labels, 3, KEYS)
    assert folds.shape == (len(y),)
    assert set(folds.tolist()) <= {-1, 0, 1, 2}
    assert folds[0] == folds[2]
    taken = kind.take(labels, np.array([1, 4]))
    assert len(taken) == 2
    assert kind.smallest(labels) >= 1


@each_kind
def test_right_answers_score_one(name):
    kind, y, _ = read(name)
    labels = targets.read_labels(len(y), y)
    answers = [tuple(sorted(one)) for one in y] if name == "LabelSets" else y
    for figure in (kind.accuracy, kind.micro_f1, kind.macro_f1):
        assert figure(labels, answers) == 1
        assert figure(labels, [answers[-1], *answers[:-1]]) < 1
