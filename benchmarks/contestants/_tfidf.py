"""The usual scikit-learn pipeline: TF-IDF of words and pairs of words, then a linear classifier."""

from __future__ import annotations

from pathlib import Path

from benchmarks.contestants import need
from benchmarks.corpora import Corpus


def load():
    """Import the pieces."""
    need("sklearn.linear_model")
    need("sklearn.svm")
    need("sklearn.feature_extraction.text")


def vectorize(train: Corpus, stages):
    """Return the fitted vectorizer and the matrix of the training texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
    with stages("features"):
        X = vectorizer.fit_transform(train.texts)
    stages.notes["columns"], stages.notes["nonzeros"] = X.shape[1], X.nnz
    return vectorizer, X


def fit(classifier, train: Corpus, stages):
    """Fit the vectorizer and the classifier."""
    vectorizer, X = vectorize(train, stages)
    with stages("fit"):
        return vectorizer, classifier.fit(X, train.labels)


def predict(model, texts, stages):
    """Return the labels of texts."""
    vectorizer, classifier = model
    with stages("predict"):
        return classifier.predict(vectorizer.transform(texts))


def save(model, folder: Path) -> None:
    """Write vectorizer and classifier as scikit-learn's pages advise."""
    import joblib

    joblib.dump(model, folder / "model.joblib")
