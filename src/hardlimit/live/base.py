"""What corrections lie on: the answer of a model file, and rows made of what it is asked about."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast

from hardlimit import model_file
from hardlimit._native import LiveRow, LiveTextReader, Overlay
from hardlimit.classifiers.model.forms import ONE_TEXT, NumbersForm
from hardlimit.classifiers.model.text_answer import TextAnswer
from hardlimit.examples.texts import check_one_text, read_texts
from hardlimit.exceptions import CorrectionError, Given, ModelFileError
from hardlimit.live.confidence import Confidence

Batch = TypeVar("Batch")
# What ledger and inbox keep of an example.
Kept = str | bytes | None


class Base(Protocol[Batch]):
    """The answer of a model file, read-only.

    digest : of the file.
    threshold, own_threshold : what decides, and what would by the file.
    bias : the feature of the bias; 0 without one.
    form : what an example is.
    grows : whether corrections add terms.
    needs_state : whether a new file can be written only where the file has its training state.
    precision : of the weights in a file, as numpy names it.
    confidence : where its probabilities begin.
    intercept : by output.
    words_in_a_row : of the longest terms of texts; 0 of rows, which are no texts with places.
    """

    path: str
    digest: str
    classes: list[Hashable]
    threshold: float
    own_threshold: float
    bias: float
    intercept: list[float]
    form: NumbersForm
    words_in_a_row: int
    grows: bool
    needs_state: bool
    precision: str
    metadata: dict[str, Any]
    confidence: Confidence

    def keep(self, example: object) -> Kept:
        """Return an example as ledger and inbox keep it; None of a row of numbers."""

    def row(self, overlay: Overlay, example: object, learn: bool) -> LiveRow:
        """Return an example as corrections see it; ``learn`` adds terms that nobody knows."""

    def batch(self, examples: object) -> Batch:
        """Return several examples, checked."""

    def kept(self, batch: Batch) -> Sequence[str | bytes]:
        """Return the examples of a batch as the inbox keeps them: none of rows of numbers."""

    def rows(self, overlay: Overlay, batch: Batch) -> list[LiveRow]:
        """Return the rows of a batch."""

    def each(self, batch: Batch) -> Iterable[Batch]:
        """Yield the examples of a batch, each as a batch of its own."""

    def scores(self, overlay: Overlay, batch: Batch) -> tuple[bytes, Sequence[int | None]]:
        """Return the scores of a batch, doubles, ``overlay.n_outputs`` an example.

        And how many terms of each are known: :func:`count_known`.
        """

    def name(self, column: int) -> str:
        """Return the name of a column."""

    def weights_of(self, column: int) -> list[float]:
        """Return the weights of a column, by output."""

    def width(self, model: Grown, n_columns: int) -> int:
        """Return how many columns of weights a new file has, of a model that had so many."""

    def read_again(self, kept: Kept, row: LiveRow) -> object:
        """Return what a row of the ledger was made of, as a model takes it; None if unknown."""


class Grown(Protocol):
    """A model whose terms may be more than those of its training."""

    vectorizer: Any


class TextBase:
    """A text model: terms are looked up where they lie in the file."""

    form: NumbersForm = ONE_TEXT
    needs_state = True  # which has the vocabulary
    precision = "float32"

    def __init__(self, file: model_file.ModelFile) -> None:
        self.answer = TextAnswer(file)
        self.path, self.digest = file.path, file.digest
        self.classes, self.threshold = self.answer.classes, self.answer.threshold
        self.own_threshold = self.threshold
        parameters, text = self.answer.header["parameters"], self.answer.header["text"]
        self.bias = float(parameters["bias_feature"]) if parameters["fit_intercept"] else 0.0
        self.words_in_a_row = int((text.get("words") or (1, 1))[1])
        # Whoever chose the terms wants no others.
        self.grows = text.get("closed") is not True
        self.reader = LiveTextReader(self.answer.scorer, self.grows)
        self.intercept = self.answer.intercept
        self.metadata: dict[str, Any] = self.answer.header.get("metadata", {})
        self.confidence = read_confidence(file)

    def keep(self, example: object) -> Kept:
        """Return a text as it is."""
        check_one_text(example)
        return cast(str | bytes, example)

    def row(self, overlay: Overlay, example: object, learn: bool) -> LiveRow:
        """Return the row of a text."""
        check_one_text(example)
        row = self.reader.read(overlay, self.answer.prepare([cast(str | bytes, example)])[0], learn)
        self.answer.check_finite(all(map(math.isfinite, row.base)))
        return row

    def batch(self, examples: object) -> list[Any]:
        """Return the texts."""
        return self.answer.prepare(read_texts(examples))

    def kept(self, batch: list[Any]) -> list[Any]:
        """Return the texts."""
        return batch

    def rows(self, overlay: Overlay, batch: list[Any]) -> list[LiveRow]:
        """Return the rows of texts."""
        return [self.row(overlay, one, False) for one in batch]

    def each(self, batch: list[Any]) -> Iterable[list[Any]]:
        """Yield each text."""
        return ([one] for one in batch)

    def scores(self, overlay: Overlay, batch: list[Any]) -> tuple[bytes, list[int]]:
        """Return the scores of texts, and how many terms of each are known."""
        return overlay.scores_of_texts(self.answer.scorer, self.grows, batch)

    def name(self, column: int) -> str:
        """Return the term of a column."""
        return str(self.answer.scorer.name_of_column(column)) or f"column {column}"

    def weights_of(self, column: int) -> list[float]:
        """Return the weights of a column, by output."""
        return self.answer.scorer.weights_of_column(column) or [0.0] * self.answer.n_outputs

    def width(self, model: Grown, n_columns: int) -> int:
        """Return how many terms there are, with those of corrections."""
        return int(model.vectorizer.n_columns_)

    def read_again(self, kept: Kept, row: LiveRow) -> object:
        """Return the text of an entry."""
        return kept


def read_confidence(file: model_file.ModelFile) -> Confidence:
    """Return the slope that a model file has for probabilities, or 1."""
    stored = file.header.get("slope")
    if stored is None:
        return Confidence(1.0, False)
    try:
        slope = float.fromhex(stored)
        if not 0 < slope < math.inf:
            raise ValueError(f"the slope {slope} of the probabilities is not above 0")
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(
            f"the header is incomplete ({error!r})", where=str(file.path)
        ) from None
    return Confidence(slope, True)


def count_known(base: Base[Any], row: LiveRow) -> int | None:
    """Return how many distinct terms of an example the base or a correction knows.

    The terms of a row of several columns are its words, categories and numbers other than 0. None
    of a row of numbers alone, whose columns are the same in every row.
    """
    return row.n_known if base.form.counted else None


def check_row(row: LiveRow, example: object) -> None:
    """Refuse an example without a feature, which no weight could move."""
    if row.n_known == 0:
        raise CorrectionError(
            "it has no known and no new term, so that no weight could move its answer",
            who="correct",
            parameter="text",
            got=Given(repr(example)[:80]),
            topic="no-features",
        )
