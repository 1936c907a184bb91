"""Text made without end, and what is foreseen of learners that would take too much."""

from __future__ import annotations

import doctest
import sys

import pytest

from benchmarks import generated_texts, whole_process
from benchmarks.corpora import Corpus
from benchmarks.rows import growth


@pytest.fixture
def sets(monkeypatch):
    texts = [" ".join(f"{'good bad'.split()[i % 2]}{k % 9}" for k in range(120)) for i in range(60)]
    corpus = Corpus("toy", texts, ["pos", "neg"] * 30)
    monkeypatch.setattr(generated_texts, "load", lambda name: corpus)


def test_files_have_one_size_and_their_own_documents(sets, tmp_path):
    assert not doctest.testmod(generated_texts).failed
    paths = generated_texts.write(tmp_path, 2, 100_000)
    assert all(100_000 <= path.stat().st_size < 103_000 for path in paths)
    rows = list(generated_texts.read(map(str, paths)))
    assert {label for label, _ in rows} == {"neg", "pos"}
    assert len({text for _, text in rows}) == len(rows)
    (tmp_path / "again").mkdir()
    again = generated_texts.write(tmp_path / "again", 1, 100_000)
    assert again[0].read_bytes() == paths[0].read_bytes()


def test_what_would_take_too_much_is_projected(monkeypatch):
    monkeypatch.setattr(growth, "free_memory", lambda: 5e9)
    linear = {1.0: growth.Run(25, 1.2e9, {}), 2.0: growth.Run(50, 2.2e9, {})}
    assert growth.foresee(linear, 4.0) is None
    too_much = growth.foresee(linear, 8.0)
    assert too_much.seconds == 200 and too_much.peak == 8.2e9
    assert "8 GB of memory" in str(too_much)
    slow = {1.0: growth.Run(1000, 1e8, {}), 2.0: growth.Run(2000, 1e8, {})}
    assert "67 minutes" in str(growth.foresee(slow, 4.0))
    slow[4.0] = growth.foresee(slow, 4.0)  # what was projected is no ground for more
    assert growth.foresee(slow, 8.0).seconds == 8000


def test_seconds_and_memory_of_a_process_are_its_own():
    held = bytearray(b"1") * 100_000_000
    done = whole_process.run([sys.executable, "-c", "import sys; print(7); sys.exit(5)"])
    assert (done.status, done.out) == (5, "7\n") and done.seconds > 0
    assert done.peak < len(held)
