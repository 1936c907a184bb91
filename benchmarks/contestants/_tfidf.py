"""The usual scikit-learn pipeline: TF-IDF of words and pairs of words, then a linear classifier."""

from __future__ import annotations

from benchmarks.corpora import Corpus


def run(classifier, train: Corpus, test: Corpus, stages):
    """Fit the vectorizer and the classifier, and return the labels of the test texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
    with stages("features"):
        X = vectorizer.fit_transform(train.texts)
    stages.notes["columns"], stages.notes["nonzeros"] = X.shape[1], X.nnz
    with stages("fit"):
        classifier.fit(X, train.labels)
    with stages("predict"):
        return classifier.predict(vectorizer.transform(test.texts))
