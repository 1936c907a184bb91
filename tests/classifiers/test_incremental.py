"""What `partial_fit` of one row costs, and that all classifiers go one way."""

import sys

import pytest

import hardlimit as hl
from hardlimit.classifiers.incremental import IncrementalClassifier
from hardlimit.exceptions import HardlimitError

# Functions written in Python that a row calls once a stream goes on; each costs 50 ns or more.
CALLS = {
    hl.LinearClassifier: (25, [[0.0, 1.0], [1.0, 0.0]]),
    hl.KernelClassifier: (98, [[0.0, 1.0], [1.0, 0.0]]),
    hl.TextClassifier: (60, ["a prize", "see you"]),
    hl.TableClassifier: (71, [{"n": 1.0, "c": "x"}, {"n": 2.0, "c": "y"}]),
}


@pytest.mark.parametrize("kind", CALLS)
def test_a_row_calls_no_more_functions_than_before(kind):
    most, rows = CALLS[kind]
    classifier = kind().fit(rows, ["a", "b"])
    for _ in range(2):  # what is made once
        classifier.partial_fit(rows[:1], ["a"])
    called = []

    def note(frame, event, argument):
        if event == "call":
            called.append(frame.f_code.co_qualname)

    sys.setprofile(note)
    try:
        classifier.partial_fit(rows[:1], ["a"])
    finally:
        sys.setprofile(None)
    assert len(called) <= most, called


@pytest.mark.parametrize("kind", CALLS)
def test_a_batch_that_is_refused_leaves_nothing_behind(kind):
    rows = CALLS[kind][1]
    fresh = kind()
    with pytest.raises(HardlimitError, match="labels"):
        fresh.partial_fit(rows, ["a"])
    assert not fresh.__sklearn_is_fitted__()
    taught = kind().partial_fit(rows, ["a", "b"])
    before = taught.n_corrections_, taught.fitted.state.state.presentations
    with pytest.raises(HardlimitError, match="labels"):
        taught.partial_fit(rows, ["a", 1])
    with pytest.raises(HardlimitError, match=f"one for each example of {kind.examples_name}"):
        taught.partial_fit(rows, ["a"])
    assert (taught.n_corrections_, taught.fitted.state.state.presentations) == before


def test_partial_fit_is_written_once():
    for kind in CALLS:
        for name in ("_learn_batch", "_learn_first"):
            assert getattr(kind, name) is getattr(IncrementalClassifier, name)
