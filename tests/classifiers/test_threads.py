"""One model, many threads: every call takes part, and gets what some step gave."""

import copy
import pickle
import threading

import many_threads as threads
import numpy as np
import pytest
from many_threads import FITTED, KINDS

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, TextVectorizer, rules
from hardlimit.exceptions import InputError

X = np.array([[1.0, 0.0], [0.0, 1.0]])
Y = [0, 1]
QUICK = [("many classes", False), ("vocabulary", False), ("vocabulary", True), ("kernel", True)]


@pytest.mark.parametrize(("kind", "loaded"), QUICK)
def test_what_a_thread_gets_while_another_learns_is_of_some_step(kind, loaded, tmp_path):
    """Files byte for byte, pickles, copies, answers, reasons: never parts of two steps."""
    kind = KINDS[kind]
    states = threads.replay(kind, tmp_path, loaded)
    assert threads.stream(kind, states, tmp_path, loaded) == ([], [])


@pytest.mark.parametrize("kind", ["many classes", "vocabulary", "kernel", "voted"])
def test_calls_during_a_fit_answer_from_the_old_model_or_the_new(kind, tmp_path):
    turns = 2 if kind == "many classes" else 6  # its fits are long
    assert threads.refit((KINDS | FITTED)[kind], tmp_path, turns) == ([], [])


@pytest.mark.parametrize("front", ["numbers", "texts", "kernel", "terms"])
def test_two_streams_that_begin_at_once_are_one(front):
    """Of two first batches neither is forgotten."""
    clf, give = {
        "numbers": (LinearClassifier(), lambda i: (np.eye(8)[[i]], [i % 2])),
        "texts": (
            TextClassifier(chars=None),
            lambda i: ([f"word{i} other{i}"], [i % 2]),
        ),
        "kernel": (KernelClassifier(), lambda i: (np.eye(8)[[i]], [i % 2])),
        "terms": (TextVectorizer(), lambda i: ([f"word{i} other{i}"],)),
    }[front]
    more = {} if front == "terms" else {"classes": [0, 1]}
    start = threading.Barrier(8)

    def learn(i):
        start.wait()
        clf.partial_fit(*give(i), **more)

    workers = [threading.Thread(target=learn, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if front == "terms":
        assert clf.n_documents_ == 8 and clf.n_columns_ == 24
    else:
        assert clf.fitted.state.state.presentations == 8


class Turns(rules.Rule):
    """A rule that turns to the very model it serves."""

    required = 0

    turn = staticmethod(lambda: None)

    def tau(self):
        Turns.turn()
        return 1


@pytest.mark.parametrize(
    "turn",
    [
        lambda clf, path: clf.predict(X),
        lambda clf, path: clf.save(path, training_state=False),
        lambda clf, path: pickle.dumps(clf),
        lambda clf, path: copy.deepcopy(clf),
        lambda clf, path: clf.with_readout("last"),
        lambda clf, path: clf.coef_,
        lambda clf, path: clf.n_corrections_,
        lambda clf, path: clf.partial_fit(X, Y),
    ],
    ids=["predict", "save", "pickle", "deepcopy", "with_readout", "coef_", "counts", "learn"],
)
def test_a_rule_that_turns_to_its_own_model_gets_an_error_and_no_deadlock(
    turn, tmp_path, monkeypatch
):
    clf = LinearClassifier(Turns()).partial_fit(X, Y)
    monkeypatch.setattr(Turns, "turn", lambda: turn(clf, tmp_path / "m"))
    with pytest.raises(InputError) as caught:
        clf.partial_fit(-X, Y)
    assert caught.value.topic == "busy"
    monkeypatch.undo()
    clf.partial_fit(X, Y).predict(X)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loaded", [False, True], ids=["fresh", "loaded"])
def test_streams_of_every_kind_many_times(kind, loaded, tmp_path):
    kind = KINDS[kind]
    states = threads.replay(kind, tmp_path, loaded)
    for _ in range(6):
        assert threads.stream(kind, states, tmp_path, loaded) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FITTED])
def test_fits_of_every_kind_many_times(kind, tmp_path):
    assert threads.refit((KINDS | FITTED)[kind], tmp_path, turns=30) == ([], [])
