"""Learners of the benchmark of single updates."""

from __future__ import annotations

import pytest

from benchmarks import one_by_one
from benchmarks.corpora import Corpus, Missing


@pytest.mark.parametrize("kind", one_by_one.LEARNERS)
def test_every_learner_learns_one_example_at_a_time(kind, monkeypatch):
    texts = [f"{('see you soon', 'free prize now')[i % 2]} {i % 7}" for i in range(1200)]
    corpus = Corpus("toy", texts, ["ham", "spam"] * 600)
    monkeypatch.setattr(one_by_one, "load", lambda name: corpus)
    monkeypatch.setattr(one_by_one, "HELD_OUT", 50)
    least = {"texts": 1.0, "rows": 0.5}[kind]
    measured = 0
    for name in one_by_one.LEARNERS[kind]:
        try:
            result = one_by_one.measure(kind, name, 60)
        except Missing:
            continue
        measured += 1
        assert result["accuracy"] >= least, name
        assert result["update"] > 0 < result["predict"]
    assert measured >= 4
