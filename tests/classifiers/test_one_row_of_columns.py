"""What one row of several columns costs, counted: the same whatever the vocabulary."""

import gc
import sys
import tracemalloc

import pytest

import hardlimit as hl

FEATURES = [{}, {"idf": None}, {"hash_bits": 16}]
SAME = {"words": (1, 1), "chars": None}
FEW, MANY, DOCUMENTS, ROWS = 400, 40_000, 20, 10


@pytest.fixture(scope="module", autouse=True)
def only_new_objects_are_walked():
    """What the tests before have left is walked once, and not before each measurement."""
    gc.collect()
    gc.freeze()


def one_text(**features):
    return hl.TextClassifier(**SAME, **features), lambda texts: texts[0]


def several_texts(names):
    def make(**features):
        return hl.TextClassifier(text_columns=names, **SAME, **features), tuple

    return make


def mixed(**features):
    kinds = {"text_columns": ["t"], "number_columns": ["n"], "category_columns": ["c"]}
    classifier = hl.TableClassifier(**kinds, **SAME, **features)
    return classifier, lambda texts: {"t": texts[0], "n": 0.5, "c": "red"}


CASES = {
    "one text": (1, one_text),
    "two texts": (2, several_texts(("a", "b"))),
    "three texts": (3, several_texts(("a", "b", "c"))),
    "text, number and category": (1, mixed),
}


def begin(case, n_terms, features):
    """Return a classifier that has learnt so many terms in a few documents, and rows to learn."""
    n_texts, make = CASES[case]
    classifier, as_row = make(**features)
    each = n_terms // DOCUMENTS // n_texts
    words = [
        [" ".join(f"w{d}x{i}" for i in range(each)) for _ in range(n_texts)]
        for d in range(DOCUMENTS)
    ]
    classifier.partial_fit([as_row(texts) for texts in words], [0, 1] * (DOCUMENTS // 2))
    rows = [as_row([f"w0x0 w1x1 new{k} new{k}of{i}" for i in range(n_texts)]) for k in range(ROWS)]
    return classifier, rows


def count_calls(work):
    """Return how many functions of Python and of its library are called."""
    counts = []

    def note(frame, event, argument):
        if event in ("call", "c_call"):
            counts.append(event)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return len(counts)


def most_bytes(work):
    """Return the most bytes that Python and numpy take at once."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def costs(case, n_terms, features):
    """Return calls and bytes of learning a row, and of predicting one."""
    classifier, rows = begin(case, n_terms, features)
    assert classifier.vectorizer_.n_columns_ >= n_terms // 2
    learn = [lambda row=row: classifier.partial_fit([row], [0]) for row in rows]
    learn[0](), classifier.predict([rows[0]])  # what is imported or made once
    return [
        sum(map(count_calls, learn[1 : ROWS // 2])),
        max(map(most_bytes, learn[ROWS // 2 :])),
        count_calls(lambda: classifier.predict([rows[0]])),
        most_bytes(lambda: classifier.predict([rows[1]])),
    ]


@pytest.mark.parametrize("features", FEATURES, ids=str)
@pytest.mark.parametrize("case", CASES)
def test_a_row_costs_its_features_however_many_terms_there_are(case, features):
    costs(case, FEW, features)  # logarithms are computed once in a process
    few, many = costs(case, FEW, features), costs(case, MANY, features)
    assert many[::2] == few[::2]
    # An array of the terms of one column alone would take four bytes each.
    assert max(many[1] - few[1], many[3] - few[3]) < MANY // 3


@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_several_columns_are_at_most_twice_the_calls_of_one(features):
    found = {case: costs(case, FEW, features)[::2] for case in CASES}
    for case, (learning, asking) in found.items():
        assert learning <= 2 * found["one text"][0], case
        assert asking <= 2 * found["one text"][1], case
