"""Batches of texts, of several texts or of rows of tables in, blocks of rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from hardlimit.classifiers.features import Features, make_features
from hardlimit.classifiers.fitting.streamed.looking import look_at_all
from hardlimit.classifiers.fitting.streamed.opened import Asked, Opened, as_counted, leave_out
from hardlimit.classifiers.fitting.streamed.position import Chunk
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.targets import absent_classes, require_rows
from hardlimit.foundation import memory
from hardlimit.streaming.batches import RowBatch
from hardlimit.streaming.blocks import Block, join
from hardlimit.streaming.pipeline import DEPTH
from hardlimit.streaming.terms import finds_terms
from hardlimit.text import default_features

# Texts that are in memory at once: so many characters, and the text that reaches beyond them.
CHARACTERS = 1 << 22
# Of a longer head only the beginning is looked at, to choose features and to find the classes.
HEAD_ROWS = default_features.SAMPLE
HEAD_SIZE = 1 << 26  # characters
BLOCKS_HELD = 2 + DEPTH  # being gathered, waiting, and under way in the next stage


def read_chunks(
    batches: Iterable[RowBatch], asked: Asked, features: Features, absent: set[Any]
) -> Iterator[Chunk]:
    """Yield the texts of each block in parts of few characters; those of weight 0 are left out.

    Where a part ends is decided by the texts alone, and not by the batches.
    """
    waiting: list[Chunk] = []
    n_rows = characters = 0  # of the block so far, and of what waits
    for batch in batches:
        chunk, begin = _read(batch, asked, features, absent), 0
        for end, text in enumerate(chunk.texts, 1):
            n_rows, characters = n_rows + 1, characters + features.size(text)
            if n_rows < asked.size and characters < CHARACTERS:
                continue
            part = _join([*waiting, chunk.part(begin, end)])
            yield replace(part, ends=n_rows == asked.size)
            waiting, begin, characters, n_rows = [], end, 0, n_rows % asked.size
        if begin < len(chunk.texts):
            waiting.append(chunk.part(begin, len(chunk.texts)))
    if waiting:
        yield _join(waiting)


def _read(batch: RowBatch, asked: Asked, features: Features, absent: set[Any]) -> Chunk:
    texts = features.read(batch.examples)
    if not texts:
        return Chunk([], [], None)
    labels, weights = asked.read_labels(len(texts), batch.labels, "texts"), None
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
    features = make_features(choices)
    counted = features.counts or choices.balanced
    if counted:
        asked.source.require_repeats(features.why_counted)
    chunks = _chunks(asked, features)
    head, whole = _read_head(chunks, features)
    features.choose([text for chunk in head for text in chunk.texts][:HEAD_ROWS])
    labels = [label for chunk in head for label in chunk.labels][:HEAD_ROWS]
    weighted = any(chunk.weights is not None for chunk in head)
    chunks = chain(head, chunks)
    passes = ["learn"]
    if counted:
        counts = look_at_all(features, chunks, lambda: _chunks(asked, features), asked.targets)
        chunks = as_counted(_chunks(asked, features), counts, asked.targets)
        passes = [*(each.what for each in features.passes), *passes]
    else:
        features.begin()
    book = asked.targets.open_book(choices, labels, counts, asked.classes, whole=whole)
    # Before the rows are made: of terms that no text has there are columns too.
    start = asked.weights_at_start(book, features.vectorizer)
    blocks = make_blocks(features, chunks, asked, learn=not counted)
    more = {"fitted_vectorizer": features.vectorizer}
    columns = features.vectorizer.n_columns_
    found = Opened(book, blocks, columns, features.kind, more, weighted, counts, passes, start)
    found.counts_terms = counted and any(map(finds_terms, features.text_vectorizers))
    return found


def _chunks(asked: Asked, features: Features) -> Iterator[Chunk]:
    batches = asked.pipeline.ahead(asked.source)
    return read_chunks(batches, asked, features, absent_classes(asked.choices))


def _read_head(chunks: Iterator[Chunk], features: Features) -> tuple[list[Chunk], bool]:
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
        size += sum(map(features.size, chunk.texts))
    require_rows(n_rows, "batches")
    return head, whole


def make_blocks(
    features: Features, chunks: Iterable[Chunk], asked: Asked, learn: bool
) -> Iterator[Block]:
    """Yield the rows of each block, and its counts where they are kept in place of the rows.

    Of blocks that an earlier run has learnt there are no rows, but for a cache.

    learn : whether the terms are met here for the first time.
    """
    digest, number = asked.digest, 0
    parts, gathered = [], _gathered()
    replaced = [0] * len(features.text_vectorizers)
    for chunk in chunks:
        texts, labels, weights = chunk.texts, chunk.labels, chunk.weights
        if digest is not None:
            digest.add(texts, labels, weights)
        rows = kept = None
        known = number < asked.blocks_learnt
        if asked.cached or not known:
            made = features.make(texts, learn and not known, asked.cached, not known)
            rows, kept = made
            for k, vectorizer in enumerate(features.text_vectorizers):
                replaced[k] += vectorizer.n_replaced_
        part = Block(rows, labels, weights, "" if digest is None else digest.now, kept)
        gathered.add(BLOCKS_HELD * part.size_in_bytes)
        parts.append(part)
        if chunk.ends:
            yield join(parts)
            number, parts, gathered = number + 1, [], _gathered()
    if parts:
        yield join(parts)
    for vectorizer, count in zip(features.text_vectorizers, replaced, strict=True):
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
    features = make_features(choices)
    features.restore(model.vectorizer)
    learn = not (features.counts or choices.balanced)
    if learn and position.epoch == 1:
        # The features were some blocks ahead of the learner, and meet these again.
        features.go_back(position.n_rows)
    counts = Counter(model.state.class_counts.counts) or None
    chunks = _chunks(asked, features)
    blocks = make_blocks(features, chunks, asked, learn and position.epoch == 1)
    more = {"fitted_vectorizer": model.vectorizer}
    return Opened(
        model.classes,
        blocks,
        model.vectorizer.n_columns_,
        features.kind,
        more,
        position.has_weights,
        counts,
        ["learn"],
        asked.weights_at_start(model.classes, features.vectorizer),
    )
