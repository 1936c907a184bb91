import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.evaluation import stratified_holdout
from hardlimit.exceptions import InputError

TEXTS = [f"text {number}" for number in range(1000)]
LABELS = ["spam" if number % 5 == 0 else "ham" for number in range(1000)]


def test_each_class_has_its_fraction():
    train, test = stratified_holdout(TEXTS, LABELS, 0.2)
    assert Counter(LABELS[row] for row in test) == {"ham": 160, "spam": 40}
    assert sorted(train + test) == list(range(1000))
    assert train == sorted(train) and test == sorted(test)


@pytest.mark.parametrize(("rows", "held"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_a_row_that_would_overshoot_by_as_much_is_trained_on(rows, held):
    labels = ["x"] * rows + ["y"] * 2
    _, test = stratified_holdout(TEXTS[: rows + 2], labels, 0.5)
    assert Counter(labels[row] for row in test) == Counter({"x": held, "y": 1})


def test_known_split():
    """Fixed by the digest: the same on every machine, in every version."""
    _, test = stratified_holdout(TEXTS[:20], ["x"] * 20, 0.2, seed=7)
    assert test == [2, 6, 8, 17]


def test_the_order_of_the_file_does_not_matter():
    order = list(range(1000))
    random.Random(1).shuffle(order)
    _, test = stratified_holdout(TEXTS, LABELS, 0.3, seed=4)
    _, shuffled = stratified_holdout([TEXTS[i] for i in order], [LABELS[i] for i in order], 0.3, 4)
    assert {TEXTS[order[row]] for row in shuffled} == {TEXTS[row] for row in test}


def test_few_documents_change_sides_when_others_come():
    _, small = stratified_holdout(TEXTS[:900], ["x"] * 900, 0.2)
    _, large = stratified_holdout(TEXTS, ["x"] * 1000, 0.2)
    changed = set(small) ^ {row for row in large if row < 900}
    assert len(changed) < 20


def test_seeds_differ():
    assert stratified_holdout(TEXTS, LABELS, 0.2, 0) != stratified_holdout(TEXTS, LABELS, 0.2, 1)


def test_bytes_and_str_of_one_text_are_one():
    split = stratified_holdout(TEXTS, LABELS, 0.2)
    assert stratified_holdout([text.encode() for text in TEXTS], LABELS, 0.2) == split
    stratified_holdout(["\ud800", "a", "b", "c"], ["x"] * 4, 0.5)


@given(
    st.lists(st.tuples(st.sampled_from("abcdefghij"), st.sampled_from("xyz")), min_size=1),
    st.floats(0.05, 0.95),
    st.integers(0, 5),
)
def test_duplicates_stay_together_and_every_class_is_trained(pairs, fraction, seed):
    texts, labels = zip(*pairs, strict=True)
    try:
        train, test = stratified_holdout(texts, labels, fraction, seed)
    except InputError as error:
        assert "too few to hold out" in str(error)
        return
    assert sorted(train + test) == list(range(len(texts)))
    assert {texts[row] for row in train}.isdisjoint(texts[row] for row in test)
    assert {labels[row] for row in train} == set(labels)
    assert test


def test_a_large_group_of_duplicates_does_not_spoil_the_fraction():
    texts = ["same"] * 50 + TEXTS[:50]
    for seed in range(10):
        _, test = stratified_holdout(texts, ["x"] * 100, 0.2, seed)
        assert len(test) == 20


@pytest.mark.parametrize("fraction", [0, 1, -0.5, 2, float("nan")])
def test_refuses_fractions(fraction):
    with pytest.raises(InputError, match="wanted more than 0 and less than 1"):
        stratified_holdout(TEXTS, LABELS, fraction)


def test_refuses_too_few_rows():
    with pytest.raises(InputError, match="2 rows of 2 classes are too few to hold out 0.2"):
        stratified_holdout(["a", "b"], ["x", "y"], 0.2)
    with pytest.raises(InputError, match="1 text, but 2 labels"):
        stratified_holdout(["a"], ["x", "y"], 0.2)
