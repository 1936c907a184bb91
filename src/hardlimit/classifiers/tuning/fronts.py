"""What tuning asks of texts and of numbers: to take rows, count features, learn and answer.

The front of a kind of classifier holds its parameters; a candidate's take their place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from hardlimit.classifiers.features import make_features
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.table import TableClassifier
from hardlimit.classifiers.text import TextClassifier
from hardlimit.classifiers.tuning.candidates import (
    OF_FEATURES,
    Candidate,
    of_numbers,
    of_tables,
    of_texts,
)
from hardlimit.engine import rows_of
from hardlimit.examples._protocol import Examples
from hardlimit.examples.dense import read_numbers
from hardlimit.examples.texts import read_texts
from hardlimit.examples.tuples import read_tuples
from hardlimit.tables import as_table, decide_kinds
from hardlimit.tables.settings import SETTINGS, check_settings
from hardlimit.tables.vectorizer import explicit
from hardlimit.text import default_features
from hardlimit.text.columns import check_names

if TYPE_CHECKING:
    pass


class Front(Protocol):
    """A classifier that is tuned, and the examples that it learns from."""

    @property
    def examples(self) -> Examples:
        """The examples that are learnt from."""

    @property
    def keys(self) -> Sequence[Hashable] | None:
        """One an example, equal for those that stay on one side."""

    @property
    def shares_features(self) -> bool:
        """Whether candidates that agree on features share them."""

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""

    def make(self, candidate: Candidate) -> Any:
        """Return a classifier with these parameters, not fitted."""

    def count(self, candidate: Candidate, learnt: Any, asked: Any) -> tuple[Any, Any]:
        """Return the rows of both, with features as they are learnt from the first."""

    def answer(
        self, candidate: Candidate, learnt: Any, labels: Any, asked: Any
    ) -> Sequence[Hashable]:
        """Learn from rows, and answer others."""


class TextFront:
    """A TextClassifier; what is "auto" in it is decided once, by all texts."""

    shares_features = True

    def __init__(self, base: TextClassifier, texts: Iterable[object]) -> None:
        self._kind, self._base = type(base), base.get_params(deep=False)
        if base.text_columns is None:
            self.examples: Any = read_texts(texts)
            words, chars, _ = default_features.choose(base.words, base.chars, self.examples)
            self._base |= {"words": words, "chars": chars}
        else:
            self.examples = read_tuples(texts, check_names(base.text_columns))
        self.keys: Sequence[Hashable] = self.examples.keys()

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_texts(with_chars=self._base["chars"] is not None)

    def make(self, candidate: Candidate) -> TextClassifier:
        """Return a classifier with these parameters."""
        return self._kind(**{**self._base, **candidate})

    def count(self, candidate: Candidate, learnt: list[Any], asked: list[Any]) -> tuple[Any, Any]:
        """Count what the candidate counts."""
        features = make_features(self.make(candidate).check_parameters())
        return features.fit_rows(learnt), features.rows(asked)

    def answer(
        self, candidate: Candidate, learnt: Any, labels: Any, asked: Any
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

    def __init__(self, base: TableClassifier, rows: object) -> None:
        self._kind, self._base = type(base), base.get_params(deep=False)
        self.examples: Any = as_table(rows)
        settings = check_settings(self._base)
        decided = explicit(settings, decide_kinds(self.examples, settings))
        self._base |= {name: getattr(decided, name) for name in SETTINGS}
        self._has_texts = bool(decided.text_columns)
        self.keys = self.examples.keys()

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_tables(self._has_texts)


class NumberFront:
    """A LinearClassifier."""

    shares_features = False

    keys = None

    def __init__(self, base: LinearClassifier, X: Any) -> None:
        self._kind, self._base = type(base), base.get_params(deep=False)
        self.examples = read_numbers(X)
        # Before rows are dealt: an error names the row as it was given.
        rows_of(self.examples, 0.0)

    def default_candidates(self) -> list[Candidate]:
        """Return what is tried where nothing is said."""
        return of_numbers()

    def make(self, candidate: Candidate) -> LinearClassifier:
        """Return a classifier with these parameters."""
        return self._kind(**{**self._base, **candidate})

    def count(self, candidate: Candidate, learnt: Any, asked: Any) -> tuple[Any, Any]:
        """Return the rows as they are."""
        return learnt, asked

    def answer(
        self, candidate: Candidate, learnt: Any, labels: Any, asked: Any
    ) -> Sequence[Hashable]:
        """Learn and answer."""
        learner = self.make({**candidate, "probability": False}).fit(learnt, labels)
        answers: Sequence[Hashable] = learner.predict(asked).tolist()
        return answers


def front_of(base: Any, examples: Any) -> Front:
    """Return the front of a classifier of tables, of texts or of numbers."""
    if isinstance(base, TableClassifier):
        return TableFront(base, examples)
    return (
        TextFront(base, examples)
        if isinstance(base, TextClassifier)
        else NumberFront(base, examples)
    )
