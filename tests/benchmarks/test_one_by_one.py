"""Learners of the benchmark of single updates."""

from __future__ import annotations

import pytest

from benchmarks import one_by_one
from benchmarks.corpora import Corpus, Missing

# The others are imported and fed row by row for seconds; what is tested is the benchmark.
LEARNERS = [
    pytest.param(kind, name, marks=() if name.startswith("hardlimit") else pytest.mark.slow)
    for kind, learners in one_by_one.LEARNERS.items()
    for name in learners
]


@pytest.mark.parametrize(("kind", "name"), LEARNERS)
def test_every_learner_learns_one_example_at_a_time(kind, name, monkeypatch):
    texts = [f"{('see you soon', 'free prize now')[i % 2]} {i % 7}" for i in range(1200)]
    corpus = Corpus("toy", texts, ["ham", "spam"] * 600)
    monkeypatch.setattr(one_by_one, "load", lambda name: corpus)
    monkeypatch.setattr(one_by_one, "HELD_OUT", 50)
    try:
        result = one_by_one.measure(kind, name, 60)
    except Missing as missing:
        pytest.skip(str(missing))
    assert result["accuracy"] >= {"texts": 1.0, "rows": 0.5}[kind]
    assert result["update"] > 0 < result["predict"]
