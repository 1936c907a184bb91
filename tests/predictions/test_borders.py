"""What lies on a border: a probability that is just high enough, a score that is the threshold."""

import numpy as np
import pytest

from hardlimit import TextClassifier
from hardlimit.predictions import judges
from hardlimit.predictions.label_measuring import LabelCounting, report_of_labels
from hardlimit.predictions.measuring import Counting

TEXTS = ["win a prize", "lunch at noon", "a cash prize", "see you at lunch"] * 3
LABELS = ["spam", "ham", "spam", "ham"] * 3
SETS = [{"spam"}, {"ham"}, {"spam", "ham"}, {"ham"}] * 3
NEW = ["a prize at noon", "see the cash", "nothing of it", "lunch", "win win win"]


@pytest.fixture
def judge_of(tmp_path):
    def open_judge(labels, **after):
        clf = TextClassifier(probability=True).fit(TEXTS, labels)
        for name, value in after.items():
            setattr(clf, name, value)
        clf.save(tmp_path / "model")
        return clf, judges.open_judge(str(tmp_path / "model"))

    return open_judge


def test_a_probability_that_is_the_least_is_sure(judge_of):
    _, judge = judge_of(LABELS)
    answers = judge.answers(NEW)
    likely = [max(p) for p in judges.probabilities(judge, answers)]
    for least in likely:
        counting = Counting(judge, least)
        counting.take(answers, ["spam"] * len(NEW))
        assert counting.tally.sure == sum(p >= least for p in likely)
    assert Counting(judge, np.nextafter(max(likely), 2)).tally.sure == 0


def test_a_label_whose_probability_is_the_least_is_given(judge_of):
    _, judge = judge_of(SETS)
    answers = judge.answers(NEW)
    found = judges.probabilities(judge, answers)
    for place, row in enumerate(found):
        least = max(row)
        counting = LabelCounting(judge, least)
        counting.take(answers[place : place + 1], [{judge.classes[row.index(least)]}])
        assert report_of_labels(judge, counting.tally, least).likely.exact_match == 1.0


def test_a_score_that_is_the_threshold_is_no_label(judge_of):
    clf, _ = judge_of(SETS)
    score = float(clf.decision_function(NEW).max())
    clf, judge = judge_of(SETS, threshold_=score)
    (chosen,) = np.argwhere(clf.decision_function(NEW) == score)
    assert clf.predict(NEW)[chosen[0]] == judge.answers(NEW)[chosen[0]].label == ()
    clf, judge = judge_of(SETS, threshold_=float(np.nextafter(score, -np.inf)))
    label = (clf.classes_[chosen[1]],)
    assert clf.predict(NEW)[chosen[0]] == judge.answers(NEW)[chosen[0]].label == label
