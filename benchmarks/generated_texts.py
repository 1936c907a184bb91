"""Any amount of labelled text, made from the shared sets, in files of one size.

A document is eight pieces of about 150 characters: five drawn from the IMDb reviews of its class,
three from posts and mails that tell nothing, and a number that no other document has. So the
vocabulary grows for ever, and the pairs of words where pieces meet are new; learners that hold all
terms grow with the text, and no cache keeps all that is asked for. Every file follows from its
number, and has its own documents.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.corpora import load

HEAD = ("label", "text")
CLASSES = ("neg", "pos")
PIECE, TELLING, NEUTRAL = 150, 5, 3  # characters; pieces of a document
TAKEN = 4000  # documents of each neutral set
BATCH = 2000


def pieces(texts: Iterable[str]) -> list[str]:
    """Cut texts at blanks into pieces of about one length.

    >>> pieces(["word " * 60])[0] == ("word " * 30).strip()
    True
    """
    made = []
    for text in texts:
        at = 0
        while len(text) - at >= PIECE:
            end = text.find(" ", at + PIECE - 1)
            if end < 0:
                break
            made.append(text[at:end])
            at = end + 1
    return made


class Pieces:
    """The pieces of both classes, and those that tell nothing."""

    def __init__(self) -> None:
        reviews, _ = load("imdb").split()
        self.telling = [
            pieces(t for t, y in zip(reviews.texts, reviews.labels, strict=True) if y == label)
            for label in CLASSES
        ]
        others = (load(name).split()[0].texts[:TAKEN] for name in ("enron_spam", "20newsgroups"))
        self.neutral = [one for texts in others for one in pieces(texts)]

    def documents(self, number: int) -> Iterator[tuple[str, str]]:
        """Yield labels and texts without end; another number, other documents."""
        draw = np.random.default_rng([7, number])
        serial = 0
        while True:
            classes = draw.integers(0, len(CLASSES), BATCH).tolist()
            telling = draw.random((BATCH, TELLING)).tolist()
            neutral = draw.integers(0, len(self.neutral), (BATCH, NEUTRAL)).tolist()
            for label, places, others in zip(classes, telling, neutral, strict=True):
                own = self.telling[label]
                words = [own[int(place * len(own))] for place in places]
                words += [self.neutral[i] for i in others]
                yield CLASSES[label], f"{' '.join(words)} no{number}x{serial}"
                serial += 1


def write(folder: Path, n_files: int, n_bytes: int) -> list[Path]:
    """Write so many CSV files of about this size, and return them."""
    source = Pieces()
    paths = [folder / f"part-{number:02}.csv" for number in range(n_files)]
    for number, path in enumerate(paths):
        _write(path, source.documents(number), n_bytes)
    return paths


def write_one(path: Path, n_bytes: int) -> Path:
    """Write one file, of documents that no other has."""
    _write(path, Pieces().documents(1_000_000), n_bytes)
    return path


def _write(path: Path, documents: Iterable[tuple[str, str]], n_bytes: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        size = writer.writerow(HEAD)
        for row in documents:
            size += writer.writerow(row)  # characters, nearly all of one byte
            if size >= n_bytes:
                return


def read(paths: Iterable[str]) -> Iterator[list[str]]:
    """Yield label and text of every row, as people read such files in Python."""
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            next(rows)
            yield from rows
