import itertools

import numpy as np
import pytest

from benchmarks import certify_sets
from benchmarks.rows.certify import certify_problem


def test_drawn_sets_repeat_and_are_of_both_kinds():
    first, again = (
        [(s.X.tobytes(), s.y.tobytes()) for s in certify_sets.drawn_sets()] for _ in range(2)
    )
    assert first == again and len(first) == certify_sets.N_DRAWN
    problems = itertools.islice(certify_sets.drawn_sets(), 12)
    answers = [certify_problem(problem) for problem in problems]
    assert all(a.proved and not a.disagrees for a in answers)
    assert {a.verdict for a in answers} == {"separable", "not separable"}


def test_sets_that_are_not_there_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HARDLIMIT_DATA", str(tmp_path))
    skipped = []
    assert list(certify_sets.shared_sets(False, skipped)) == []
    assert len(skipped) == 13 and all("is not there" in reason for reason in skipped)


@pytest.mark.slow
def test_every_small_shared_set_has_a_proof(data_folder, monkeypatch):
    """All UCI tables and svmlight files of the first kind: up to 10,000 rows and 100 columns."""
    monkeypatch.setenv("HARDLIMIT_DATA", str(data_folder))
    seen = 0
    for problem in certify_sets.shared_sets(False, []):
        if problem.is_small and not problem.name.startswith("letter"):
            answer = certify_problem(problem)
            assert answer.proved, problem.name
            assert answer.verdict == "not separable" or answer.gap <= 0.01, problem.name
            seen += 1
    assert seen == 19


def test_classes_are_held_against_the_rest(tmp_path, monkeypatch):
    folder = tmp_path / "libsvm"
    folder.mkdir()
    rows = "".join(f"{label} 1:{label}\n" for label in range(60))
    (folder / "many").write_text(rows)
    monkeypatch.setenv("HARDLIMIT_DATA", str(tmp_path))
    skipped = []
    sets = list(certify_sets.shared_sets(False, skipped))
    assert [s.name for s in sets] == [f"many, {label}" for label in range(0, 60, 3)]
    assert all(np.flatnonzero(s.y == 1).tolist() == [3 * k] for k, s in enumerate(sets))
    assert "many: 20 of its 60 classes, evenly spaced" in skipped
