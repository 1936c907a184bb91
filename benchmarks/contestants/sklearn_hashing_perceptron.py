"""scikit-learn: HashingVectorizer (words, 2^20 columns) and Perceptron."""

from benchmarks.contestants import need

TITLE = "HashingVectorizer + Perceptron"


def load():
    """Import the pieces."""
    need("sklearn.linear_model")
    need("sklearn.feature_extraction.text")


def run(train, test, stages):
    """Go from raw texts to predicted labels."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import Perceptron

    vectorizer, classifier = HashingVectorizer(n_features=2**20), Perceptron(random_state=0)
    with stages("features"):
        X = vectorizer.transform(train.texts)
    with stages("fit"):
        classifier.fit(X, train.labels)
    with stages("predict"):
        return classifier.predict(vectorizer.transform(test.texts))
