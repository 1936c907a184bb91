"""Comparisons with all texts: one line a set, differences beside the first setting."""

from __future__ import annotations

from benchmarks import full_size


def test_settings_are_compared_on_the_same_splits(monkeypatch):
    drawn = []

    def draw(name, seed, most):
        drawn.append((name, seed))
        return name, seed

    monkeypatch.setattr(full_size, "draw_split", draw)
    found = full_size.lines(["sms", "sms~"], None, lambda train, seed: {"a": 0.5, "b": 0.5 + seed})
    assert list(found) == [
        ["sms", "3", "0.5000", "+1.0000 ± 0.5774"],
        ["sms~", "2", "0.5000", "+0.5000 ± 0.5000"],
    ]
    assert drawn == [("sms", 0), ("sms", 1), ("sms", 2), ("sms~", 0), ("sms~", 1)]
