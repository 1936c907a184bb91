"""scikit-learn: TfidfVectorizer (1-2-grams, sublinear) and LinearSVC."""

from benchmarks.contestants import _tfidf
from benchmarks.contestants._tfidf import load, predict, save

__all__ = ["TITLE", "fit", "load", "predict", "save"]
TITLE = "TfidfVectorizer + LinearSVC"


def fit(train, stages):
    """Fit both."""
    from sklearn.svm import LinearSVC

    return _tfidf.fit(LinearSVC(), train, stages)
