"""scikit-learn: TfidfVectorizer (1-2-grams, sublinear) and SGDClassifier(average)."""

from benchmarks.contestants import _tfidf
from benchmarks.contestants._tfidf import load, predict, save

__all__ = ["TITLE", "fit", "load", "predict", "save"]
TITLE = "TfidfVectorizer + SGDClassifier(average)"


def fit(train, stages):
    """Fit both."""
    from sklearn.linear_model import SGDClassifier

    return _tfidf.fit(SGDClassifier(average=True, random_state=0), train, stages)
