"""What the sections of a report draw from: a model, labelled rows, and the answers, found once."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hardlimit import describing, evaluation
from hardlimit.classifiers import load
from hardlimit.engine import is_sparse
from hardlimit.evaluation import Figures
from hardlimit.exceptions import FileError, InputError, KindError, NotFittedError
from hardlimit.reports._data_facts import DataFacts

Array = np.ndarray[Any, Any]
CONFIDENCE = 0.95


class FileFacts(NamedTuple):
    """Of the model file: bytes, and their SHA-256."""

    size: int
    digest: str


@dataclass
class Data:
    """Rows with labels; None where the rows have none."""

    examples: Any
    labels: list[Any] | None

    def __len__(self) -> int:
        if isinstance(self.examples, list):
            return len(self.examples)
        return int(self.examples.shape[0])


@dataclass
class Study:
    """A model and the rows it is judged by.

    Everything that sections share is computed when first asked for, once.
    """

    model: Any
    data: Data
    train: Data | None = None
    positive: Any = None
    columns: Sequence[Any] = ()
    file: FileFacts | None = None
    calibration: Any = None
    examples_shown: int = 8
    notes: list[str] = field(default_factory=list)

    @cached_property
    def facts(self) -> DataFacts:
        """Duplicates and the like."""
        return DataFacts(self)

    @cached_property
    def is_text(self) -> bool:
        """Whether rows are texts."""
        return describing.takes_texts(self.model)

    @property
    def thing(self) -> str:
        """What a row is called."""
        return "text" if self.is_text else "row"

    @cached_property
    def many(self) -> bool:
        """Whether a row has several labels."""
        return bool(self.model._classes.many)

    @cached_property
    def classes(self) -> list[Any]:
        """The classes that the model knows, in its order."""
        return list(self.model._classes.numbers)

    @property
    def threshold(self) -> float:
        """With two classes, a score above it means the second."""
        return float(self.model._threshold)

    @cached_property
    def is_vote(self) -> bool:
        """Whether the answer is a vote, which has no weights to explain."""
        return str(self.model._readout) == "voted"

    @cached_property
    def has_weights(self) -> bool:
        """Whether a score is a sum over columns or terms."""
        return not self.is_vote and not hasattr(self.model, "kernel")

    @cached_property
    def _answers(self) -> tuple[Array, Array | None]:
        """Scores (n, outputs), and of texts how many of their terms the model knows."""
        frozen = getattr(self.model, "_frozen", None)
        if frozen is not None:
            scores, known = frozen.scores_and_known(self.data.examples)
            return np.array(scores).reshape(-1, frozen.n_outputs), np.array(known)
        scores = np.asarray(self.model.decision_function(self.data.examples), np.float64)
        wide = scores.reshape(len(self.data), -1)
        if not self.is_text:
            return wide, None
        ends = self.model.vectorizer_.rows(self.data.examples).indptr
        return wide, np.diff(ends)

    @property
    def scores(self) -> Array:
        """Scores (n, outputs); of two classes one, positive for the second."""
        return self._answers[0]

    @property
    def known(self) -> Array | None:
        """How many terms of each text the model knows; None of rows of numbers."""
        return self._answers[1]

    @cached_property
    def rows(self) -> Any:
        """The texts as rows of the engine, featurised once; None for a model of numbers.

        Asks for the training state of a loaded model, which holds the vectorizer.
        """
        if not self.is_text:
            return None
        with self.model._state.lock:
            return self.model._rows(self.featurised)

    @cached_property
    def featurised(self) -> Any:
        """What the vectorizer makes of the texts."""
        return self.model.vectorizer_.rows(self.data.examples)

    @cached_property
    def features(self) -> Any:
        """The rows as the model's weights see them, dense or CSR; None where it was saved slim."""
        if not self.is_text:
            return self.data.examples
        try:
            return self.featurised
        except NotFittedError:  # saved without its training state
            return None

    @cached_property
    def said(self) -> list[Any]:
        """The answer to each row."""
        numbers = self.model._classes.chosen(self.scores, self.threshold)
        return [self.classes[number] for number in numbers.tolist()]

    @cached_property
    def lead(self) -> Array:
        """How far the answer is ahead of its best rival, at least 0."""
        if self.scores.shape[1] == 1:
            ahead: Array = np.abs(self.scores[:, 0] - self.threshold)
            return ahead
        two = np.partition(self.scores, -2, axis=1)[:, -2:]
        found: Array = two[:, 1] - two[:, 0]
        return found

    @cached_property
    def true(self) -> list[Any]:
        """The labels, in the words of the model."""
        assert self.data.labels is not None  # a slip of ours: sections ask `labelled` first
        return evaluation.as_known(self.data.labels, self.classes)

    @property
    def labelled(self) -> bool:
        """Whether the rows have labels to judge by."""
        return self.data.labels is not None

    @property
    def judged(self) -> bool:
        """Whether there are figures of one label a row."""
        return self.labelled and not self.many

    @cached_property
    def right(self) -> Array:
        """Whether each answer is the label."""
        return np.fromiter((a == b for a, b in zip(self.said, self.true, strict=True)), bool)

    @cached_property
    def figures(self) -> Figures:
        """The figures, as ``hardlimit evaluate`` tells them."""
        counted = self.model.metadata.get(describing.COUNTS) or [[None, 0]]
        return evaluation.figures(
            self.true,
            self.said,
            classes=self.classes,
            majority=max(counted, key=lambda pair: pair[1])[0],
            confidence=CONFIDENCE,
        )

    @cached_property
    def counts(self) -> Counter[Any]:
        """How often each label occurs."""
        return Counter(self.true)

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weights (outputs, columns) and intercepts of a model of numbers."""
        return self.model.coef_, self.model.intercept_

    @cached_property
    def sides(self) -> tuple[Array, Array] | None:
        """Of two classes: scores that grow towards the positive one, and the truth.

        Rows of unknown labels are left out; None where one side is empty.
        """
        if len(self.classes) != 2 or not self.judged:
            return None
        known = [place for place, label in enumerate(self.true) if label in self.classes]
        truth = np.fromiter((self.true[place] == self.positive for place in known), bool)
        sign = 1.0 if self.positive == self.classes[1] else -1.0
        return (sign * self.scores[known, 0], truth) if truth.any() and not truth.all() else None

    @property
    def bar(self) -> float:
        """What a score of `sides` must exceed for the positive class."""
        return evaluation.toward(self.positive == self.classes[1], self.threshold)


def study(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    train: tuple[Any, Any] | None = None,
    positive: Any = None,
    columns: Sequence[Any] | None = None,
    examples: int = 8,
    file: str | os.PathLike[str] | None = None,
) -> Study:
    """Open the model where it is a path, and check what was given."""
    if not isinstance(examples, int) or examples < 0:
        raise InputError(f"report: examples={examples!r}: wanted a whole number of at least 0")
    if isinstance(model, str | os.PathLike):
        file, model = model, load(model)
    calibration = getattr(model, "calibration_", None)
    model = getattr(model, "model_", model)  # of an estimator
    if not hasattr(type(model), "_classes"):
        raise KindError(
            f"report: got {type(model).__name__}, wanted a classifier of hardlimit, fitted, or the "
            "path of a model file"
        )
    model._classes  # noqa: B018 - raises where it was not fitted
    is_text = describing.takes_texts(model)
    found = Study(
        model,
        _data(X, y, is_text, "X"),
        train=None if train is None else _data(*train, is_text, "train"),
        columns=list(columns) if columns is not None else _columns(model),
        file=None if file is None else _facts_of(file),
        calibration=calibration,
        examples_shown=examples,
    )
    if len(found.data) == 0:
        raise InputError("report: got no rows, wanted at least one to report on")
    found.positive = _positive(found, positive)
    return found


def _facts_of(path: str | os.PathLike[str]) -> FileFacts:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return FileFacts(file.tell(), digest)
    except OSError as error:
        raise FileError(f"{os.fsdecode(path)}: {error.strerror}") from error


def _data(X: Any, y: Any, is_text: bool, name: str) -> Data:
    if is_text:
        if isinstance(X, str | bytes) or not hasattr(X, "__iter__"):
            raise KindError(
                f"report: {name}: got {type(X).__name__}, wanted texts, since the model was "
                "trained on texts: [text, ...]"
            )
        X = list(X)
        strange = next((one for one in X if not isinstance(one, str | bytes)), None)
        if strange is not None:
            raise KindError(
                f"report: {name}: got {type(strange).__name__} among the texts, wanted str or "
                "bytes: the model was trained on texts"
            )
    else:
        X = _numbers(X, name)
    data = Data(X, None if y is None else list(y.tolist() if hasattr(y, "tolist") else y))
    if data.labels is not None and len(data.labels) != len(data):
        raise InputError(
            f"report: {name}: got {len(data)} rows and {len(data.labels)} labels, wanted one label "
            "a row"
        )
    return data


def _numbers(X: Any, name: str) -> Any:
    """Rows of numbers, dense or CSR with ascending columns; the caller's stay as they are."""
    if hasattr(X, "tocsr"):  # of scipy
        rows = X.tocsr(copy=True)
        rows.sum_duplicates()
        return rows
    if is_sparse(X):
        return X
    texts = not hasattr(X, "shape") and any(isinstance(one, str | bytes) for one in X)
    if isinstance(X, str | bytes) or texts:
        raise KindError(
            f"report: {name}: got texts, wanted rows of numbers, since the model was trained on "
            "numbers"
        )
    try:
        rows = np.asarray(X, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"report: {name}: {error}; wanted rows of as many numbers each") from None
    if rows.ndim != 2:
        raise InputError(f"report: {name}: got shape {rows.shape}, wanted (n_rows, n_columns)")
    return rows


def _columns(model: Any) -> list[Any]:
    """The names of the columns of numbers that the model file remembers."""
    return list(describing.layout_of(model.metadata).get("columns") or ())


def _positive(found: Study, asked: Any) -> Any:
    """The positive of two classes: the one asked for, that of the file, else the second."""
    classes = found.classes
    if len(classes) != 2 or found.many:
        if asked is not None:
            raise InputError(
                f"report: positive={asked!r}: only with two classes; the model has {len(classes)}"
            )
        return None
    remembered = found.model.metadata.get(describing.POSITIVE)
    for wanted in (asked, remembered):
        for label in classes:
            if wanted is not None and (label == wanted or str(label) == str(wanted)):
                return label
        if wanted is not None and wanted is asked:
            there = " and ".join(map(repr, classes))
            raise InputError(f"report: positive={asked!r}: no such class; the model has {there}")
    return classes[1]
