"""fastText: 10 epochs, pairs of words, one thread, learning rate 0.5.

With its default rate of 0.1 it hardly learns many classes in ten epochs.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from benchmarks.contestants import need

TITLE = "fastText"
WORDS = re.compile(r"\w\w+")


def load():
    """Import the package."""
    need("fasttext")


def run(train, test, stages):
    """Write its format, learn in 10 epochs, predict."""
    import fasttext

    number = {label: i for i, label in enumerate(sorted(set(train.labels)))}
    classes = list(number)
    with tempfile.TemporaryDirectory(prefix="fasttext-") as name:
        path = Path(name) / "train"
        with stages("format"):
            with open(path, "w", encoding="utf-8") as out:
                for text, label in zip(train.texts, train.labels, strict=True):
                    out.write(f"__label__{number[label]} {words(text)}\n")
            questions = [words(text) for text in test.texts]
        with stages("fit"):
            model = fasttext.train_supervised(
                str(path), epoch=10, lr=0.5, wordNgrams=2, thread=1, verbose=0
            )
        with stages("predict"):
            answers, _ = model.predict(questions)
    return [classes[int(best[0].removeprefix("__label__"))] for best in answers]


def words(text: str) -> str:
    """Return the words of one text with a space between."""
    return " ".join(WORDS.findall(text.lower()))
