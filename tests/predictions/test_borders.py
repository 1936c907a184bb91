"""What lies on a border: a probability that is just high enough, a score that is the threshold."""

import numpy as np
import pytest

from hardlimit import TextClassifier
from hardlimit.predictions import answerers
from hardlimit.predictions.label_measuring import LabelCounting, report_of_labels
from hardlimit.predictions.measuring import Counting

TEXTS = ["win a prize", "lunch at noon", "a cash prize", "see you at lunch"] * 3
LABELS = ["spam", "ham", "spam", "ham"] * 3
SETS = [{"spam"}, {"ham"}, {"spam", "ham"}, {"ham"}] * 3
NEW = ["a prize at noon", "see the cash", "nothing of it", "lunch", "win win win"]


@pytest.fixture
def answerer_of(tmp_path):
    def open_answerer(labels, **after):
        clf = TextClassifier(probability=True).fit(TEXTS, labels)
        for name, value in after.items():
            setattr(clf, name, value)
        clf.save(tmp_path / "model")
        return clf, answerers.open_answerer(str(tmp_path / "model"))

    return open_answerer


def test_a_probability_that_is_the_least_is_sure(answerer_of):
    _, answerer = answerer_of(LABELS)
    answers = answerer.answers(NEW)
    likely = [max(p) for p in answerers.probabilities(answerer, answers)]
    for least in likely:
        counting = Counting(answerer, least)
        counting.take(answers, ["spam"] * len(NEW))
        assert counting.tally.sure == sum(p >= least for p in likely)
    assert Counting(answerer, np.nextafter(max(likely), 2)).tally.sure == 0


def test_a_label_whose_probability_is_the_least_is_given(answerer_of):
    _, answerer = answerer_of(SETS)
    answers = answerer.answers(NEW)
    found = answerers.probabilities(answerer, answers)
    for place, row in enumerate(found):
        least = max(row)
        counting = LabelCounting(answerer, least)
        counting.take(answers[place : place + 1], [{answerer.classes[row.index(least)]}])
        assert report_of_labels(answerer, counting.tally, least).likely.exact_match == 1.0


def test_a_score_that_is_the_threshold_is_no_label(answerer_of):
    clf, _ = answerer_of(SETS)
    score = float(clf.decision_function(NEW).max())
    clf, answerer = answerer_of(SETS, threshold_=score)
    (chosen,) = np.argwhere(clf.decision_function(NEW) == score)
    assert clf.predict(NEW)[chosen[0]] == answerer.answers(NEW)[chosen[0]].label == ()
    clf, answerer = answerer_of(SETS, threshold_=float(np.nextafter(score, -np.inf)))
    label = (clf.classes_[chosen[1]],)
    assert clf.predict(NEW)[chosen[0]] == answerer.answers(NEW)[chosen[0]].label == label
