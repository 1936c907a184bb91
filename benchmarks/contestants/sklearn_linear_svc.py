"""scikit-learn: TfidfVectorizer (1-2-grams, sublinear) and LinearSVC."""

from benchmarks.contestants import _tfidf, need

TITLE = "TfidfVectorizer + LinearSVC"


def load():
    """Import the pieces."""
    need("sklearn.linear_model")
    need("sklearn.svm")
    need("sklearn.feature_extraction.text")


def run(train, test, stages):
    """Go from raw texts to predicted labels."""
    from sklearn.svm import LinearSVC

    return _tfidf.run(LinearSVC(), train, test, stages)
