"""River: words and pairs of words, learnt in one pass over the shuffled texts, as a stream.

Two classes: counts and the passive-aggressive rule. More: TF-IDF and softmax regression at a
learning rate of 10; its default of 0.01, and one-vs-rest, were 0.1 worse on banking77.
"""

from __future__ import annotations

import pickle
from pathlib import Path

from benchmarks.contestants import need, shuffled

TITLE = "River"
RATE = 10.0


def load():
    """Import the pieces."""
    for name in ("feature_extraction", "linear_model", "optim"):
        need(f"river.{name}")


def pipeline(n_classes: int):
    """Return the unfitted model."""
    from river import feature_extraction, linear_model, optim

    if n_classes == 2:
        counts = feature_extraction.BagOfWords(ngram_range=(1, 2))
        return counts | linear_model.PAClassifier(C=1, mode=1)
    tfidf = feature_extraction.TFIDF(ngram_range=(1, 2))
    return tfidf | linear_model.SoftmaxRegression(optimizer=optim.SGD(RATE))


def fit(train, stages):
    """Learn one text after the other."""
    model, train = pipeline(len(set(train.labels))), shuffled(train)
    classes = sorted(set(train.labels))
    first = classes[0] if len(classes) == 2 else None
    with stages("fit"):
        for text, label in zip(train.texts, train.labels, strict=True):
            model.learn_one(text, label if first is None else label != first)
    return model, classes


def predict(model, texts, stages):
    """Return the labels of texts, one after the other."""
    model, classes = model
    with stages("predict"):
        answers = [model.predict_one(text) for text in texts]
    return [classes[bool(one)] for one in answers] if len(classes) == 2 else answers


def save(model, folder: Path) -> None:
    """Pickle it, as its pages advise."""
    (folder / "model.pickle").write_bytes(pickle.dumps(model))
