"""LIBLINEAR's own Python package: TfidfVectorizer (1-2-grams, sublinear) and ``train``.

``-s 1``, its default, is the dual solver that scikit-learn's LinearSVC runs; ``-B 1`` adds the
bias. Its tolerance of 0.1 is a thousand times scikit-learn's.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.contestants import _tfidf, need

TITLE = "TfidfVectorizer + LIBLINEAR"


def load():
    """Import the pieces."""
    _tfidf.load()
    need("liblinear.liblinearutil")


def fit(train, stages):
    """Fit the vectorizer, hand over its matrix, and train."""
    from liblinear.liblinearutil import train as solve

    classes = sorted(set(train.labels))
    number = {label: i for i, label in enumerate(classes)}
    vectorizer, X = _tfidf.vectorize(train, stages)
    with stages("fit"):
        return vectorizer, classes, solve([number[one] for one in train.labels], X, "-s 1 -B 1 -q")


def predict(model, texts, stages):
    """Return the labels of texts."""
    from liblinear.liblinearutil import predict as ask

    vectorizer, classes, solved = model
    with stages("predict"):
        answers, _, _ = ask([], vectorizer.transform(texts), solved, "-q")
    return [classes[int(answer)] for answer in answers]


def save(model, folder: Path) -> None:
    """Write its model file, and the vectorizer and the names of the classes beside it."""
    import joblib
    from liblinear.liblinearutil import save_model

    vectorizer, classes, solved = model
    save_model(str(folder / "model.liblinear"), solved)
    joblib.dump((vectorizer, classes), folder / "vectorizer.joblib")
