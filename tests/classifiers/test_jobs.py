"""Classifiers with ``n_jobs``: the same model and the same answers, whatever it is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import hardlimit as hl
from hardlimit.exceptions import InputError
from hardlimit.foundation import workers
from hardlimit.text import batches

RNG = np.random.default_rng(5)
WORDS = [f"w{k}" for k in range(60)]
LABELS = [int(k) for k in RNG.integers(0, 3, 240)]
TEXTS = [" ".join(RNG.choice(WORDS[20 * k : 20 * k + 30], 8)) for k in LABELS]
X = RNG.normal(size=(240, 5)) + np.array(LABELS)[:, None]

KINDS = {
    "texts": (hl.TextClassifier, TEXTS, {"probability": True}),
    "texts, one-vs-rest": (hl.TextClassifier, TEXTS, {"multiclass": "ovr", "hash_bits": 12}),
    "text columns": (
        hl.TextClassifier,
        [(text, text[::-1]) for text in TEXTS],
        {"text_columns": ("a", "b")},
    ),
    "numbers": (
        hl.LinearClassifier,
        X,
        {"probability": True, "max_iter": 20, "until": None, "readout": "averaged"},
    ),
    "kernel": (hl.KernelClassifier, X, {"probability": True, "max_iter": 5, "until": None}),
}


@pytest.fixture(autouse=True)
def every_text_is_worth_a_thread(monkeypatch):
    monkeypatch.setattr(batches, "LEAST_SHARE", 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_jobs", [2, 8])
def test_the_model_file_and_the_answers_are_the_same(kind, n_jobs, tmp_path):
    make, examples, settings = KINDS[kind]
    found = []
    for jobs in (None, n_jobs):
        classifier = make(**settings, n_jobs=jobs).fit(examples[:200], LABELS[:200])
        path = tmp_path / f"{jobs}.hardlimit"
        classifier.save(path)
        answers = [classifier.decision_function(examples).tobytes()]
        answers += [classifier.predict(examples).tobytes(), classifier.score(examples, LABELS)]
        if settings.get("probability"):
            answers.append(classifier.predict_proba(examples).tobytes())
        if kind != "kernel":
            classifier.partial_fit(examples[200:], LABELS[200:])
            classifier.save(tmp_path / "later.hardlimit")
            answers.append((tmp_path / "later.hardlimit").read_bytes())
        loaded = hl.load(path).set_params(n_jobs=jobs)
        found.append((path.read_bytes(), answers, loaded.decision_function(examples).tobytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_a_parameter_and_no_part_of_the_model(kind, tmp_path):
    make, examples, settings = KINDS[kind]
    classifier = make(**settings, n_jobs=3)
    assert clone(classifier).n_jobs == 3 and "n_jobs=3" in repr(classifier)
    classifier.fit(examples, LABELS).save(tmp_path / "m.hardlimit")
    assert hl.load(tmp_path / "m.hardlimit").n_jobs is None


@pytest.mark.parametrize("kind", KINDS)
def test_other_numbers(kind):
    make, examples, _ = KINDS[kind]
    with pytest.raises(InputError, match="n_jobs: got 0"):
        make(n_jobs=0).fit(examples, LABELS)


def test_a_classifier_gives_its_workers_to_what_it_calls(monkeypatch):
    heard = []
    count = workers.count_workers
    monkeypatch.setattr(
        "hardlimit.text.vectorizer.count_workers",
        lambda n_jobs: heard.append(count(n_jobs)) or count(n_jobs),
    )
    hl.TextClassifier(n_jobs=2).fit(TEXTS, LABELS).predict(TEXTS)
    assert set(heard) == {2}
    assert count(None) == 1
