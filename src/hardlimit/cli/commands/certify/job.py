"""The rows that ``hardlimit certify`` decides on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from hardlimit import describing
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import name_column

if TYPE_CHECKING:
    from hardlimit.certificates import Separable
    from hardlimit.certificates.subject import Subject
    from hardlimit.cli.labelled_rows import Labelled

SHOWN = 10  # weights; a table may have thousands


@dataclass
class CertifyJob:
    """A file of numbers, its rows as features, and the options by which it is read again.

    beside : what stands beside the number of a row, for people.    bias : the constant feature.
    """

    source: str
    data: Labelled
    X: Any
    again: tuple[str, ...] = ()
    vectorizer: Any = None
    beside: ClassVar[str] = ""
    bias: ClassVar[float] = 1.0

    def row(self, i: int) -> str:
        """Return what stands in a row, for people; of numbers nothing."""
        return ""

    def labels_of(self, subject: Subject) -> Sequence[Any]:
        """Return the labels that a proof is about."""
        return self.by_column[subject.label]

    @cached_property
    def by_column(self) -> dict[str | None, Sequence[Any]]:
        """The labels of all rows by their columns; None is the only one."""
        return self.data.kind.by_column(self.data.labels)

    def describe_columns(self, n: int) -> str:
        """Return what the columns are."""
        return plural(n, "column")

    def weight_facts(self, verdict: Separable) -> list[tuple[str, str]]:
        """Return the features with the largest weights, where they have names of their own."""
        return []


class TextJob(CertifyJob):
    """A file of texts: one a row, or several in columns."""

    beside = "text"
    bias = 0.1  # of unit-length rows, as TextClassifier and TableClassifier have it

    def row(self, i: int) -> str:
        """Return the text of a row."""
        example = self.data.examples[i]
        return " / ".join(map(str, example)) if isinstance(example, tuple) else str(example)


class TableJob(TextJob):
    """A file of a mixed table, whose columns are not those of the features."""

    beside = "values"

    def row(self, i: int) -> str:
        """Return the values of a row with the names of their columns."""
        pairs = zip(self.data.examples.names, self.data.examples[i], strict=True)
        return ", ".join(f"{name_column(name)}={str(value).strip()}" for name, value in pairs)

    def describe_columns(self, n: int) -> str:
        """Return what is made of the columns."""
        return describing.text_features(self.vectorizer.header())

    def weight_facts(self, verdict: Separable) -> list[tuple[str, str]]:
        """Return the features with the largest weights."""
        weights = [float(w) for w in verdict.weights]
        largest = sorted(range(len(weights)), key=lambda k: (-abs(weights[k]), k))[:SHOWN]
        largest = [k for k in largest if weights[k]]
        names = self.vectorizer.terms(largest)
        most = max((abs(weights[k]) for k in largest), default=1.0)
        named = [
            f"{name or 'a hashed column'} {weights[k] / most:+.2f}"
            for name, k in zip(names, largest, strict=True)
        ]
        return [("weights", f"{', '.join(named)} (the largest is 1)")] if named else []
