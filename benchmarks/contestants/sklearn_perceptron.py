"""scikit-learn: TfidfVectorizer (1-2-grams, sublinear) and Perceptron."""

from benchmarks.contestants import _tfidf, need

TITLE = "TfidfVectorizer + Perceptron"


def load():
    """Import the pieces."""
    need("sklearn.linear_model")
    need("sklearn.svm")
    need("sklearn.feature_extraction.text")


def run(train, test, stages):
    """Go from raw texts to predicted labels."""
    from sklearn.linear_model import Perceptron

    return _tfidf.run(Perceptron(random_state=0), train, test, stages)
