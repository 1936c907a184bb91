"""Batches of texts in, a model out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.streamed.labels import absent_classes, open_book, read_labels
from hardlimit.classifiers.fitting.streamed.opened import Opened, leave_out
from hardlimit.classifiers.fitting.vectorizing import new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.streaming.batches import Batch
from hardlimit.streaming.blocks import Block, Csr
from hardlimit.text import TextVectorizer, default_features
from hardlimit.text.batches import as_batch

# Of a longer head only the beginning is looked at, to choose features and to find the classes.
HEAD_ROWS = default_features.SAMPLE
HEAD_SIZE = 1 << 26  # characters
STEP = 1024  # texts that are featurised at a time


def read_head(batches: Iterator[Batch]) -> list[Batch]:
    """Return the first batches, whose texts and labels are looked at before anything is learnt."""
    head, n_rows, size = [], 0, 0
    while n_rows < HEAD_ROWS and size < HEAD_SIZE:
        batch = next(batches, None)
        if batch is None:
            break
        texts = as_batch(batch.examples)
        labels = read_labels(len(texts), batch.labels, "texts")
        head.append(Batch(texts, labels, batch.weights))
        n_rows += len(texts)
        size += sum(map(len, texts))
    fit.require_rows(n_rows, "batches")
    return head


def make_blocks(
    vectorizer: TextVectorizer, batches: Iterable[Batch], absent: set[Any], learn: bool
) -> Iterator[Block]:
    """Yield rows of the texts, a few at a time; examples of weight 0 are left out.

    learn : whether the terms are met here for the first time.
    """
    featurise = vectorizer.learn_rows if learn else vectorizer.rows
    n_replaced = 0
    for texts, labels, weights in _steps(batches):
        if absent or weights is not None:
            kept, labels, weights = leave_out(labels, weights, absent)
            texts = [texts[i] for i in kept]
        if not texts:
            continue
        rows = featurise(texts)
        n_replaced += vectorizer.n_replaced_
        yield Block(Csr(rows.indptr, rows.indices, rows.data, rows.n_columns), labels, weights)
    vectorizer.n_replaced_ = n_replaced


def _steps(batches: Iterable[Batch]) -> Iterator[tuple[list[Any], list[Any], Any]]:
    """Yield texts, labels and weights, a few at a time."""
    for batch in batches:
        texts = as_batch(batch.examples)
        labels = read_labels(len(texts), batch.labels, "texts") if texts else []
        weights = None
        if batch.weights is not None:
            weights = read_weights(batch.weights, len(texts))
        for begin in range(0, len(texts), STEP):
            end = begin + STEP
            part = None if weights is None else weights[begin:end]
            yield texts[begin:end], labels[begin:end], part


def open_texts(choices: Choices, batches: Iterator[Batch], classes: Any) -> Opened:
    """Choose the features and the classes by the first texts; blocks of rows come as asked for."""
    head = read_head(batches)
    vectorizer, _ = new_vectorizer(choices, [text for batch in head for text in batch.examples])
    vectorizer.rows([])  # hashing knows its columns from the start
    book = open_book(choices, (label for batch in head for label in batch.labels), classes)
    texts = chain(head, batches)
    return Opened(
        book,
        make_blocks(vectorizer, texts, absent_classes(choices), learn=True),
        vectorizer.n_columns_,
        TextModel,
        {"fitted_vectorizer": vectorizer},
    )
