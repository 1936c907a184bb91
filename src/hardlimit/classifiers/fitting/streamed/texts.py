"""Batches of texts, of several texts or of rows of tables in, blocks of rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.streamed.featurisers import OneText, make_featuriser
from hardlimit.classifiers.fitting.streamed.labels import absent_classes, as_counted, find_book
from hardlimit.classifiers.fitting.streamed.opened import Asked, Opened, leave_out
from hardlimit.classifiers.fitting.streamed.position import Chunk
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.foundation import memory
from hardlimit.streaming.batches import RowBatch
from hardlimit.streaming.blocks import Block, join
from hardlimit.streaming.counting import counts_terms
from hardlimit.streaming.pipeline import DEPTH
from hardlimit.text import default_features

# Texts that are in memory at once: so many characters, and the text that reaches beyond them.
CHARACTERS = 1 << 22
# Of a longer head only the beginning is looked at, to choose features and to find the classes.
HEAD_ROWS = default_features.SAMPLE
HEAD_SIZE = 1 << 26  # characters
BLOCKS_HELD = 2 + DEPTH  # being gathered, waiting, and under way in the next stage


def read_chunks(
    batches: Iterable[RowBatch], asked: Asked, featuriser: OneText, absent: set[Any]
) -> Iterator[Chunk]:
    """Yield the texts of each block in parts of few characters; those of weight 0 are left out.

    Where a part ends is decided by the texts alone, and not by the batches.
    """
    waiting: list[Chunk] = []
    n_rows = characters = 0  # of the block so far, and of what waits
    for batch in batches:
        chunk, begin = _read(batch, asked, featuriser, absent), 0
        for end, text in enumerate(chunk.texts, 1):
            n_rows, characters = n_rows + 1, characters + featuriser.size(text)
            if n_rows < asked.size and characters < CHARACTERS:
                continue
            part = _join([*waiting, chunk.part(begin, end)])
            yield part._replace(ends=n_rows == asked.size)
            waiting, begin, characters, n_rows = [], end, 0, n_rows % asked.size
        if begin < len(chunk.texts):
            waiting.append(chunk.part(begin, len(chunk.texts)))
    if waiting:
        yield _join(waiting)


def _read(batch: RowBatch, asked: Asked, featuriser: OneText, absent: set[Any]) -> Chunk:
    texts = featuriser.read(batch.examples)
    if not texts:
        return Chunk([], [], None)
    labels, weights = asked.labels.read(len(texts), batch.labels, "texts"), None
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


def open_texts(asked: Asked) -> Opened:
    """Choose the features and the classes; blocks of rows come as they are asked for."""
    if asked.resumed is not None:
        return _go_on(asked)
    choices, counts = asked.choices, None
    featuriser = make_featuriser(choices)
    counted = featuriser.needs_counting or choices.balanced
    if counted:
        asked.source.require_repeats(_why_twice(choices))
    chunks = _chunks(asked, featuriser)
    head, whole = _read_head(chunks, featuriser)
    featuriser.choose([text for chunk in head for text in chunk.texts][:HEAD_ROWS])
    labels = [label for chunk in head for label in chunk.labels][:HEAD_ROWS]
    weighted = any(chunk.weights is not None for chunk in head)
    chunks = chain(head, chunks)
    passes = ["learn"]
    if counted:
        counts = _count(featuriser, chunks, asked)
        chunks = as_counted(_chunks(asked, featuriser), counts, asked.labels)
        passes = [*featuriser.passes, *passes]
    else:
        featuriser.begin()
    book = find_book(choices, asked, labels, counts, whole=whole)
    blocks = make_blocks(featuriser, chunks, asked, learn=not counted)
    more = {"fitted_vectorizer": featuriser.vectorizer}
    columns = featuriser.vectorizer.n_columns_
    found = Opened(book, blocks, columns, featuriser.kind, more, weighted, counts, passes)
    found.counts_terms = counted and any(map(counts_terms, featuriser.text_vectorizers))
    return found


def _chunks(asked: Asked, featuriser: OneText) -> Iterator[Chunk]:
    batches = asked.pipeline.ahead(asked.source)
    return read_chunks(batches, asked, featuriser, absent_classes(asked.choices))


def _read_head(chunks: Iterator[Chunk], featuriser: OneText) -> tuple[list[Chunk], bool]:
    """Return the first texts, looked at before anything is learnt, and whether these are all.

    They are whole blocks, unless these are too large.
    """
    head: list[Chunk] = []
    n_rows, size, whole = 0, 0, False
    # The last block stays whole, so that those of the run begin where they always do.
    while size < HEAD_SIZE and not (n_rows >= HEAD_ROWS and head[-1].ends):
        chunk = next(chunks, None)
        if chunk is None:
            whole = True
            break
        head.append(chunk)
        n_rows += len(chunk.texts)
        size += sum(map(featuriser.size, chunk.texts))
    fit.require_rows(n_rows, "batches")
    return head, whole


def _why_twice(choices: Choices) -> str:
    settings = choices.text
    if settings is not None and settings.table is not None:
        return "the columns of a table are measured before any row is learnt"
    if settings is not None and settings.idf is not None:
        return f"idf={settings.idf!r} counts the documents of each term before any is learnt"
    return "the classes or the terms are counted before any text is learnt"


def _count(featuriser: OneText, first: Iterator[Chunk], asked: Asked) -> dict[Any, int]:
    """Go through all texts, once a pass; return the examples of each class."""
    counts: Counter[Any] = Counter()

    def examples() -> Iterator[list[Any]]:
        for chunk in first:
            counts.update(asked.labels.counted(chunk.labels))
            yield chunk.texts

    featuriser.count(0, examples())
    number = 0
    while (number := number + 1) < len(featuriser.passes):
        again = as_counted(_chunks(asked, featuriser), counts, asked.labels)
        featuriser.count(number, (chunk.texts for chunk in again))
    return dict(counts)


def make_blocks(
    featuriser: OneText, chunks: Iterable[Chunk], asked: Asked, learn: bool
) -> Iterator[Block]:
    """Yield the rows of each block, and its counts where they are kept in place of the rows.

    Of blocks that an earlier run has learnt there are no rows, but for a cache.

    learn : whether the terms are met here for the first time.
    """
    digest, number = asked.digest, 0
    parts, gathered = [], _gathered()
    replaced = [0] * len(featuriser.text_vectorizers)
    for texts, labels, weights, ends in chunks:
        if digest is not None:
            digest.add(texts, labels, weights)
        rows = kept = None
        known = number < asked.blocks_learnt
        if asked.cached or not known:
            made = featuriser.features(texts, learn and not known, asked.cached, not known)
            rows, kept = made
            for k, vectorizer in enumerate(featuriser.text_vectorizers):
                replaced[k] += vectorizer.n_replaced_
        part = Block(rows, labels, weights, "" if digest is None else digest.now, kept)
        gathered.add(BLOCKS_HELD * part.size_in_bytes)
        parts.append(part)
        if ends:
            yield join(parts)
            number, parts, gathered = number + 1, [], _gathered()
    if parts:
        yield join(parts)
    for vectorizer, count in zip(featuriser.text_vectorizers, replaced, strict=True):
        vectorizer.n_replaced_ = count


def _gathered() -> memory.Gathered:
    """Return what counts the rows of a block: of long texts each may have many terms."""
    fix = (
        "use words without pairs and characters, shorter texts, or in Python smaller blocks: "
        "order=orders.Stream(size=16)"
    )
    return memory.Gathered("the rows of the blocks under way", fix)


def _go_on(asked: Asked) -> Opened:
    """Return the stream of a run that was broken off, with its features and classes."""
    model, position, choices = asked.resumed, asked.position, asked.choices
    assert position is not None
    featuriser = make_featuriser(choices, model.vectorizer)
    learn = not (featuriser.needs_counting or choices.balanced)
    if learn and position.epoch == 1:
        # The featuriser was some blocks ahead of the learner, and meets these again.
        featuriser.go_back(position.n_rows)
    counts = model.state.class_counts.counts or None
    chunks = _chunks(asked, featuriser)
    blocks = make_blocks(featuriser, chunks, asked, learn and position.epoch == 1)
    more = {"fitted_vectorizer": model.vectorizer}
    return Opened(
        model.classes,
        blocks,
        model.vectorizer.n_columns_,
        featuriser.kind,
        more,
        position.has_weights,
        counts,
        ["learn"],
    )
