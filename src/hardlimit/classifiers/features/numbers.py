"""Rows of numbers, whose columns may be mapped, and measured for a scale.

A feature map needs the number of columns, and makes its own of them; what is measured are these.

Sums of columns are chained over the rows of a part, in their order, and added over a fixed binary
tree of the parts. So a scale depends on the parts and on nothing else, and one part has the sums
of all rows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hardlimit.classifiers.features._protocol import Pass
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.engine import column_sums, rows_of
from hardlimit.engine.scaled import ColumnSums
from hardlimit.examples.dense import read_numbers
from hardlimit.foundation.types import Array
from hardlimit.maps import FeatureMap
from hardlimit.scaling import Scale


class ColumnsSeen(NamedTuple):
    """How wide some rows are, how many they are, and the sums of their columns if asked for."""

    n_columns: int
    n_rows: int
    sums: ColumnSums | None


class _AnotherLook(Exception):  # noqa: N818  (no error: a scale asks for sums about a center)
    """Sums less a center that nobody has so far."""

    def __init__(self, center: Array | None) -> None:
        self.center = center


class ColumnCount:
    """A look at how wide rows are, of which later ones may be wider."""

    n_columns = 0
    passes: ClassVar = [Pass("count columns")]

    def look(self, number: int, rows: Any, before: int | None = None) -> int:
        """Return the columns so far."""
        width: int = rows.shape[1]
        return max(before or 0, width)

    def settle(self, number: int, found: Sequence[int]) -> None:
        """Take the columns of all rows."""
        self.n_columns = max(found)


class NumberFeatures:
    """The columns in which rows of numbers are learnt, and their units.

    map : what makes columns of columns, once it knows these.    scale : None where rows stay as
    they are, or are not measured yet.    n_columns : of all rows that were looked at.
    """

    kind: type[Model] = Model
    n_columns = 0

    def __init__(self, choices: Choices) -> None:
        self._template: FeatureMap | None = choices.map
        self.map: FeatureMap | None = None
        scaling = choices.scale
        self.counts = scaling is not None and scaling.measures
        self._scaling = scaling if self.counts else None
        self.scale: Scale | None = None
        if scaling is not None and not self.counts:
            self.scale = scaling.restored({}, 0)
        self._centers: list[Array | None] = [None]
        self._known: list[tuple[int, ColumnSums]] = []

    @property
    def is_mapped(self) -> bool:
        """Whether a map makes the columns that are learnt."""
        return self._template is not None

    @property
    def of_model(self) -> dict[str, Any]:
        """What a model holds besides its weights."""
        return {"scale": self.scale, "map": self.map}

    def fit_map(self, n_columns: int, names: Sequence[str] | None = None) -> int:
        """Take the columns of all rows; return how many columns are learnt."""
        if self._template is None:
            return n_columns
        self.map = self._template.for_columns(n_columns, names)
        return self.map.n_columns_

    def restore(self, model: Model) -> None:
        """Take what a run before has fitted."""
        self.map, self.scale = model.map, model.scale

    def mapped(self, rows: Any) -> Any:
        """Return rows with the columns that are learnt."""
        if self.map is None:
            return rows
        if rows.shape[1] < self.map.n_features_in_:  # of sparse rows, which grow
            rows = rows.widened(self.map.n_features_in_)
        return read_numbers(self.map.transform(rows))

    @property
    def passes(self) -> list[Pass]:
        """Looks at the columns, where there is something to measure."""
        return [Pass("measure columns" if self.counts else "count classes")] * len(self._centers)

    def look(self, number: int, rows: Any, before: ColumnsSeen | None = None) -> ColumnsSeen:
        """Measure some rows, as the engine takes them or wider than those ``before``."""
        seen = before or ColumnsSeen(0, 0, None)
        n_columns = max(self.n_columns, seen.n_columns, rows.shape[1])
        n_rows = seen.n_rows + rows.shape[0]
        if not self.counts:
            return ColumnsSeen(n_columns, n_rows, None)
        if n_columns > rows.shape[1]:
            rows = rows.widened(n_columns)
        made = rows_of(rows, 0.0, "X")
        sums = column_sums(made, self._centers[number], None, seen.sums)
        return ColumnsSeen(n_columns, n_rows, sums)

    def settle(self, number: int, found: Sequence[ColumnsSeen]) -> None:
        """Measure the scale, unless it wants another look at all rows."""
        self.n_columns = max(one.n_columns for one in found)
        if self._scaling is None:
            return
        sums = _add_all([one.sums for one in found if one.sums is not None])
        self._known.append((sum(one.n_rows for one in found), sums))
        try:
            self.scale = self._scaling.measured(self._recall())
        except _AnotherLook as wanted:
            self._centers.append(wanted.center)
        else:  # the sums need not travel
            self._known, self._centers = [], [None] * len(self._centers)

    def _recall(self) -> Any:
        """Return what gives a scale the sums that are known, in the order in which it asks."""
        known = iter(self._known)

        def look(center: Array | None) -> tuple[int, ColumnSums]:
            found = next(known, None)
            if found is None:
                raise _AnotherLook(center)
            return found

        return look


def _add_all(parts: list[ColumnSums]) -> ColumnSums:
    """Add sums over a fixed binary tree."""
    while len(parts) > 1:
        pairs = [parts[at : at + 2] for at in range(0, len(parts), 2)]
        parts = [_add(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _add(one: ColumnSums, other: ColumnSums) -> ColumnSums:
    return ColumnSums(
        one.counts + other.counts,
        np.minimum(one.lowest, other.lowest),
        np.maximum(one.highest, other.highest),
        one.sums + other.sums,
        one.squares + other.squares,
    )
