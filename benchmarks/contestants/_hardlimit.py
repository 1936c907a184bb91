"""What the contestants of hardlimit have in common."""

from __future__ import annotations

from pathlib import Path

from benchmarks.contestants import need


def load():
    """Import what a first call would import."""
    need("hardlimit").TextClassifier  # noqa: B018 - names are loaded on first use


def read_mails(messages):
    """Return the texts of raw messages."""
    from hardlimit.mail import MailReader

    return MailReader().transform(messages)


def fit(classifier, train, stages):
    """Fit the classifier on raw texts."""
    with stages("fit"):
        return classifier.fit(train.texts, train.labels)


def predict(model, texts, stages):
    """Return the labels of raw texts."""
    with stages("predict"):
        return model.predict(texts)


def save(model, folder: Path) -> None:
    """Write what predicts, without the state that further training needs."""
    model.save(folder / "model.hardlimit", training_state=False)


def save_to_go_on(model, folder: Path) -> None:
    """Write the state of the training too."""
    model.save(folder / "whole.hardlimit")
