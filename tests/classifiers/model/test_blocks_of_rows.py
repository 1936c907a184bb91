"""Scores of many rows by many classes are never made all at once, where labels or counts do."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, load
from hardlimit.classifiers.model import answers
from hardlimit.estimators import PassiveAggressiveClassifier

# A process of its own: what others took before it does not count.
PEAK = """
import sys
import threading
import numpy as np
from hardlimit import LinearClassifier

class Rows:  # one value a row
    def __init__(self, n, columns):
        self.indptr, self.indices = np.arange(n + 1), np.arange(n, dtype=np.int32) % columns
        self.data, self.shape = np.ones(n, np.float32), (n, columns)

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

X = Rows(40_000, 500)
y = X.indices[: 40_000] % 500
small = LinearClassifier(max_iter=1, readout="last").fit(Rows(500, 500), np.arange(500))
before = peak()
model = LinearClassifier(max_iter=1, readout="last").fit(X, y)
model.predict(X)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer keeps what was freed")
def test_training_and_predicting_take_no_memory_for_rows_times_classes():
    """The scores of all rows would take 160 MB, twice."""
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 80


DRAWN = np.random.default_rng(5)
X = DRAWN.standard_normal((300, 6))
Y = DRAWN.integers(0, 5, 300)
WEIGHTS = np.where(np.arange(300) % 7 == 0, 0.0, 1.0)
TEXTS = [" ".join(DRAWN.choice(list("abcdefgh"), 5)) for _ in range(120)]


def facts(model, X):
    """What comes of the scores of all rows."""
    fitted = model.fitted
    return model.n_training_errors_, fitted.facts and fitted.facts.least, model.predict(X).tolist()


CASES = {
    "coupled": lambda: LinearClassifier(max_iter=3, until=None).fit(X, Y),
    "one-vs-rest": lambda: LinearClassifier(max_iter=3, until=None, multiclass="ovr").fit(X, Y),
    "absent": lambda: LinearClassifier(max_iter=3, until=None).fit(X, Y, WEIGHTS),
    "two classes": lambda: LinearClassifier(max_iter=3, until=None).fit(X, Y > 2),
    "labels": lambda: LinearClassifier(max_iter=3, until=None).fit(X, np.c_[Y > 2, Y < 2]),
    "votes": lambda: LinearClassifier(max_iter=3, until=None, readout="voted", keep="all").fit(
        X, Y
    ),
    "scaled": lambda: LinearClassifier(max_iter=3, until=None, scale="standard").fit(X, Y),
    "kernel": lambda: KernelClassifier(max_iter=3, until=None).fit(X, Y),
    "stream": lambda: LinearClassifier().partial_fit(X, Y),
}


@pytest.mark.parametrize("case", CASES)
def test_blocks_give_what_all_rows_at_once_give(case, monkeypatch):
    whole = facts(CASES[case](), X)
    monkeypatch.setattr(answers, "SCORE_BYTES", 1)
    monkeypatch.setattr(answers.KernelAnswer, "block_length", 16, raising=False)
    assert facts(CASES[case](), X) == whole


@pytest.mark.parametrize("as_it_is", ["fresh", "loaded", "stream"])
def test_blocks_of_texts(as_it_is, monkeypatch, tmp_path):
    model = TextClassifier(max_iter=2).fit(TEXTS, Y[:120])
    if as_it_is == "loaded":
        model.save(tmp_path / "m")
        model = load(tmp_path / "m")
    if as_it_is == "stream":
        model.partial_fit(TEXTS[:9], Y[:9])
    whole = model.predict(TEXTS).tolist()
    monkeypatch.setattr(answers, "SCORE_BYTES", 1)
    assert model.predict(TEXTS).tolist() == whole
    assert model.predict([]).tolist() == []


def test_early_stopping_looks_at_blocks(monkeypatch):
    settings = {"max_iter": 20, "early_stopping": True, "random_state": 1}
    whole = PassiveAggressiveClassifier(**settings).fit(X, Y)
    loss = PassiveAggressiveClassifier(max_iter=20, tol=1e-2).fit(X, Y)
    monkeypatch.setattr(answers, "SCORE_BYTES", 1)
    again = PassiveAggressiveClassifier(**settings).fit(X, Y)
    assert again.n_iter_ == whole.n_iter_ and (again.coef_ == whole.coef_).all()
    again = PassiveAggressiveClassifier(max_iter=20, tol=1e-2).fit(X, Y)
    assert again.n_iter_ == loss.n_iter_


def test_the_row_that_is_refused_has_its_number_among_all(monkeypatch):
    model = CASES["coupled"]()
    monkeypatch.setattr(answers, "SCORE_BYTES", 1)
    bad = X.copy()
    bad[200, 3] = np.nan
    with pytest.raises(ValueError, match="row 200, column 3"):
        model.predict(bad)


def test_nobody_learns_between_two_blocks(monkeypatch):
    """All answers of one call are of one step of the stream, however many blocks it takes."""
    model = LinearClassifier().partial_fit(X, Y)
    before = model.predict(X).tolist()
    monkeypatch.setattr(answers, "SCORE_BYTES", 1)
    learning = threading.Thread(target=model.partial_fit, args=(X[:50] * 9, Y[:50][::-1]))
    scores, waited = answers.LiveWeights.scores, []

    def with_a_learner_in_between(self, rows):
        found = scores(self, rows)
        if not waited:
            learning.start()
            learning.join(0.3)
            waited.append(learning.is_alive())
        return found

    monkeypatch.setattr(answers.LiveWeights, "scores", with_a_learner_in_between)
    assert model.predict(X).tolist() == before and waited == [True]
    learning.join(10)
    assert model.predict(X).tolist() != before
