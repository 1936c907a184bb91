"""Without scikit-learn in its code, at home in its tools."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hardlimit import LinearClassifier, TextClassifier, TextVectorizer, rules

from ..rounding import SINGLE, near

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"] * 6
LABELS = ["spam", "ham", "spam", "ham"] * 6


def test_clone_pipeline_and_search():
    X, y = load_iris(return_X_y=True)
    clf = LinearClassifier(rules.PassiveAggressive(C=0.5), max_iter=20)
    copy = clone(clf)
    assert copy.get_params()["rule__C"] == 0.5
    assert copy.rule is not clf.rule
    pipeline = make_pipeline(StandardScaler(), clf)
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    grid = {"linearclassifier__rule__C": [0.01, 1.0], "linearclassifier__max_iter": [5, 20]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    rule_grid = {"rule": [rules.Perceptron(), rules.MarginPerceptron(1.0), "passive-aggressive"]}
    assert GridSearchCV(clf, rule_grid, cv=3).fit(X, y).best_score_ > 0.8


@pytest.mark.parametrize("clf", [LinearClassifier("passive-aggressive"), TextClassifier()])
def test_a_rule_given_by_name_can_be_searched_inside(clf):
    assert clf.get_params()["rule__C"] == 1.0
    assert clf.set_params(rule__C=0.25).rule == rules.PassiveAggressive(C=0.25)
    grid = GridSearchCV(TextClassifier(), {"rule__C": [0.1, 1.0]}, cv=3)
    assert grid.fit(TEXTS, LABELS).best_score_ == 1.0


def test_texts_in_the_same_tools():
    clf = TextClassifier()
    assert clone(clf).get_params() == clf.get_params()
    assert cross_val_score(clf, TEXTS, LABELS, cv=3).mean() == 1.0
    grid = {"rule": ["perceptron", "passive-aggressive"], "words": [(1, 1), (1, 2)]}
    assert GridSearchCV(clf, grid, cv=3).fit(TEXTS, LABELS).best_score_ == 1.0


@pytest.mark.parametrize("labels", [LABELS, ["a", "b", "c", "d"] * 6])
def test_the_pipeline_learns_the_same_weights(labels):
    text = TextClassifier(words=(1, 2), chars=None).fit(TEXTS, labels)
    linear = LinearClassifier("passive-aggressive", until=None, max_iter=5, bias_feature=0.1)
    pipeline = make_pipeline(TextVectorizer(words=(1, 2)), linear).fit(TEXTS, labels)
    assert np.array_equal(linear.coef_.astype(np.float32), text.coef_)
    assert pipeline.predict(TEXTS).tolist() == text.predict(TEXTS).tolist()
    scores = text.decision_function(TEXTS)
    assert pipeline.decision_function(TEXTS) == near(scores, 10, unit=SINGLE)


def test_scikit_learns_default_perceptron_leaves_separable_digits_unseparated_and_ours_does_not():
    X, y = load_digits(return_X_y=True)
    clf = LinearClassifier("perceptron", readout="last").fit(X, y)
    assert clf.stop_reason_ == "separated"
    assert clf.score(X, y) == 1.0
