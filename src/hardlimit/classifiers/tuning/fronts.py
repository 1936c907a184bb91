"""What a search asks of a classifier and its examples: to make features, learn and answer.

The front of a classifier holds its parameters; a candidate's take their place. Each classifier that
can be tuned makes its own (:meth:`.Tunable._begin_search`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hardlimit.classifiers.features import make_features
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.tuning.candidates import (
    OF_FEATURES,
    Candidate,
    of_kernels,
    of_numbers,
    of_tables,
    of_texts,
)
from hardlimit.engine import rows_of
from hardlimit.examples._protocol import Examples
from hardlimit.examples.dense import read_numbers
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError
from hardlimit.tables.settings import SETTINGS
from hardlimit.tables.vectorizer import explicit

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.classifiers.tunable import Tunable
    from hardlimit.foundation.types import ArrayLike

R = TypeVar("R")  # rows of features


class Front(Protocol[R]):
    """A classifier that is tuned, and the examples that it learns from.

    examples : those that are learnt from.    keys : one an example, equal for those that stay on
    one side.    shares_features : whether candidates that agree on features share them.
    """

    examples: Examples
    keys: Sequence[Hashable] | None
    shares_features: bool

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""

    def make(self, candidate: Candidate) -> Tunable:
        """Return a classifier with these parameters, not fitted."""

    def count(self, candidate: Candidate, learnt: Examples, asked: Examples) -> tuple[R, R]:
        """Return the rows of both, with features as they are learnt from the first."""

    def answer(self, candidate: Candidate, learnt: R, labels: Any, asked: R) -> Sequence[Hashable]:
        """Learn from rows, and answer others."""


class TextFront:
    """A TextClassifier; what is "auto" in it is decided once, by all texts."""

    shares_features = True

    def __init__(self, base: TextClassifier, texts: object) -> None:
        self._kind = type(base)
        self.features = make_features(base.resolve_parameters())
        self.examples: Examples = self.features.gather(texts, True)
        self.features.open(self.examples)
        self._base: Candidate = {**base.get_params(deep=False), **self._chosen()}
        self.keys: Sequence[Hashable] | None = self.examples.keys()

    def _chosen(self) -> Mapping[str, Any]:
        """Return what the examples decide, as parameters."""
        return self.features.chosen

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_texts(with_chars=self._base["chars"] is not None)

    def make(self, candidate: Candidate) -> Tunable:
        """Return a classifier with these parameters."""
        return self._kind(**{**self._base, **candidate})

    def count(self, candidate: Candidate, learnt: Examples, asked: Examples) -> tuple[Csr, Csr]:
        """Count what the candidate counts."""
        features = make_features(self.make(candidate).check_parameters())
        return features.fit_rows(learnt), features.rows(asked)

    def answer(
        self, candidate: Candidate, learnt: Csr, labels: Any, asked: Csr
    ) -> Sequence[Hashable]:
        """As a pipeline of the vectorizer and a LinearClassifier, which learns the same weights."""
        learning = {**self._base, **candidate, "probability": False}
        learner = LinearClassifier(
            **{name: value for name, value in learning.items() if name not in OF_FEATURES}
        )
        answers: Sequence[Hashable] = learner.fit(learnt, labels).predict(asked).tolist()
        return answers


class TableFront(TextFront):
    """A TableClassifier; the kinds of the columns are decided once, by all rows."""

    features: Any

    def _chosen(self) -> Mapping[str, Any]:
        decided = explicit(self.features.settings.table, self.features.kinds)
        return {name: getattr(decided, name) for name in SETTINGS}

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_tables(bool(self._base["text_columns"]))


class NumberFront:
    """A LinearClassifier, whose candidates have no features to share."""

    shares_features = False
    keys: Sequence[Hashable] | None = None

    def __init__(self, base: LinearClassifier | KernelClassifier, X: ArrayLike) -> None:
        self._kind, self._base = type(base), base.get_params(deep=False)
        self._rows = read_numbers(X)
        self.examples: Examples = self._rows
        # Before rows are dealt: an error names the row as it was given.
        rows_of(self.examples, 0.0)

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_numbers()

    def make(self, candidate: Candidate) -> Tunable:
        """Return a classifier with these parameters."""
        return self._kind(**{**self._base, **candidate})

    def count(
        self, candidate: Candidate, learnt: Examples, asked: Examples
    ) -> tuple[Examples, Examples]:
        """Return the rows as they are."""
        return learnt, asked

    def answer(
        self, candidate: Candidate, learnt: Examples, labels: Any, asked: Examples
    ) -> Sequence[Hashable]:
        """Learn and answer."""
        learner = self.make({**candidate, "probability": False}).fit(learnt, labels)
        answers: Sequence[Hashable] = learner.predict(asked).tolist()
        return answers


class PointFront(NumberFront):
    """A KernelClassifier, which compares the rows of each fold with those that it has learnt."""

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_kernels(self._rows.as_sparse())

    def make(self, candidate: Candidate) -> Tunable:
        """Return a classifier with these parameters."""
        made = super().make(candidate)
        kernel = made.resolve_parameters(rule_known=False).kernel
        if kernel is not None and kernel.given:
            raise InputError(
                "with kernel='precomputed' each row has a column for every other, also for those "
                "that are not learnt from",
                who="tune",
                fix="use a kernel that computes",
            )
        return made
