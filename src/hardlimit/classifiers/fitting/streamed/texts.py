"""Batches of texts, of several texts or of rows of tables in, blocks of rows out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hardlimit.classifiers.features import make_features
from hardlimit.classifiers.fitting.streamed.opening import Asked, Looking
from hardlimit.classifiers.fitting.streamed.position import Chunk
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_model import TextModel
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


class TextsOfStream:
    """Texts, several texts a row, or rows of a table: chunks of few characters."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._features = asked, make_features(asked.choices)
        self.kind: type[Model] = self._features.kind
        self._is_counted = self._features.counts or asked.choices.balanced

    @property
    def head_rows(self) -> int:
        """How many texts are looked at before anything is learnt."""
        return HEAD_ROWS

    @property
    def why_counted(self) -> str:
        """Why all texts are looked at before the first is learnt."""
        return self._features.why_counted if self._is_counted else ""

    def items(self) -> Iterator[Chunk]:
        """Yield the texts of each block in parts of few characters; absent ones are left out.

        Where a part ends is decided by the texts alone, and not by the batches.
        """
        most, size = self._asked.size, self._features.size
        waiting: list[Chunk] = []
        n_rows = characters = 0  # of the block so far, and of what waits
        for batch in self._asked.batches():
            chunk, begin = self._read(batch), 0
            for end, text in enumerate(chunk.texts, 1):
                n_rows, characters = n_rows + 1, characters + size(text)
                if n_rows < most and characters < CHARACTERS:
                    continue
                part = _join([*waiting, chunk.part(begin, end)])
                yield replace(part, ends=n_rows == most)
                waiting, begin, characters, n_rows = [], end, 0, n_rows % most
            if begin < len(chunk.texts):
                waiting.append(chunk.part(begin, len(chunk.texts)))
        if waiting:
            yield _join(waiting)

    def _read(self, batch: RowBatch) -> Chunk:
        texts = self._features.read(batch.examples)
        if not texts:
            return Chunk([], [], None)
        kept, labels, weights = self._asked.read_present(len(texts), batch, "texts")
        return Chunk(texts if kept is None else [texts[i] for i in kept], labels, weights)

    def measure(self, item: Chunk) -> int:
        """Return the characters of some texts."""
        return sum(map(self._features.size, item.texts))

    def is_enough(self, n_rows: int, size: int, last: Chunk) -> bool:
        """Whether the first texts are enough to look at: whole blocks, unless these are large."""
        # The last block stays whole, so that those of the run begin where they always do.
        return size >= HEAD_SIZE or (n_rows >= HEAD_ROWS and last.ends)

    def looks(self, head: list[Chunk]) -> Iterator[tuple[Looking, str]]:
        """Choose words and characters by the first texts; look at all, to count what is counted."""
        self._features.choose([text for chunk in head for text in chunk.texts][:HEAD_ROWS])
        if self._is_counted:
            yield self._features, self.why_counted
        else:
            self._features.begin()

    def restore(self, model: TextModel) -> bool:
        """Go on with what an earlier run has learnt; return whether it met terms on its way."""
        self._features.restore(model.vectorizer)
        position = self._asked.position
        learn = not self._is_counted and position is not None and position.epoch == 1
        if learn and position is not None:
            # The features were some blocks ahead of the learner, and meet these again.
            self._features.go_back(position.n_rows)
        return learn

    @property
    def n_columns(self) -> int:
        """The columns of all terms so far."""
        columns: int = self._features.vectorizer.n_columns_
        return columns

    @property
    def of_model(self) -> dict[str, Any]:
        """What the model holds besides its weights."""
        return {"fitted_vectorizer": self._features.vectorizer}

    @property
    def finds_terms(self) -> bool:
        """Whether a look finds terms."""
        return any(map(finds_terms, self._features.text_vectorizers))

    def blocks(self, items: Iterator[Chunk], learn: bool) -> Iterator[Block]:
        """Yield the rows of each block, and its counts where they are kept in place of the rows.

        Of blocks that an earlier run has learnt there are no rows, but for a cache.

        learn : whether the terms are met here for the first time.
        """
        asked, features, number = self._asked, self._features, 0
        parts, gathered = [], _gathered()
        replaced = [0] * len(features.text_vectorizers)
        for chunk in items:
            texts, labels, weights = chunk.texts, chunk.labels, chunk.weights
            if asked.digest is not None:
                asked.digest.add(texts, labels, weights)
            rows = kept = None
            known = number < asked.blocks_learnt
            if asked.cached or not known:
                rows, kept = features.make(texts, learn and not known, asked.cached, not known)
                for k, vectorizer in enumerate(features.text_vectorizers):
                    replaced[k] += vectorizer.n_replaced_
            part = Block(rows, labels, weights, asked.mark, kept)
            gathered.add(BLOCKS_HELD * part.size_in_bytes)
            parts.append(part)
            if chunk.ends:
                yield join(parts)
                number, parts, gathered = number + 1, [], _gathered()
        if parts:
            yield join(parts)
        for vectorizer, count in zip(features.text_vectorizers, replaced, strict=True):
            vectorizer.n_replaced_ = count


def _join(chunks: list[Chunk]) -> Chunk:
    if len(chunks) == 1:
        return chunks[0]
    weights = None
    if any(chunk.weights is not None for chunk in chunks):
        ones = (np.ones(len(c.texts)) if c.weights is None else c.weights for c in chunks)
        weights = np.concatenate(list(ones))
    texts = [text for chunk in chunks for text in chunk.texts]
    return Chunk(texts, [label for chunk in chunks for label in chunk.labels], weights)


def _gathered() -> memory.Gathered:
    """Return what counts the rows of a block: of long texts each may have many terms."""
    fix = (
        "use words without pairs and characters, shorter texts, or in Python smaller blocks: "
        "order=orders.Stream(size=16)"
    )
    return memory.Gathered("the rows of the blocks under way", fix)
