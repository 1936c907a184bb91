"""Duplicates of the rows, labels that disagree, and rows that training has seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardlimit.engine import is_sparse
from hardlimit.reports import _duplicates


@dataclass
class DataFacts:
    """Duplicates of the rows, among themselves and with training's.

    labels : one a row; None where rows have none, or several each.
    train : the training rows; None where they were not given.
    """

    examples: Any
    is_text: bool
    labels: list[Any] | None = None
    train: Any = None

    @cached_property
    def keys(self) -> list[bytes]:
        """A key a row, equal where rows are."""
        return _duplicates.make_exact_keys(self.examples)

    @cached_property
    def folded(self) -> list[bytes]:
        """A key a row, equal where rows are but for case and white space."""
        if not self.is_text:
            return self.keys
        return _duplicates.make_folded_keys(self.examples)

    @cached_property
    def exact(self) -> _duplicates.Duplicates:
        """Rows that are equal."""
        return _duplicates.find_duplicates(self.keys)

    @cached_property
    def alike(self) -> _duplicates.Duplicates:
        """Rows that are equal but for case and white space; of numbers, equal rows."""
        return _duplicates.find_duplicates(self.folded)

    @cached_property
    def conflicts(self) -> list[_duplicates.LabelConflict]:
        """Groups of alike rows with different labels."""
        return [] if self.labels is None else self.alike.conflicts(self.labels)

    @cached_property
    def seen(self) -> np.ndarray[Any, Any] | None:
        """Which rows stand among the training rows too; None where those were not given."""
        if self.train is None:
            return None
        # folded: a training text that comes in another case is a leak all the same
        known = set(
            _duplicates.make_folded_keys(self.train)
            if self.is_text
            else _duplicates.make_exact_keys(self.train)
        )
        return np.fromiter((key in known for key in self.folded), bool, len(self.folded))

    @cached_property
    def empty(self) -> int:
        """Texts of white space only, or rows of zeros."""
        examples = self.examples
        if self.is_text:
            return sum(map(_duplicates.is_blank, examples))
        if is_sparse(examples):
            return sum(
                # by value, because a zero that is stored is a zero
                not examples.data[a:b].any()
                for a, b in zip(examples.indptr, examples.indptr[1:], strict=False)
            )
        return int((~np.asarray(examples).any(axis=1)).sum())
