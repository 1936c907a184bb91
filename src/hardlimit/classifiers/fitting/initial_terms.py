"""Weights that a fit begins at: of columns; of terms, by their names or of an earlier model."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hardlimit.classifiers.fitting.given import read_terms
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import check_started
from hardlimit.classifiers.model.initial_weights import NAME, check_units
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_dense
from hardlimit.foundation.types import ArrayLike, FloatArray

if TYPE_CHECKING:
    from hardlimit.text import TextVectorizer


WANTED = "a dict of terms and weights, a dict of these by class, or a TextClassifier"
# What decides the column of a hashed term.
HASHING = (
    "words", "chars", "hash_bits", "salt", "analyzer", "strip_accents", "stop_words"
)  # fmt: skip


class Start(Protocol):
    """Weights at the start, whose columns are known once the rows were looked at."""

    def at_start(self, vectorizer: TextVectorizer, book: LabelBook, bias: float) -> ArrayLike:
        """Return weights as a fit over numbers takes them; ``vectorizer``: of texts, or None."""

    @property
    def digest(self) -> str:
        """What tells these weights from others, for checkpoints."""


@dataclass(frozen=True)
class InitialColumns:
    """Weights of columns of numbers, and of the bias, as a user gave them."""

    weights: ArrayLike

    def at_start(self, vectorizer: TextVectorizer, book: LabelBook, bias: float) -> ArrayLike:
        """Return the weights: their columns are those of the rows."""
        return self.weights

    @property
    def digest(self) -> str:
        """What tells these weights from others."""
        return _digest(np.asarray(self.weights, np.float64))


@dataclass(frozen=True)
class InitialTerms:
    """Weights of terms, and of the bias, by output.

    classes : of each row, or of two classes both; None: one row, that of the second class
    terms : None where columns are hashed: the weights are then of all columns
    weights : (n_outputs, n_terms)
    intercept : (n_outputs,) the bias's weights times its feature
    settings : of the vectorizer, where columns are hashed
    """

    classes: tuple[Hashable, ...] | None
    terms: Sequence[str] | None
    weights: FloatArray
    intercept: FloatArray
    settings: Mapping[str, Any] | None = None

    @property
    def digest(self) -> str:
        """What tells these weights from others."""
        named = repr((self.classes, self.terms and list(self.terms), self.settings))
        return _digest(self.weights, self.intercept, named.encode())

    def columns(self, vectorizer: Any) -> list[int] | range:
        """Return the columns of the weights; terms that no text had are added."""
        if self.terms is not None:
            try:
                found: list[int] = vectorizer.add_terms(self.terms)
            except InputError as error:
                weight = Given(f"a weight of {error.got!r}")
                raise error.replaced(parameter=NAME, got=weight) from None
            return found
        if _hashing(vectorizer) != self.settings:
            raise InputError(
                "the model hashes its terms, so its weights are of columns and not of terms",
                parameter=NAME,
                got=Given(f"a TextClassifier of {dict(self.settings or {})}"),
                wanted="the same features, which give each term the same column",
            )
        return range(self.weights.shape[1])

    def at_start(self, vectorizer: TextVectorizer, book: LabelBook, bias: float) -> FloatArray:
        """Return weights as a fit over numbers takes them, (n_outputs, n_columns + 1)."""
        weights, intercept = self._by_output(book)
        columns = self.columns(vectorizer)
        n_columns, n_outputs = vectorizer.n_columns_, len(weights)
        require_dense(n_columns, n_outputs, 8)
        whole = np.zeros((n_outputs, n_columns + (bias != 0)))
        for row, own in zip(whole, weights, strict=True):
            # Two hashed terms may share a column, whose weight is then the sum of theirs.
            np.add.at(row, np.asarray(columns, np.int64), own)
        if bias:
            whole[:, -1] = intercept / bias
        return whole

    def _by_output(self, book: LabelBook) -> tuple[FloatArray, FloatArray]:
        """Return weights and intercepts of the outputs of these classes."""
        return book.pick(self._by_class, self._by_label, lambda _: self._by_label)(
            list(book.numbers)
        )

    def _by_class(self, known: list[Hashable]) -> tuple[FloatArray, FloatArray]:
        """Return weights and intercepts of classes, of which an example has one."""
        if self.classes is None:
            if len(known) == 2:
                return self.weights, self.intercept
            raise InputError(
                "one weight a term speaks for the second of two classes",
                parameter=NAME,
                got=Given(f"one weight a term and {plural(len(known), 'class', 'classes')}"),
                wanted="a dict of terms and weights for each class",
            )
        # The one row of two classes says nothing of a third.
        shared = len(self.classes) == 2 and len(self.weights) == 1
        if not set(self.classes) <= set(known) or (shared and len(known) > 2):
            raise InputError(
                parameter=NAME,
                got=Given(f"weights of the classes {_listed(self.classes)}"),
                wanted=f"weights of {_listed(known)}",
            )
        if shared:
            sign = 1 if tuple(known) == self.classes else -1
            return sign * self.weights, sign * self.intercept
        weights, intercept = self._spread(known)
        if len(known) > 2:
            return weights, intercept
        return weights[1:] - weights[:1], intercept[1:] - intercept[:1]

    def _by_label(self, known: list[Hashable]) -> tuple[FloatArray, FloatArray]:
        """Return weights and intercepts of several labels, each of which has its own."""
        classes = self.classes
        if classes is None or len(classes) != len(self.weights) or not set(classes) <= set(known):
            one = "one weight a term" if classes is None else f"weights of {_listed(classes)}"
            raise InputError(
                parameter=NAME,
                got=Given(one),
                wanted=f"a dict of terms and weights for each label, of {_listed(known)}",
            )
        return self._spread(known)

    def _spread(self, known: list[Hashable]) -> tuple[FloatArray, FloatArray]:
        """Return the weights in the order of these classes, 0 where there are none."""
        weights = np.zeros((len(known), self.weights.shape[1]))
        intercept = np.zeros(len(known))
        places = {label: place for place, label in enumerate(known)}
        for row, label in enumerate(self.classes or ()):
            weights[places[label]] = self.weights[row]
            intercept[places[label]] = self.intercept[row]
        return weights, intercept


def read_for(choices: Choices, given: object) -> InitialTerms | None:
    """Return the weights that were given; what does not go with them is refused before a text."""
    start = read(given)
    if start is not None:
        check_started(choices.combination, choices.kept)
    return start


def read_start(choices: Choices, given: Any) -> Start | None:
    """Return the weights that were given, of terms or columns, checked before any row is read."""
    if choices.text is not None or given is None:
        return read_for(choices, given)
    check_started(choices.combination, choices.kept)
    check_units(choices)
    return InitialColumns(given)


def _digest(*parts: Any) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for part in parts:
        if not isinstance(part, bytes):
            hashed.update(repr(part.shape).encode())
        hashed.update(part if isinstance(part, bytes) else part.tobytes())
    return hashed.hexdigest()


def read(given: Any) -> InitialTerms | None:
    """Return the weights that were given; None where none were.

    >>> found = read({"spam": {"free": 2.0, "win": 1.0}, "ham": {"lunch": 1.5}, "ad": {"free": 1}})
    >>> found.terms, found.weights.tolist()
    (['free', 'win', 'lunch'], [[2.0, 1.0, 0.0], [0.0, 0.0, 1.5], [1.0, 0.0, 0.0]])

    Raises
    ------
    InputError, KindError
        Something else, numbers that are not finite, a model that votes.
    """
    if given is None:
        return None
    # By the class: of one that is not fitted yet the model says so itself.
    model = given.fitted if hasattr(type(given), "fitted") else None
    if isinstance(model, TextModel):
        with model.reading:
            return _of_model(model)
    if not isinstance(given, Mapping) or not given:
        raise KindError(parameter=NAME, got=given, wanted=WANTED)
    if not any(isinstance(one, Mapping) for one in given.values()):
        return _of_rows(None, [given])
    if not all(isinstance(one, Mapping) for one in given.values()):
        raise KindError(parameter=NAME, got=given, wanted=WANTED)
    return _of_rows(tuple(given), list(given.values()))


def _of_rows(classes: tuple[Hashable, ...] | None, rows: list[Mapping[str, float]]) -> InitialTerms:
    read_rows = [read_terms(row, NAME).weights if row else {} for row in rows]
    terms = list(dict.fromkeys(term for row in read_rows for term in row))
    weights = np.array([[row.get(term, 0.0) for term in terms] for row in read_rows])
    return InitialTerms(classes, terms, weights, np.zeros(len(weights)))


def _of_model(model: TextModel) -> InitialTerms:
    weights = np.asarray(model.weights(), np.float64)
    intercept, by_column = weights[-1] * model.choices.bias, weights[:-1].T
    classes, vectorizer = tuple(model.classes.numbers), model.vectorizer
    if vectorizer.hash_bits is not None:
        return InitialTerms(classes, None, by_column, intercept, _hashing(vectorizer))
    used = np.flatnonzero(by_column.any(axis=0))
    return InitialTerms(classes, vectorizer.terms(used), by_column[:, used], intercept)


def _hashing(vectorizer: TextVectorizer) -> dict[str, Any] | None:
    if vectorizer.hash_bits is None:
        return None
    blocks = getattr(vectorizer, "blocks", None)  # of several columns of texts
    params = vectorizer.get_params() if blocks is None else blocks[0].get_params()
    found = {name: params[name] for name in HASHING}
    # With weights of blocks the last bit of a column tells its block.
    found["block_weights"] = None not in (params["block_weights"], params["words"], params["chars"])
    return found if blocks is None else {**found, "text_columns": vectorizer.names}


def _listed(labels: Sequence[Hashable]) -> str:
    shown = ", ".join(map(repr, labels[:5]))
    return shown + (", ..." if len(labels) > 5 else "")
