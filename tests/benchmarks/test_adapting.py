"""The row on adapting: who is told what, and what is compared."""

import numpy as np
import pytest

import hardlimit as hl
from benchmarks.harness import Figure, Grid
from benchmarks.rows import adapting as row

SPAM, HAM = ["win a prize", "cheap pills now"] * 3, ["lunch at noon", "the report"] * 3


@pytest.fixture
def task():
    before = row.Mails(SPAM + HAM, [True] * 6 + [False] * 6)
    after = row.Mails(["win lunch", "the pills", "?!", "cheap report"], [True, False, True, True])
    clf = hl.TextClassifier(**row.FEATURES).fit(before.texts, before.spam)
    rows = [clf.vectorizer_.transform(mails.texts) for mails in (before, after)]
    return row.Task(before, after, *rows)


def test_only_a_mistake_is_told_and_all_mistakes_are_counted(task):
    told = []
    learner = row.Learner(lambda place: place > 1, lambda place, spam: told.append((place, spam)))
    assert row.follow(learner, task) == [1, 1, 1, 1]
    assert told == [(0, True)]


@pytest.mark.parametrize("how", row.OURS.values())
def test_ours_is_corrected_and_mails_without_a_word_are_left_out(task, tmp_path, how):
    path = str(tmp_path / "model")
    labels = ["spam" if spam else "ham" for spam in task.before.spam]
    hl.TextClassifier(**row.FEATURES).fit(task.before.texts, labels).save(path)
    learner = row.ours(path, task, *how)
    row.follow(learner, task)
    answers = [learner.decide(place) for place in (0, 1, 3)]
    assert answers.count(True) >= 1
    learner.learn(1, True)
    assert learner.decide(1)


def test_all_that_is_told_is_counted(task, tmp_path):
    path = str(tmp_path / "model")
    labels = ["spam" if spam else "ham" for spam in task.before.spam]
    clf = hl.TextClassifier(**row.FEATURES, probability=True).fit(task.before.texts, labels)
    clf.save(path)
    for name, shares in row.TOLD.items():
        line = row.tell(path, task, name, shares)
        assert len(line) == len(row.CONFIDENCE_HEAD) and line[0] == name
        assert float(line[1]) in (0.0, 25.0, 50.0, 75.0, 100.0)
        assert all(50 <= float(p) <= 100 for p in line[2:])


def test_the_decision_of_the_others_is_that_of_their_own_function(task):
    pytest.importorskip("sklearn")
    for name, make in row.scikit_learn().items():
        if "NB" in name:
            continue
        from warnings import catch_warnings, simplefilter

        with catch_warnings():
            simplefilter("ignore")
            learner = make(task)
        model = learner.learn.__closure__
        [fitted] = [cell.cell_contents for cell in model if hasattr(cell.cell_contents, "coef_")]
        expected = np.asarray(fitted.decision_function(task.asked)) > 0
        assert [learner.decide(place) for place in range(4)] == expected.tolist()


def test_the_best_of_the_others_is_compared():
    courses = {name: [1, 2, 3] * 5 for name in row.OURS}
    courses |= {row.NEVER: [9] * 15, "a": [1] * 14 + [6], "b": [1] * 14 + [4]}
    *figures, grid = row.compare(courses)
    assert all(isinstance(one, Figure) for one in figures) and isinstance(grid, Grid)
    assert {one.measured for one in figures} == {3 / 4}
    assert [one.target for one in figures].count(1.0) == 1
    assert figures[0].theirs == "b 4" and len(grid.lines) == 6
