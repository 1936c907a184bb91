"""What corrections lie on: the answer of a model file, and rows made of what it is asked about."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from hardlimit import model_file
from hardlimit._native import LiveRow, LiveTextReader, Overlay
from hardlimit.classifiers.model.forms import ONE_TEXT, NumbersForm
from hardlimit.classifiers.model.text_answer import TextAnswer
from hardlimit.examples.texts import check_one_text, read_texts
from hardlimit.exceptions import CorrectionError, Given, ModelFileError
from hardlimit.live.confidence import Confidence


class Base(Protocol):
    """The answer of a model file, read-only.

    fingerprint : of all that the file holds.
    threshold, own_threshold : what decides, and what would by the file.
    bias : the feature of the bias; 0 without one.
    takes_texts : whether an example is kept as a text, which ledger and inbox show.
    form : what an example is.
    columns : the names of those that an example has; none of one text or of a row of numbers.
    grows : whether corrections add terms.
    needs_state : whether a new file can be written only where the file has its training state.
    precision : of the weights in a file, as numpy names it.
    confidence : where its probabilities begin.
    intercept : by output.
    words_in_a_row : of the longest terms of texts; 0 of rows of numbers.
    """

    path: str
    fingerprint: str
    classes: list[Hashable]
    threshold: float
    own_threshold: float
    bias: float
    intercept: list[float]
    takes_texts: bool
    form: NumbersForm
    columns: tuple[str, ...]
    words_in_a_row: int
    grows: bool
    needs_state: bool
    precision: str
    metadata: dict[str, Any]
    confidence: Confidence

    def keep(self, example: object) -> Any:
        """Return an example as ledger and inbox keep it."""

    def row(self, overlay: Overlay, example: Any, learn: bool) -> LiveRow:
        """Return an example as corrections see it; ``learn`` adds terms that nobody knows."""

    def rows(self, overlay: Overlay, examples: Any) -> list[LiveRow]:
        """Return the rows of a batch."""

    def batch(self, examples: object) -> Any:
        """Return several examples as they are kept, checked."""

    def scores(self, overlay: Overlay, examples: Any) -> tuple[bytes, Sequence[int | None]]:
        """Return the scores of a batch, doubles, ``overlay.n_outputs`` an example.

        And how many terms of each are known: :func:`count_known`.
        """

    def name(self, column: int) -> str:
        """Return the name of a column."""

    def weights_of(self, column: int) -> list[float]:
        """Return the weights of a column, by output."""

    def width(self, model: Any, n_columns: int) -> int:
        """Return how many columns of weights a new file has, of a model that had so many."""

    def read_again(self, text: object, row: LiveRow) -> Any:
        """Return what a row of the ledger was made of, as a model takes it; None if unknown."""


class TextBase:
    """A text model: terms are looked up where they lie in the file."""

    takes_texts = True
    form: NumbersForm = ONE_TEXT
    columns: tuple[str, ...] = ()
    needs_state = True  # which has the vocabulary
    precision = "float32"

    def __init__(self, file: model_file.ModelFile) -> None:
        self.answer = TextAnswer(file)
        self.path, self.fingerprint = file.path, file.digest
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

    def keep(self, example: object) -> Any:
        """Return a text as it is."""
        return example

    def row(self, overlay: Overlay, example: Any, learn: bool) -> LiveRow:
        """Return the row of a text."""
        check_one_text(example)
        row = self.reader.read(overlay, self.answer.prepare([example])[0], learn)
        self.answer.check_finite(all(map(math.isfinite, row.base)))
        return row

    def rows(self, overlay: Overlay, examples: list[Any]) -> list[LiveRow]:
        """Return the rows of texts."""
        return [self.row(overlay, one, False) for one in examples]

    def batch(self, examples: object) -> list[Any]:
        """Return the texts."""
        return self.answer.prepare(read_texts(examples))

    def scores(self, overlay: Overlay, examples: list[Any]) -> tuple[bytes, list[int]]:
        """Return the scores of texts, and how many terms of each are known."""
        return overlay.scores_of_texts(self.answer.scorer, self.grows, examples)

    def name(self, column: int) -> str:
        """Return the term of a column."""
        return str(self.answer.scorer.name_of_column(column)) or f"column {column}"

    def weights_of(self, column: int) -> list[float]:
        """Return the weights of a column, by output."""
        return self.answer.scorer.weights_of_column(column) or [0.0] * self.answer.n_outputs

    def width(self, model: Any, n_columns: int) -> int:
        """Return how many terms there are, with those of corrections."""
        return int(model.vectorizer.n_columns_)

    def read_again(self, text: object, row: LiveRow) -> Any:
        """Return the text of an entry."""
        return text


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


def count_known(base: Base, row: LiveRow) -> int | None:
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
