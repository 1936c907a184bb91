"""What the sections of a report share: a model, labelled rows, and the predictions, made once.

Sections ask the `Study`; what they need from inside the model is asked here and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hardlimit import describing, evaluation
from hardlimit.classifiers import load
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.evaluation import Figures
from hardlimit.examples._protocol import Examples
from hardlimit.examples.dense import read_numbers
from hardlimit.examples.tuples import read_tuples
from hardlimit.exceptions import FileError, Given, InputError, KindError, NotFittedError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import as_column, check_feature_names, column_names
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.reports._data_facts import DataFacts
from hardlimit.reports._markup import cut_label
from hardlimit.reports._rows import check_numbers, check_texts
from hardlimit.tables.rows import as_table, as_texts
from hardlimit.text.batches import Texts

Array = np.ndarray[Any, Any]
CONFIDENCE = 0.95


class FileFacts(NamedTuple):
    """Of the model file: bytes, and their SHA-256."""

    size: int
    digest: str


@dataclass
class Data:
    """Rows with labels; None where the rows have none.

    examples : as the model takes them.    read : the same as examples to be compared.
    """

    examples: Any
    read: Examples
    labels: list[Any] | None

    def __len__(self) -> int:
        return len(self.read)


@dataclass
class Study:
    """A model and the rows it is judged by.

    Everything that sections share is computed when first asked for, once.
    """

    model: Any
    data: Data
    train: Data | None = None
    positive: Hashable = None
    columns: Sequence[Any] = ()
    file: FileFacts | None = None
    calibration: Any = None
    examples_shown: int = 8
    notes: list[str] = field(default_factory=list)

    @cached_property
    def data_facts(self) -> DataFacts:
        """Duplicates, labels that disagree, rows that training has seen."""
        labels = self.true if self.is_judged else None
        train = None if self.train is None else self.train.read
        return DataFacts(self.data.read, self.is_text, labels, train)

    @cached_property
    def is_text(self) -> bool:
        """Whether rows are texts."""
        return bool(self.fitted.form.counted)

    @cached_property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of texts of a row; none where a row is one text, or numbers."""
        columns: tuple[str, ...] = self.fitted.form.columns
        return columns

    def texts_of(self, place: int) -> dict[str, str]:
        """Return the texts of a row by their columns; of a table its columns of texts alone."""
        found: dict[str, str] = self.fitted.form.texts_of(self.data.examples[place])
        return found

    @cached_property
    def value_columns(self) -> tuple[str, ...]:
        """Of a table the columns of numbers and categories."""
        kinds = self.fitted.form.kinds
        return tuple(name for name, kind in kinds.items() if kind != "text")

    @property
    def thing(self) -> str:
        """What a row is called."""
        noun: str = self.fitted.form.noun
        return noun

    @property
    def fitted(self) -> Any:
        """The fitted model inside the classifier."""
        return self.model.fitted

    @cached_property
    def has_label_sets(self) -> bool:
        """Whether a row has several labels."""
        return bool(self.fitted.classes.pick(False, True, lambda _: True))

    @cached_property
    def classes(self) -> list[Any]:
        """The classes that the model knows, in its order."""
        return list(self.fitted.classes.numbers)

    @cached_property
    def kept(self) -> list[str]:
        """The read-outs that can still answer; none where the file has no training state."""
        try:
            return [name for name in self.fitted.choices.kept if self.fitted.state.remembers(name)]
        except (NotFittedError, InputError):  # a slim file; a rule of the user's
            return []

    @property
    def readout(self) -> str:
        """The read-out that the model predicts with."""
        return str(self.fitted.choices.readout)

    def predict_with(self, readout: str) -> list[Any]:
        """Return the predictions of another read-out of the same fit.

        Raises
        ------
        InputError
            The votes would cost more than their budget.
        """
        other = self.model.with_readout(readout)
        if self.rows is None:
            scores = np.asarray(other.decision_function(self.data.examples))
            scores = scores.reshape(len(self.data), -1)
        else:
            # another thread may be learning on: scores of a moving state mix two models
            with other.fitted.state.reading:
                scores = other.fitted.scores(self.rows)
        return self._choose(scores)

    def _choose(self, scores: Array) -> list[Any]:
        numbers = self.fitted.classes.choose(scores, self.threshold)
        return [self.classes[number] for number in numbers.tolist()]

    @cached_property
    def label_sets(self) -> Array:
        """Of a model of several labels a row: whether each row has each label, (n, classes)."""
        book, labels = self.fitted.classes, self.data.labels
        # A matrix of words looks like sets of labels once it is a list of lists.
        given = book.pick(labels, labels, lambda _: np.array(labels, object))
        return np.asarray(many_labels.read_targets(given, book).truth)

    @cached_property
    def features_in_words(self) -> str:
        """What the model makes of its input, in words."""
        if self.is_text:  # a file may have been saved without its vectorizer
            return describing.text_features(self.fitted.features())
        return describing.features(self.model)

    @property
    def threshold(self) -> float:
        """With two classes, a score above it means the second."""
        return float(self.fitted.threshold)

    @property
    def decision(self) -> str:
        """Which of two classes is predicted when, in words."""
        classes = [cut_label(x) if isinstance(x, str | bytes) else x for x in self.classes]
        return describing.decision(classes, self.threshold)

    @cached_property
    def is_vote(self) -> bool:
        """Whether the model predicts by a vote, which has no weights to explain."""
        return self.readout == "voted"

    @cached_property
    def has_weights(self) -> bool:
        """Whether a score is a sum over columns or terms."""
        return not self.is_vote and not hasattr(self.model, "kernel")

    @cached_property
    def _answers(self) -> tuple[Array, Array | None]:
        """Scores (n, outputs), and of texts how many of their terms the model knows."""
        if self.is_text:
            scores, known = self.fitted.scores_and_known(self.data.examples)
            return scores, known
        scores = np.asarray(self.model.decision_function(self.data.examples), np.float64)
        return scores.reshape(len(self.data), -1), None

    @property
    def scores(self) -> Array:
        """Scores (n, outputs); of two classes one, positive for the second."""
        return self._answers[0]

    @property
    def known_terms(self) -> Array | None:
        """How many terms of each text the model knows; None of rows of numbers."""
        return self._answers[1]

    @cached_property
    def rows(self) -> Any:
        """The texts as rows of the engine, featurised once; None for a model of numbers.

        Asks for the training state of a loaded model, which holds the vectorizer.
        """
        if not self.is_text:
            return None
        with self.fitted.state.reading:
            return self.fitted.rows(self.featurised)

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
    def predicted(self) -> list[Any]:
        """The prediction for each row."""
        return self._choose(self.scores)

    @cached_property
    def leads(self) -> Array:
        """How far each prediction is ahead of its best rival, at least 0."""
        if self.scores.shape[1] == 1:
            ahead: Array = np.abs(self.scores[:, 0] - self.threshold)
            return ahead
        # the two largest are enough; the order of the others does not matter
        two = np.partition(self.scores, -2, axis=1)[:, -2:]
        leads: Array = two[:, 1] - two[:, 0]
        return leads

    @cached_property
    def misses(self) -> Array:
        """How far each prediction is ahead of the true class; 0 where that is not another one."""
        if self.scores.shape[1] == 1:
            ahead: Array = np.where(self.correct, 0.0, self.leads)
            return ahead
        numbers = {label: number for number, label in enumerate(self.classes)}
        places = range(len(self.data))
        chosen = [numbers[label] for label in self.predicted]
        true = [numbers.get(label, at) for label, at in zip(self.true, chosen, strict=True)]
        difference: Array = self.scores[places, chosen] - self.scores[places, true]
        return difference

    @cached_property
    def true(self) -> list[Any]:
        """The labels, in the words of the model."""
        assert self.data.labels is not None  # a slip of ours: sections ask `labelled` first
        # a file gives "1" where the model learnt 1
        return evaluation.match_labels(self.data.labels, self.classes)

    @property
    def has_labels(self) -> bool:
        """Whether the rows have labels to judge by."""
        return self.data.labels is not None

    @property
    def is_judged(self) -> bool:
        """Whether each row has one label, so that predictions can be right or wrong."""
        return self.has_labels and not self.has_label_sets

    @cached_property
    def correct(self) -> Array:
        """Whether each prediction is the label."""
        return np.fromiter((a == b for a, b in zip(self.predicted, self.true, strict=True)), bool)

    @cached_property
    def figures(self) -> Figures:
        """The figures that ``hardlimit evaluate`` prints."""
        # the majority of training: that of the rows to be judged is known to nobody beforehand
        counted = self.model.metadata.get(describing.COUNTS) or [[None, 0]]
        return evaluation.figures(
            self.true,
            self.predicted,
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
    def weighed(self) -> Any:
        """The rows as the weights are about: those of a map, where the model has one."""
        own_map = self.fitted.map
        examples = self.data.examples
        return examples if own_map is None else own_map.transform(examples)

    @cached_property
    def weighed_names(self) -> list[Any]:
        """The names of the columns that the weights are about, where they are known."""
        own_map = self.fitted.map
        if own_map is None:
            return list(self.columns)
        names: list[Any] = own_map.formulas(self.columns or None)
        return names

    @cached_property
    def positive_scores(self) -> tuple[Array, Array] | None:
        """Of two classes: scores that grow towards the positive one, and the truth.

        Rows of unknown labels are left out; None where one side is empty.
        """
        if len(self.classes) != 2 or not self.is_judged:
            return None
        known = [place for place, label in enumerate(self.true) if label in self.classes]
        truth = np.fromiter((self.true[place] == self.positive for place in known), bool)
        # scores grow towards the second class, but the first may be the positive one
        sign = 1.0 if self.positive == self.classes[1] else -1.0
        return (sign * self.scores[known, 0], truth) if truth.any() and not truth.all() else None

    @property
    def positive_threshold(self) -> float:
        """What a score of `sides` must exceed for the positive class."""
        return evaluation.orient_threshold(self.positive == self.classes[1], self.threshold)


def open_study(
    model: Any,
    X: ArrayLike | Texts,
    y: Labels | None = None,
    *,
    train: tuple[Any, Any] | None = None,
    positive: Hashable = None,
    columns: Sequence[Any] | None = None,
    examples: int = 8,
    file: str | os.PathLike[str] | None = None,
) -> Study:
    """Open the model where it is a path, check the rows, and return the study."""
    if not isinstance(examples, int) or examples < 0:
        wanted = "a whole number of at least 0"
        raise InputError(who="report", parameter="examples", got=examples, wanted=wanted)
    if isinstance(model, str | os.PathLike):
        file, model = model, load(model)
    # before the estimator is taken off: the model inside knows no probabilities
    calibration = getattr(model, "calibration_", None)
    model = getattr(model, "model_", model)  # of an estimator
    if not hasattr(type(model), "fitted"):
        raise KindError(
            who="report",
            got=Given(type(model).__name__),
            wanted="a fitted classifier of hardlimit, or the path of a model file",
        )
    calibration = calibration or model.fitted.slope  # raises where it was not fitted
    check_feature_names(model.fitted.feature_names, X, "report")
    study = Study(
        model,
        _check_data(model, X, y, "X"),
        train=None if train is None else _check_data(model, *train, "train"),
        columns=list(columns) if columns is not None else _remembered_columns(model),
        file=None if file is None else _read_file_facts(file),
        calibration=calibration,
        examples_shown=examples,
    )
    if len(study.data) == 0:
        raise InputError("there are no rows to report on", who="report")
    study.positive = _choose_positive(study, positive)
    return study


def _read_file_facts(path: str | os.PathLike[str]) -> FileFacts:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return FileFacts(file.tell(), digest)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=os.fsdecode(path)) from error


