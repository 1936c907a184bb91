"""The answer of a saved text model, straight from its file: numpy is never imported.

A process that classifies one message opens the file, maps it, and touches the blocks that hold the
terms of the message.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from hardlimit import model_file
from hardlimit.classifiers.model.decisions import MANY
from hardlimit.classifiers.model.forms import ONE_TEXT
from hardlimit.classifiers.model.storable_labels import labels_from_json, read_decision
from hardlimit.examples.texts import check_one_text, read_texts
from hardlimit.exceptions import InputError, ModelFileError
from hardlimit.foundation.workers import count_workers
from hardlimit.text import batches
from hardlimit.text.scorer import TextScorer

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation

KIND = "text classifier"
SECTION = "answer.text."
VOTES = "answer.votes."
PACKED = "answer.packed."
PACKED_NAMES = ("runs", "starts", "outputs", "cells")


class TextAnswer:
    """A frozen text classifier: scores, labels and explanations, nothing else.

    Attributes
    ----------
    classes : list of labels
    threshold : float
        With two classes, a score above it means the second; of several labels, any of them.
    decision : ClassDecision
        How scores become an answer: by how many labels a text has.
    n_outputs : int
        1 for two classes, else their number.
    header : dict
        All that the file says beside the tensors.
    """

    form = ONE_TEXT

    def __init__(self, file: model_file.ModelFile) -> None:
        if has_votes(file):
            raise InputError(
                "this model answers by votes, and an answer straight from the file needs one "
                "weight vector",
                where=str(file.path),
                fix="use hardlimit.load(path)",
            )
        self.file = file
        self.header = file.header
        try:
            self.classes = labels_from_json(self.header["classes"])
            self.decision = read_decision(file, len(self.classes))
            self.threshold = finite(float(self.header["threshold"]))
            self.intercept = intercept_of(self.header)
            text = self.header["text"]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(
                f"the header is incomplete ({error!r})", where=str(file.path)
            ) from None
        self.n_outputs = self.decision.count_outputs(len(self.classes))
        if len(self.intercept) != self.n_outputs:
            raise ModelFileError("intercepts and classes differ in number", where=str(file.path))
        # Mapped and checked block by block where they are touched, not read.
        tables = {
            name.removeprefix(SECTION): file.checked(name)
            for name in file.names
            if name.startswith(SECTION)
        }
        # Of many outputs: see `native/state/packed.hpp`.
        self.is_packed = PACKED + "runs" in file.names
        if self.is_packed:
            tables |= {f"packed.{name}": file.checked(PACKED + name) for name in PACKED_NAMES}
        self.scorer = self._make_scorer(text, tables)

    def _make_scorer(self, text: Any, tables: Mapping[str, Any]) -> TextScorer:
        weights = None if self.is_packed else self.file.checked("answer.weights")
        try:
            return TextScorer(text, tables, weights, self.intercept)
        except ModelFileError:
            raise
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise ModelFileError(
                f"the text features contradict themselves ({error!r})", where=str(self.file.path)
            ) from None

    def scores(self, texts: Sequence[str | bytes]) -> list[tuple[float, ...]]:
        """One tuple of ``n_outputs`` scores a text."""
        return self._tuples(self.score_bytes(texts))

    def score_bytes(self, texts: Sequence[str | bytes]) -> bytes:
        """``n_outputs`` scores a text, as doubles."""
        return self.scorer.scores(self.prepare(texts), count_workers(None), batches.LEAST_SHARE)

    def prepare(self, texts: Sequence[str | bytes]) -> list[str | bytes]:
        """Return the texts as the model's features take them."""
        way = self.header["text"].get("strip_accents")
        if way is None:
            return list(texts)
        from hardlimit.text.accents import strip_accents  # few models ask for it

        return strip_accents(texts, way)

    def check_finite(self, finite: bool) -> None:
        """Refuse scores that are not finite: the numbers that made them are not either.

        Weights are looked at where they are used, since most of a file is never touched.
        """
        if not finite:
            raise ModelFileError(
                "a score is not finite, so that the weights, the intercept or the idf contradict "
                "themselves",
                where=str(self.file.path),
            )

    def scores_and_known(
        self, texts: Sequence[str | bytes]
    ) -> tuple[list[tuple[float, ...]], list[int]]:
        """Scores, and the number of distinct known terms of each text."""
        scores, known = self.scorer.scores_and_known(
            self.prepare(texts), count_workers(None), batches.LEAST_SHARE
        )
        return self._tuples(scores), known

    def _tuples(self, scores: bytes) -> list[tuple[float, ...]]:
        rows = list(struct.iter_unpack(f"={self.n_outputs}d", scores))
        self.check_finite(all(map(math.isfinite, chain.from_iterable(rows))))
        return rows

    def predict(self, texts: Iterable[str | bytes]) -> list[Hashable]:
        """The label of each text; of several a tuple of labels, or of the values of each."""
        answer, classes, threshold = self.decision.answer_row, self.classes, self.threshold
        return [answer(classes, one, threshold) for one in self.scores(read_texts(texts))]

    def explain(
        self,
        text: str | bytes,
        top: int | None = None,
        *,
        threshold: float | None = None,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why this text gets its class; see :meth:`hardlimit.TextClassifier.explain`."""
        # Start-up: `hardlimit predict` asks for scores only, and starts 4 ms sooner.
        from hardlimit.classifiers.model import explanation as made

        check_one_text(text)
        threshold = self.threshold if threshold is None else threshold
        scores = self.scores([text])[0]
        opposed = self.decision.oppose(self.classes, scores, threshold, against, label)
        own = opposed.outputs
        terms = [
            made.TermContribution(str(self.scorer.term(row)), value, value * opposed.toward(w[own]))
            for _, value, row, w in self.scorer.contributions(self.prepare([text])[0])
        ]
        intercept = opposed.toward(self.intercept[own])
        return made.explain(opposed.labels, terms, intercept, top, block_of=made.block_of_term)


def finite(number: float) -> float:
    """The number; NaN and infinity are refused."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is not finite")
    return number


def intercept_of(header: Mapping[str, Any]) -> list[float]:
    """The intercepts of a file's header, finite."""
    return [finite(float.fromhex(text)) for text in header["intercept"]]


def has_votes(file: model_file.ModelFile) -> bool:
    """Whether the answer of this file is a vote, and not one weight vector for each class."""
    return any(name.startswith(VOTES) for name in file.names)


def open_answer(path: str | os.PathLike[str]) -> TextAnswer:
    """Open the answer of a text model.

    Cost: the header; a large model is read where it is touched.
    """
    file = model_file.open(path)
    return TextAnswer(file if file.kind == KIND + MANY else model_file.open(path, KIND))
