"""fastText: 10 epochs, pairs of words, one thread, learning rate 0.5; the texts are shuffled.

With its default rate of 0.1 it hardly learns many classes in ten epochs.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from benchmarks.contestants import need, shuffled

TITLE = "fastText"
WORDS = re.compile(r"\w\w+")


def load():
    """Import the package."""
    need("fasttext")


def fit(train, stages):
    """Write its format, and learn in 10 epochs."""
    import fasttext

    classes = sorted(set(train.labels))
    number = {label: i for i, label in enumerate(classes)}
    with tempfile.TemporaryDirectory(prefix="fasttext-") as name:
        path = Path(name) / "train"
        train = shuffled(train)
        with stages("format"), open(path, "w", encoding="utf-8") as out:
            for text, label in zip(train.texts, train.labels, strict=True):
                out.write(f"__label__{number[label]} {words(text)}\n")
        with stages("fit"):
            model = fasttext.train_supervised(
                str(path), epoch=10, lr=0.5, wordNgrams=2, thread=1, verbose=0
            )
    return model, classes


def predict(model, texts, stages):
    """Return the labels of raw texts."""
    model, classes = model
    with stages("format"):
        questions = [words(text) for text in texts]
    with stages("predict"):
        answers, _ = model.predict(questions)
    return [classes[int(best[0].removeprefix("__label__"))] for best in answers]


def save(model, folder: Path) -> None:
    """Write its model file; the names of the classes would be its labels."""
    model[0].save_model(str(folder / "model.bin"))


def words(text: str) -> str:
    """Return the words of one text with a space between."""
    return " ".join(WORDS.findall(text.lower()))
