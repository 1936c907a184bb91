"""Duplicates, conflicts and rows of training, counted again pair by pair."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import LinearClassifier, TextClassifier, reports
from hardlimit.readers import Csr

from .reading import facts, section, text_of

MODEL = TextClassifier(max_iter=2).fit(["win a prize", "lunch at noon"] * 4, ["spam", "ham"] * 4)
NUMBERS = LinearClassifier(max_iter=2).fit([[1.0, 0.0], [0.0, 1.0]] * 3, [0, 1] * 3)
words = st.sampled_from(
    ["win", "Win ", "win\n", "WIN", "ＷＩＮ", "lunch", "lunch ", " ", "", "é", "é"]
)
labelled = st.lists(st.tuples(words, st.sampled_from(["spam", "ham"])), min_size=1, max_size=12)
cells = st.sampled_from([0.0, -0.0, 1.0, 2.0])


@pytest.fixture(scope="module", autouse=True)
def release_models():
    """A fitted model that is alive when Python ends would be reported as a leak."""
    yield
    globals().update(MODEL=None, NUMBERS=None)


def same(one, other):
    """Whether two texts are equal but for case, form of their letters and white space."""
    plain = [unicodedata.normalize("NFKC", x).casefold().split() for x in (one, other)]
    return plain[0] == plain[1]


def count(cell):
    """The number of a fact: none, or 3 (25 %)."""
    return 0 if cell == "none" else int(cell.split()[0].replace(",", ""))


@settings(max_examples=40, deadline=None)
@given(labelled)
def test_texts_that_repeat_an_earlier_one_are_counted(rows):
    texts, labels = map(list, zip(*rows, strict=True))
    said = facts(reports.report(MODEL, texts, labels), "data")
    exact = sum(text in texts[:k] for k, text in enumerate(texts))
    alike = sum(any(same(text, x) for x in texts[:k]) for k, text in enumerate(texts))
    assert count(said["exact duplicates of an earlier one"]) == exact
    assert count(said["duplicates up to case and spaces"]) == alike
    empty = sum(not text.strip() for text in texts)
    assert count(said.get("empty", "none")) == empty


@settings(max_examples=40, deadline=None)
@given(labelled)
def test_conflicts_are_groups_with_both_labels(rows):
    texts, labels = map(list, zip(*rows, strict=True))
    page = reports.report(MODEL, texts, labels)
    groups = []
    for k, text in enumerate(texts):
        if not any(same(text, x) for x in texts[:k]):
            groups.append([i for i, x in enumerate(texts) if same(text, x)])
    mixed = [group for group in groups if len({labels[i] for i in group}) > 1]
    said = facts(page, "data")["duplicates with different labels"]
    if not mixed:
        assert said == "none"
        return
    assert said.startswith(f"{sum(map(len, mixed))} row")
    assert f"in {len(mixed)} group" in said
    least = sum(min(Counter(labels[i] for i in group).values()) for group in mixed)
    assert f"at least {least} of those row" in text_of(page, "verdict")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=10))
def test_equal_rows_of_numbers_are_found_whatever_their_form(rows):
    X = np.array(rows)
    filled = np.ones_like(X, dtype=bool)  # every cell stored, zeros too
    full = Csr(np.arange(len(X) + 1) * 2, np.nonzero(filled)[1].astype(np.int32), X.ravel(), 2)
    stored = X != 0
    lean = Csr(
        np.concatenate([[0], stored.sum(axis=1).cumsum()]).astype(np.int64),
        np.nonzero(stored)[1].astype(np.int32), X[stored], 2,
    )  # fmt: skip
    wanted = sum(any((x == y).all() for y in X[:k]) for k, x in enumerate(X))
    zeros = int((X == 0).all(axis=1).sum())
    for data in (X, full, lean):
        said = facts(reports.report(NUMBERS, data), "data")
        assert count(said["exact duplicates of an earlier one"]) == wanted
        assert count(said.get("all zeros", "none")) == zeros


@settings(max_examples=30, deadline=None)
@given(labelled, st.lists(words, min_size=1, max_size=5))
def test_rows_of_training_are_found_again(rows, known):
    texts, labels = map(list, zip(*rows, strict=True))
    page = reports.report(MODEL, texts, labels, train=(known, ["ham"] * len(known)))
    seen = [any(same(text, x) for x in known) for text in texts]
    assert count(facts(page, "data")["also in the training rows"]) == sum(seen)
    said = text_of(page, "verdict")
    assert ("also in the training file" in said) == any(seen)
    if any(seen) and not all(seen):
        predicted = MODEL.predict(texts).tolist()
        correct = [a == b for a, b in zip(predicted, labels, strict=True)]
        old = [c for c, s in zip(correct, seen, strict=True) if s]
        assert f"{100 * sum(old) / len(old):.0f} % of those are correct" in said or sum(old)


def test_the_largest_group_of_a_conflict_comes_first():
    texts = ["lunch"] * 2 + ["prize"] * 4 + ["noon"] * 3
    labels = ["ham", "spam"] + ["spam", "spam", "spam", "ham"] + ["ham", "ham", "spam"]
    said = section(reports.report(MODEL, texts, labels), "data")
    places = [said.index(f"rows {rows}") for rows in ("3, 4, 5, 6", "7, 8, 9", "1, 2<")]
    assert places == sorted(places)
    assert "spam</bdi> (3)" in said


def test_only_a_few_conflicts_are_shown_and_the_rest_counted():
    texts = [f"word{k}" for k in range(8) for _ in range(2)]
    said = section(reports.report(MODEL, texts, ["ham", "spam"] * 8), "data")
    assert said.count("<article>") == 5 and "3 more groups." in said


@pytest.mark.parametrize(("repeats", "warned"), [(0, False), (1, False), (4, False), (5, True)])
def test_one_repeated_row_in_twenty_is_a_remark(repeats, warned):
    texts = [f"text number {k}" for k in range(100 - repeats)] + ["text number 0"] * repeats
    said = text_of(reports.report(MODEL, texts, ["ham"] * 100), "verdict")
    assert ("less evidence than the number of rows suggests" in said) == warned


def test_labels_of_other_kinds_are_compared_by_their_text():
    model = TextClassifier(max_iter=2).fit(["a b", "c d"] * 4, [1, 2] * 4)
    said = facts(reports.report(model, ["a b", "A  B"], ["1", 1]), "data")
    assert said["duplicates with different labels"] == "none"
