"""scikit-learn: HashingVectorizer (words, 2^20 columns) and Perceptron."""

from benchmarks.contestants._tfidf import load, predict, save

__all__ = ["TITLE", "fit", "load", "predict", "save"]
TITLE = "HashingVectorizer + Perceptron"


def fit(train, stages):
    """Fit the classifier; the vectorizer has nothing to learn."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import Perceptron

    vectorizer, classifier = HashingVectorizer(n_features=2**20), Perceptron(random_state=0)
    with stages("features"):
        X = vectorizer.transform(train.texts)
    with stages("fit"):
        return vectorizer, classifier.fit(X, train.labels)
