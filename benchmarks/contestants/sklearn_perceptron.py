"""scikit-learn: TfidfVectorizer (1-2-grams, sublinear) and Perceptron."""

from benchmarks.contestants import _tfidf
from benchmarks.contestants._tfidf import load, predict, save

__all__ = ["TITLE", "fit", "load", "predict", "save"]
TITLE = "TfidfVectorizer + Perceptron"


def fit(train, stages):
    """Fit both."""
    from sklearn.linear_model import Perceptron

    return _tfidf.fit(Perceptron(random_state=0), train, stages)
