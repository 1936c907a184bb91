"""Groups of neurons that several threads learn are the neurons of one, to the last bit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import hardlimit as hl
from hardlimit import guards, readouts, rules, schedules
from hardlimit.classifiers.fitting import parallel_one_vs_rest
from hardlimit.classifiers.model.compatibility import Combination, learns_apart
from hardlimit.exceptions import HardlimitError, InputError

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 5, 160)
X = np.abs(RNG.normal(size=(160, 6)) + 1.5 * np.eye(5, 6)[Y]) * (RNG.random((160, 6)) < 0.8)
WEIGHTS = RNG.integers(0, 3, 160).astype(float)
SETS = [{label for label in range(4) if row[label] > 1} for row in X]
TEXTS = [" ".join(f"w{int(10 * value)}" for value in row) for row in X]
APART = [
    name
    for name in rules.names()
    if learns_apart(Combination(rules.get(name), multiclass="ovr"), readouts.STREAMED)
]


class OwnSchedule(schedules.Schedule):
    def eta(self, step):
        return 1 / step

    def verdict(self):
        return schedules.Power(1).verdict()


@pytest.fixture(autouse=True)
def all_work_is_worth_a_thread(monkeypatch):
    for name in ("LEAST_SHARE", "LEAST_NEURONS", "LEAST_PASSES"):
        monkeypatch.setattr(parallel_one_vs_rest, name, 1)
    monkeypatch.setattr(parallel_one_vs_rest, "STRETCH", 4000)
    warnings.simplefilter("ignore")


def learnt(tmp_path, n_jobs, settings, *given, make=hl.LinearClassifier, **more):
    """Bytes of the model file, what was told, and bytes of the file after a stream."""
    classifier = make(**{"multiclass": "ovr", "max_iter": 7} | settings, n_jobs=n_jobs)
    classifier.fit(*given, **more)
    classifier.save(path := tmp_path / "m.hardlimit")
    history = [(r.epoch, r.mistakes, r.corrections, r.visited) for r in classifier.history_]
    told = path.read_bytes(), history, classifier.stop_reason_, classifier.n_training_errors_
    if classifier.guard is None:  # a stream knows no example again
        classifier.partial_fit(*(one[::-1] for one in given[:2]))
        classifier.save(path)
    return told, path.read_bytes()


def assert_alike(tmp_path, settings, *given, jobs=(2, 3, 8), shared=True, **more):
    counted: list[int] = []
    fit_in_groups = parallel_one_vs_rest.fit_in_groups

    def counts(*what: Any) -> None:
        counted.append(what[-1])
        fit_in_groups(*what)

    one = learnt(tmp_path, 1, settings, *given, **more)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hardlimit.classifiers.fitting.fit.fit_in_groups", counts)
        for n_jobs in jobs:
            assert learnt(tmp_path, n_jobs, settings, *given, **more) == one
    assert bool(counted) is shared


@pytest.mark.parametrize("readout", readouts.STREAMED)
@pytest.mark.parametrize("rule", APART)
def test_every_rule_that_learns_apart(rule, readout, tmp_path):
    settings = {"rule": rule, "readout": readout, "keep": (readout,)}
    if rule != "adatron":  # its counts are those of a fit
        assert_alike(tmp_path, settings | {"until": None}, X, Y)
    try:
        hl.LinearClassifier(**settings).fit(X, Y, WEIGHTS)
    except InputError:
        return  # a rule without weights
    assert_alike(tmp_path, settings | {"class_weight": "balanced"}, X, Y, WEIGHTS, jobs=(2,))


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "blocks", "stream", "random"])
@pytest.mark.parametrize("until", ["separated", "margin", None])
def test_orders_and_aims(order, until, tmp_path):
    """Some neurons rest earlier than others."""
    easy = X + 40 * np.eye(5, 6)[Y] * (Y != 1)[:, None]
    settings = {"rule": "margin-perceptron", "order": order, "until": until, "max_iter": 40}
    assert_alike(tmp_path, settings, csr_matrix(easy), Y, WEIGHTS)


@pytest.mark.parametrize(
    "settings",
    [
        {"guard": guards.AlphaBound(2)},
        {"rule": rules.AROW(), "scale": "standard"},
        {"rule": "winnow-2"},
        {"schedule": schedules.Power(0.5)},
        {"map": "polynomial"},
        {"averaging": "ciml"},
        {"fit_intercept": False},
    ],
    ids=str,
)
def test_choices(settings, tmp_path):
    assert_alike(tmp_path, settings, X, Y)


def test_weights_at_the_start(tmp_path):
    start = RNG.normal(size=(5, 7))
    assert_alike(tmp_path, {"averaging": "post"}, X, Y, initial_weights=start)


@pytest.mark.parametrize("labels", [SETS, X[:, :4] > 1], ids=["sets", "matrix"])
def test_several_labels(labels, tmp_path):
    assert_alike(tmp_path, {"multiclass": "coupled"}, X, labels, WEIGHTS)
    assert_alike(tmp_path, {"multiclass": "coupled"}, TEXTS, labels, make=hl.TextClassifier)


def test_texts(tmp_path):
    assert_alike(tmp_path, {"probability": True}, TEXTS, list(Y), make=hl.TextClassifier)


def test_examples_are_counted(tmp_path):
    found = []
    for n_jobs in (1, 3):
        classifier = hl.LinearClassifier(multiclass="ovr", max_iter=5, n_jobs=n_jobs)
        classifier.fit(X, Y, count_examples=True)
        found.append((classifier.n_i_.tobytes(), classifier.alpha_i_.tobytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "settings",
    [
        {"multiclass": "coupled"},
        {"order": "batch"},
        {"keep": "all"},
        {"rule": "balanced-winnow", "readout": "last"},
        {"schedule": OwnSchedule()},
    ],
    ids=lambda settings: str(next(iter(settings))),
)
def test_what_is_not_shared_out(settings):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hardlimit.classifiers.fitting.fit.fit_in_groups", None)
        hl.LinearClassifier(**{"multiclass": "ovr", "max_iter": 3} | settings, n_jobs=2).fit(X, Y)


def test_little_work_has_one_thread(monkeypatch):
    monkeypatch.setattr(parallel_one_vs_rest, "LEAST_SHARE", 1 << 23)
    monkeypatch.setattr("hardlimit.classifiers.fitting.fit.fit_in_groups", None)
    hl.LinearClassifier(multiclass="ovr", max_iter=7, n_jobs=2).fit(X, Y)


def test_weights_that_fit_into_memory_but_once_have_one_thread(monkeypatch):
    require = parallel_one_vs_rest.require_memory
    seen = []

    def twice_is_too_much(columns, outputs, averaged, **more):
        seen.append(outputs)
        require(1 << 50, outputs, averaged, **more)

    monkeypatch.setattr(parallel_one_vs_rest, "require_memory", twice_is_too_much)
    monkeypatch.setattr("hardlimit.classifiers.fitting.fit.fit_in_groups", None)
    hl.LinearClassifier(multiclass="ovr", max_iter=3, n_jobs=2).fit(X, Y)
    assert seen == [10]


def test_an_interruption_keeps_what_all_neurons_have_learnt(monkeypatch):
    """As of one thread: the examples of the stretches that were shown."""
    report, seen = parallel_one_vs_rest.progress.report, []

    def interrupts(what: str, *numbers: Any) -> None:
        report(what, *numbers)
        seen.append(what)
        if seen.count("learning") == 3:
            seen.clear()
            raise KeyboardInterrupt

    monkeypatch.setattr(parallel_one_vs_rest.progress, "report", interrupts)
    classifier = hl.LinearClassifier(multiclass="ovr", order="cyclic", n_jobs=3, max_iter=9)
    with pytest.raises(KeyboardInterrupt):
        classifier.fit(X, Y)
    shown = classifier.fitted.state.state.presentations
    assert 0 < shown < len(X)
    by_one = hl.LinearClassifier(multiclass="ovr").partial_fit(
        X[:shown], Y[:shown], classes=range(5)
    )
    assert np.array_equal(
        classifier.fitted.state.state.array("w"), by_one.fitted.state.state.array("w")
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, HardlimitError])
def test_a_group_that_fails_leaves_the_model_as_it_was(error, monkeypatch):
    classifier = hl.LinearClassifier(multiclass="ovr", max_iter=3, n_jobs=2).fit(X, Y)
    before, make = classifier.coef_, parallel_one_vs_rest._make_group

    class Failing:
        def __init__(self, state):
            self._state = state

        def present(self, *_):
            raise error("broken")

        def __getattr__(self, name):
            return getattr(self._state, name)

    def fails(*given):
        group = make(*given)
        return group._replace(state=Failing(group.state)) if group.begin else group

    monkeypatch.setattr(parallel_one_vs_rest, "_make_group", fails)
    with pytest.raises(error):
        classifier.fit(X[::2], Y[::2])
    assert np.array_equal(classifier.coef_, before)
