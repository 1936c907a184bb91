"""Batches of texts in, blocks of rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.streamed.labels import (
    absent_classes,
    as_counted,
    open_book,
    read_labels,
)
from hardlimit.classifiers.fitting.streamed.opened import Asked, Opened, leave_out
from hardlimit.classifiers.fitting.vectorizing import new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.streaming.batches import Batch
from hardlimit.streaming.blocks import Block, Csr
from hardlimit.streaming.counting import fit_bounded
from hardlimit.text import TextVectorizer, default_features
from hardlimit.text.batches import as_batch

# Of a longer head only the beginning is looked at, to choose features and to find the classes.
HEAD_ROWS = default_features.SAMPLE
HEAD_SIZE = 1 << 26  # characters


class Chunk(NamedTuple):
    """Texts, a label for each, and weights or None; none of weight 0."""

    texts: list[Any]
    labels: list[Any]
    weights: Any

    def part(self, begin: int, end: int) -> Chunk:
        """Return the texts begin .. end - 1."""
        weights = None if self.weights is None else self.weights[begin:end]
        return Chunk(self.texts[begin:end], self.labels[begin:end], weights)


def read_chunks(batches: Iterable[Batch], absent: set[Any], size: int) -> Iterator[Chunk]:
    """Yield ``size`` texts at a time, however they came; those of weight 0 are left out."""
    waiting: list[Chunk] = []
    n_waiting = 0
    for batch in batches:
        chunk = _read(batch, absent)
        n, begin = len(chunk.texts), 0
        while n_waiting + n - begin >= size:
            end = begin + size - n_waiting
            yield _join([*waiting, chunk.part(begin, end)])
            waiting, n_waiting, begin = [], 0, end
        if begin < n:
            waiting.append(chunk.part(begin, n))
            n_waiting += n - begin
    if waiting:
        yield _join(waiting)


def _read(batch: Batch, absent: set[Any]) -> Chunk:
    texts = as_batch(batch.examples)
    if not texts:
        return Chunk([], [], None)
    labels, weights = read_labels(len(texts), batch.labels, "texts"), None
    if batch.weights is not None:
        weights = read_weights(batch.weights, len(texts))
    if not absent and weights is None:
        return Chunk(texts, labels, None)
    kept, labels, weights = leave_out(labels, weights, absent)
    return Chunk([texts[i] for i in kept], labels, weights)


def _join(chunks: list[Chunk]) -> Chunk:
    if len(chunks) == 1:
        return chunks[0]
    weights = None
    if any(chunk.weights is not None for chunk in chunks):
        ones = (np.ones(len(c.texts)) if c.weights is None else c.weights for c in chunks)
        weights = np.concatenate(list(ones))
    texts = [text for chunk in chunks for text in chunk.texts]
    return Chunk(texts, [label for chunk in chunks for label in chunk.labels], weights)


def needs_counting(choices: Choices) -> bool:
    """Whether a pass over all texts comes before the first is learnt."""
    settings = choices.text
    assert settings is not None
    counts_terms = settings.hash_bits is None and settings.vocabulary is None
    return settings.idf is not None or choices.balanced or counts_terms


def open_texts(asked: Asked) -> Opened:
    """Choose the features and the classes; blocks of rows come as they are asked for."""
    if asked.resumed is not None:
        return _go_on(asked)
    choices, passes, counts = asked.choices, ["learn"], None
    counted = needs_counting(choices)
    if counted:
        asked.source.require_repeats(_why_twice(choices))
    chunks = _chunks(asked)
    head, whole = _read_head(chunks)
    vectorizer, _ = new_vectorizer(choices, [text for chunk in head for text in chunk.texts])
    labels: Iterable[Any] = [label for chunk in head for label in chunk.labels]
    weighted = any(chunk.weights is not None for chunk in head)
    chunks = chain(head, chunks)
    if counted:
        counts = dict(count_texts(vectorizer, chunks))
        chunks, labels = as_counted(_chunks(asked), counts), counts
        passes.insert(0, "count terms, documents and classes")
    else:
        vectorizer.partial_fit([])  # the columns are all there from the start
    book = open_book(choices, labels, asked.classes, whole=whole or counted)
    blocks = make_blocks(vectorizer, chunks, asked, learn=not counted)
    more = {"fitted_vectorizer": vectorizer}
    columns = vectorizer.n_columns_
    return Opened(book, blocks, columns, TextModel, more, weighted, counts, passes)


def _chunks(asked: Asked) -> Iterator[Chunk]:
    batches = asked.pipeline.ahead(asked.source)
    return read_chunks(batches, absent_classes(asked.choices), asked.size)


def _read_head(chunks: Iterator[Chunk]) -> tuple[list[Chunk], bool]:
    """Return the first texts, looked at before anything is learnt, and whether these are all."""
    head: list[Chunk] = []
    n_rows, size, whole = 0, 0, False
    while n_rows < HEAD_ROWS and size < HEAD_SIZE:
        chunk = next(chunks, None)
        if chunk is None:
            whole = True
            break
        head.append(chunk)
        n_rows += len(chunk.texts)
        size += sum(map(len, chunk.texts))
    fit.require_rows(n_rows, "batches")
    return head, whole


def _why_twice(choices: Choices) -> str:
    settings = choices.text
    if settings is not None and settings.idf is not None:
        return f"idf={settings.idf!r} counts the documents of each term before any is learnt"
    return "the classes or the terms are counted before any text is learnt"


def count_texts(vectorizer: TextVectorizer, chunks: Iterable[Chunk]) -> Counter[Any]:
    """Learn terms and document frequencies of all texts; return the examples of each class."""
    counts: Counter[Any] = Counter()

    def texts() -> Iterator[Any]:
        for chunk in chunks:
            counts.update(chunk.labels)
            yield from chunk.texts

    fit_bounded(vectorizer, texts())
    return counts


def make_blocks(
    vectorizer: TextVectorizer, chunks: Iterable[Chunk], asked: Asked, learn: bool
) -> Iterator[Block]:
    """Yield the rows of each chunk, and its counts where they are to be kept.

    Of chunks that an earlier run has learnt there are no rows.

    learn : whether the terms are met here for the first time.
    """
    digest, n_replaced = asked.digest, 0
    for number, (texts, labels, weights) in enumerate(chunks):
        if digest is not None:
            digest.add(texts, labels, weights)
        rows = kept = None
        known = number < asked.blocks_learnt
        if asked.cached or not known:
            unlearnt = learn and not known
            counts = vectorizer.learn_counts(texts) if unlearnt else vectorizer.count(texts)
            n_replaced += vectorizer.n_replaced_
            # Weighing takes the counts away.
            kept = counts.copy() if asked.cached else None
            rows = None if known else _weigh(vectorizer, counts)
        yield Block(rows, labels, weights, "" if digest is None else digest.now, kept)
    vectorizer.n_replaced_ = n_replaced


def _weigh(vectorizer: TextVectorizer, counts: Any) -> Csr:
    found = vectorizer.weigh(counts)
    return Csr(found.indptr, found.indices, found.data, found.n_columns)


def _go_on(asked: Asked) -> Opened:
    """Return the stream of a run that was broken off, with its features and classes."""
    model, position, choices = asked.resumed, asked.position, asked.choices
    assert position is not None
    vectorizer: TextVectorizer = model.vectorizer
    learn = not needs_counting(choices)
    if learn and position.epoch == 1:
        # The featuriser was some blocks ahead of the learner, and meets these again.
        vectorizer.set_documents(position.n_rows)
    chunks = _chunks(asked)
    counts = model.state.class_counts.counts or None
    blocks = make_blocks(vectorizer, chunks, asked, learn and position.epoch == 1)
    more = {"fitted_vectorizer": vectorizer}
    columns = vectorizer.n_columns_
    return Opened(
        model.classes, blocks, columns, TextModel, more, position.has_weights, counts, ["learn"]
    )
