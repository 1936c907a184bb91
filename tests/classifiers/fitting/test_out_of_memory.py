"""Where memory ends amid learning: a fit changes nothing, a stream says what was learnt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.classifiers.fitting import parallel_one_vs_rest, training
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import MemoryEstimateError

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 2.0]])
Y = [0, 1, 1, 0]
TEXTS = ["a b", "c d", "c e", "a f"]
# Parts of the one frame of all fits, and what has them.
PARTS: dict[str, Any] = {"count_errors": training, "freeze": training, "fit": Training}


def run_out(*_: Any, **__: Any) -> Any:
    raise MemoryError


@pytest.mark.parametrize(
    ("cls", "rows"),
    [(hl.LinearClassifier, X), (hl.TextClassifier, TEXTS), (hl.KernelClassifier, X)],
)
def test_a_fit_changes_nothing(cls, rows, monkeypatch, tmp_path):
    model = cls().fit(rows, Y)
    model.save(tmp_path / "before")
    for name, owner in PARTS.items():
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, run_out)
            with pytest.raises(MemoryError):
                model.fit(rows, [1, 0, 0, 1])
    model.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("given", [{"early_stopping": True}, {"n_jobs": 2}])
def test_other_ways_to_fit_change_nothing_either(name, given, monkeypatch):
    pytest.importorskip("sklearn")
    from hardlimit.estimators import PassiveAggressiveClassifier

    rows, labels = np.tile(X, (9, 1)), np.tile([0, 1, 2, 0], 9)
    clf = PassiveAggressiveClassifier(**given).fit(rows, labels)
    model, coef = clf.model_, clf.coef_.copy()
    for least in ("LEAST_SHARE", "LEAST_NEURONS", "LEAST_PASSES"):
        monkeypatch.setattr(parallel_one_vs_rest, least, 1)
    if name == "fit":
        monkeypatch.setattr(parallel_one_vs_rest, "learn", run_out)
    monkeypatch.setattr(PARTS[name], name, run_out)
    with pytest.raises(MemoryError):
        clf.fit(rows, np.tile([1, 0, 2, 1], 9))
    assert clf.model_ is model and (clf.coef_ == coef).all()


@pytest.mark.parametrize(
    ("cls", "rows"),
    [(hl.LinearClassifier, X), (hl.TextClassifier, TEXTS), (hl.KernelClassifier, X)],
)
def test_a_stream_says_what_was_learnt(cls, rows, monkeypatch):
    model = cls().fit(rows, Y)
    present = type(model.fitted.state)._present
    calls = []

    def second_fails(self, *given):
        calls.append(given)
        return present(self, *given) if len(calls) == 1 else run_out()

    monkeypatch.setattr(type(model.fitted.state), "_present", second_fails)
    with pytest.raises(MemoryEstimateError, match="has learnt 3 of 4 examples"):
        model.partial_fit(rows, [0, 1, 1, 9])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_class_without_room_for_its_weights_is_not_known(n_classes, monkeypatch):
    model = hl.LinearClassifier().fit(X, [0, 1, 2 if n_classes == 3 else 1, 0])
    before = model.coef_.copy()
    state = model.fitted.state

    class NoRoom:
        def __getattr__(self, name):
            return run_out if name == "rearrange_outputs" else getattr(native, name)

    native = state.state
    monkeypatch.setattr(state, "state", NoRoom())
    with pytest.raises(MemoryEstimateError, match="has learnt 0 of 1 example"):
        model.partial_fit(X[:1], [9])
    monkeypatch.setattr(state, "state", native)
    assert list(model.classes_) == list(range(n_classes)) and (model.coef_ == before).all()
    assert len(model.partial_fit(X[:1], [9]).classes_) == n_classes + 1