def decode(text: str | bytes) -> str:
    """Return a text that may have come as bytes."""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _check_data(model: Any, X: ArrayLike | Texts, y: Labels | None, name: str) -> Data:
    rows, read = model.fitted.form.do(_ReadingRows(X, model.fitted.form.columns, name))
    if hasattr(y, "to_pylist") or len(column_names(y) or ()) == 1:
        y = as_column(y, "labels", "labels")
    elif hasattr(y, "to_numpy"):  # a table of several labels
        y = y.to_numpy()  # type: ignore[union-attr]
    data = Data(rows, read, None if y is None else list(y.tolist() if hasattr(y, "tolist") else y))
    if data.labels is not None and len(data.labels) != len(data):
        got = Given(f"{plural(len(data), 'row')} and {plural(len(data.labels), 'label')} in {name}")
        raise InputError(who="report", got=got, wanted="one label for each row")
    return data


class _ReadingRows(ByForm[tuple[Any, Any]]):
    """Checks the rows of a report; returns them as they are shown, and as they are read."""

    def __init__(self, X: object, columns: tuple[str, ...], name: str) -> None:
        self._X, self._columns, self._name = X, columns, name

    def numbers(self) -> tuple[Any, Any]:
        """Check rows of numbers."""
        rows: Any = check_numbers(self._X, self._name)
        return rows, read_numbers(rows)

    def one_text(self) -> tuple[Any, Any]:
        """Check texts."""
        texts = check_texts(self._X, self._name)
        return texts, texts

    def text_columns(self) -> tuple[Any, Any]:
        """Check texts in columns."""
        return self._read_tuples(lambda: self._X)

    def table(self) -> tuple[Any, Any]:
        """Check the rows of a table."""
        return self._read_tuples(lambda: as_texts(as_table(self._X, self._columns)))

    def _read_tuples(self, find: Callable[[], Any]) -> tuple[Any, Any]:
        try:
            rows = read_tuples(find(), self._columns)
        except (InputError, KindError) as error:
            raise error.replaced(who="report") from None
        return rows, rows


def _remembered_columns(model: Any) -> list[Any]:
    """Return the names of the columns of numbers that the model or its file remembers."""
    named = model.fitted.feature_names or ()
    return list(describing.layout_of(model.metadata).get("columns") or named)


def _choose_positive(study: Study, requested: Hashable) -> Any:
    """Return the positive of two classes: the one asked for, that of the file, else the second."""
    classes = study.classes
    if len(classes) != 2 or study.has_label_sets:
        if requested is not None:
            raise InputError(
                who="report",
                parameter="positive",
                got=requested,
                wanted=f"nothing: the model has {plural(len(classes), 'class', 'classes')}, not "
                "two",
            )
        return None
    remembered = study.model.metadata.get(describing.POSITIVE)
    for wanted in (requested, remembered):
        for label in classes:
            # as texts too: the command line gives every label as one
            if wanted is not None and (label == wanted or str(label) == str(wanted)):
                return label
        if wanted is not None and wanted is requested:
            wanted = " or ".join(map(repr, classes))
            raise InputError(who="report", parameter="positive", got=requested, wanted=wanted)
    return classes[1]
