"""Duplicates of the rows, labels that disagree, and rows that training has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardlimit.examples._protocol import Examples
from hardlimit.examples.sparse import EMPTY
from hardlimit.reports import _duplicates


@dataclass
class DataFacts:
    """Duplicates of the rows, among themselves and with training's.

    labels : one a row; None where rows have none, or several each.
    train : the training rows; None where they were not given.
    """

    examples: Examples
    is_text: bool
    labels: list[Any] | None = None
    train: Examples | None = None

    @cached_property
    def keys(self) -> Sequence[str | bytes]:
        """A key a row, equal where rows are."""
        return self.examples.keys()

    @cached_property
    def folded(self) -> Sequence[str | bytes]:
        """A key a row, equal where rows are but for case and white space."""
        return self._fold(self.examples, self.keys)

    def _fold(self, examples: Any, keys: Sequence[str | bytes]) -> Sequence[str | bytes]:
        return _duplicates.make_folded_keys(examples) if self.is_text else keys

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
        known = set(self._fold(self.train, () if self.is_text else self.train.keys()))
        return np.fromiter((key in known for key in self.folded), bool, len(self.folded))

    @cached_property
    def empty(self) -> int:
        """Texts of white space only, or rows of zeros."""
        examples: Any = self.examples
        if self.is_text:
            return sum(map(_duplicates.is_blank, examples))
        return self.keys.count(EMPTY)
