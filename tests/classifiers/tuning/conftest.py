import random

import pytest


@pytest.fixture(scope="package")
def mails():
    """Texts of two classes, a few of them labelled wrongly, some of them equal."""
    draw = random.Random(0)
    spam = "win free prize money now click offer cash".split()
    ham = "lunch meeting tomorrow home train late report see".split()
    texts, labels = [], []
    for number in range(600):
        words = spam if number % 3 == 0 else ham
        texts.append(" ".join(draw.choices(words, k=4) + draw.choices(spam + ham, k=5)))
        labels.append("spam" if (number % 3 == 0) != (draw.random() < 0.05) else "ham")
    return texts + texts[:40], labels + labels[:40]
