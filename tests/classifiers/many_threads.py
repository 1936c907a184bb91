"""Models of every kind under many threads: what each call gives is what some step gave.

A run teaches a model the same steps as a replay that was alone, while other threads save, pickle,
copy, ask and explain. All that they get is looked up among what the replay recorded step by step.
"""

import copy
import hashlib
import itertools
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

import hardlimit as hl
from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, budgets

RNG = np.random.default_rng(5)
WORDS = [f"{a}{b}{c}" for a in "bdgklm" for b in "aeiou" for c in "nprst"]


class Kind(NamedTuple):
    make: Callable[[], Any]
    steps: list[tuple[Any, list[Any]]]
    probe: Any


def numbers(n_classes, n_rows=40, n_columns=6):
    """Steps of rows whose classes come one after another."""
    steps = []
    for step in range(8):
        X = RNG.normal(size=(n_rows, n_columns))
        known = min(n_classes, 2 + step // 2)
        steps.append((X, (np.abs(X).argmax(1) % known).tolist()))
    return steps


def texts(n_classes, n_texts=40):
    """Steps of texts whose words and classes come one after another."""
    steps = []
    for step in range(8):
        there, known = WORDS[: 18 * (step + 1)], min(n_classes, 2 + step // 3)
        drawn = [RNG.choice(there, 9) for _ in range(n_texts)]
        labels = [sum(map(ord, words[0])) % known for words in drawn]
        steps.append((list(map(" ".join, drawn)), labels))
    return steps


def some(steps):
    """Rows to ask: of the first step, whose columns and words all models know."""
    return steps[0][0][:5]


def kind(make, steps):
    return Kind(make, steps, some(steps))


def csr(steps):
    return [(sparse.csr_matrix(X), y) for X, y in steps]


def many_labels(steps):
    return [(X, np.column_stack([np.asarray(y) % 2, X[:, 0] > 0]).astype(int)) for X, y in steps]


TWO, MANY, WORDY = numbers(2), numbers(5), texts(4)
KINDS = {
    "two classes": kind(lambda: LinearClassifier(), TWO),
    "many classes": kind(lambda: LinearClassifier("passive-aggressive"), csr(MANY)),
    "last": kind(lambda: LinearClassifier("arow", readout="last", keep="last"), TWO),
    "shrinking": kind(lambda: LinearClassifier("shifting-perceptron"), TWO),
    "many labels": kind(lambda: LinearClassifier(), many_labels(TWO)),
    "balanced": kind(lambda: LinearClassifier("passive-aggressive", class_weight="balanced"), MANY),
    "vocabulary": kind(lambda: TextClassifier(chars=None), WORDY),
    "hashed": kind(lambda: TextClassifier(chars=None, hash_bits=9), WORDY),
    "kernel": kind(lambda: KernelClassifier(), MANY),
    "budget": kind(lambda: KernelClassifier(budget=budgets.Forgetron(30)), TWO),
}
FITTED = {
    "voted": kind(lambda: LinearClassifier(readout="voted", keep="all", max_iter=3), TWO),
    "voted texts": kind(lambda: TextClassifier(readout="voted", keep="all", max_iter=2), WORDY),
    "one-vs-rest": kind(lambda: LinearClassifier(multiclass="ovr", max_iter=3), MANY),
}


def digest(clf, path):
    clf.save(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def answer_of(clf, probe):
    return clf.decision_function(probe).tobytes()


def looks(clf, probe, path):
    """What can be asked of a model: name -> a function that gives something to be looked up."""
    asked = {
        "save": lambda: digest(clf, path()),
        "pickle": lambda: digest(pickle.loads(pickle.dumps(clf)), path()),
        "deepcopy": lambda: digest(copy.deepcopy(clf), path()),
        "copy": lambda: digest(copy.copy(clf), path()),
        "decision_function": lambda: answer_of(clf, probe),
        "last": lambda: answer_of(clf.with_readout("last"), probe),
        "predict": lambda: clf.predict(probe).tolist(),
        "counts": lambda: clf.fitted.counted,
    }
    if isinstance(clf, TextClassifier):
        asked["explain"] = lambda: repr(clf.explain(probe[0]))
        asked["telling_terms"] = lambda: repr(clf.telling_terms(3))
        asked["vectorizer"] = lambda: repr(
            sorted(pickle.loads(pickle.dumps(clf.vectorizer_)).header().items())
        )
    elif isinstance(clf, KernelClassifier):
        asked["dual_coef_"] = lambda: clf.dual_coef_.tobytes()
    elif clf.readout != "voted":
        asked["coef_"] = lambda: clf.coef_.tobytes()
    return asked


def paths(folder):
    """Names of files, a new one for each call of any thread."""
    numbered = itertools.count()
    return lambda: folder / f"m{next(numbered)}"


def begin(kind, folder, loaded):
    """A model of the first step; one that was saved and loaded has read no training state yet."""
    clf = kind.make().fit(*kind.steps[0])
    if not loaded:
        return clf
    clf.save(folder / "begun")
    return hl.load(folder / "begun")


def record(states, asked):
    for name, look in asked.items():
        states.setdefault(name, set()).add(repr(look()))


def replay(kind, folder, loaded):
    """What each look gives after each step, of a model that nobody else uses."""
    clf, states = begin(kind, folder, loaded), {}
    asked = looks(clf, kind.probe, paths(folder))
    record(states, asked)
    for step in kind.steps[1:]:
        clf.partial_fit(*step)
        record(states, asked)
    return states


class Together:
    """Threads that run until the first of them, the teacher, has ended; their errors."""

    def __init__(self, teach, asks):
        self.errors, self.n_asked, self.done = [], 0, threading.Event()
        works = [lambda: self.end_with(teach), *(lambda ask=ask: self.repeat(ask) for ask in asks)]
        threads = [threading.Thread(target=self.guard, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert not any(thread.is_alive() for thread in threads), "threads wait for each other"

    def guard(self, work):
        try:
            work()
        except BaseException as error:
            self.errors.append(repr(error))

    def end_with(self, teach):
        try:
            teach()
        finally:
            self.done.set()

    def repeat(self, ask):
        while not self.done.is_set():
            ask()
            self.n_asked += 1


def stream(kind, states, folder, loaded):
    """Teach the steps while each look has a thread of its own; what was found and not recorded."""
    clf, strange = begin(kind, folder, loaded), []

    def teach():
        for step in kind.steps[1:]:
            clf.partial_fit(*step)
            time.sleep(0.002)  # so that others are asked between two steps, too

    def ask(name, look):
        found = repr(look())
        if found not in states[name]:
            strange.append(name)

    asked = looks(clf, kind.probe, paths(folder)).items()
    together = Together(teach, [lambda n=n, look=look: ask(n, look) for n, look in asked])
    return together.errors, strange


def refit(kind, folder, turns):
    """Fit one of two models in turn while others ask; what was found that is of neither."""
    rows, labels = kind.steps[3]
    # Other names for the classes: an answer of the old weights in the new words is seen.
    if isinstance(labels, list):
        labels = [label + 10 for label in labels]
    sets, states = (kind.steps[0], (rows, labels)), {}
    clf = kind.make()
    asked = looks(clf, kind.probe, paths(folder))
    if kind in FITTED.values():
        asked = {k: v for k, v in asked.items() if k not in ("telling_terms", "explain")}
    for rows, labels in sets:
        clf.fit(rows, labels)
        record(states, asked)
    strange = []

    def teach():
        for turn in range(turns):
            clf.fit(*sets[turn % 2])

    def ask(name, look):
        found = repr(look())
        if found not in states[name]:
            strange.append(name)

    together = Together(teach, [lambda n=n, k=k: ask(n, k) for n, k in asked.items()])
    return together.errors, strange
