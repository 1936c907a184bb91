"""Fitted models in use: their sizes, and the turns that they take."""

from __future__ import annotations

import io
import json

from benchmarks import in_use
from benchmarks.corpora import Corpus


def test_a_contestant_tells_its_sizes_and_then_predicts_as_often_as_asked(monkeypatch, capsys):
    texts = [f"{('see you soon', 'free prize now')[i % 2]} {i}" for i in range(40)]
    corpus = Corpus("toy", texts, ["ham", "spam"] * 20)
    monkeypatch.setattr(in_use, "load", lambda name: corpus)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    in_use.serve("hardlimit_default", "toy")
    facts, *seconds = map(json.loads, capsys.readouterr().out.splitlines())
    assert facts["texts"] == 8 and facts["save_to_go_on"] > facts["save"] > 0
    assert len(seconds) == 2 and min(seconds) > 0
