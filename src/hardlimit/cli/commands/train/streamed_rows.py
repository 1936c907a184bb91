"""What is known of the rows of a stream that went by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardlimit.cli.label_kinds import OneLabelRows, kind_of_file

if TYPE_CHECKING:
    from hardlimit.readers import Layout
    from hardlimit.sources.files import Told


@dataclass
class StreamedRows:
    """What is known of rows that went by: their number a class, and how the files were read.

    digests : of the files, as they were read.
    """

    name: str
    layout: Layout | None = None
    remembered: dict[str, Any] | None = None
    counts: Counter[Any] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    digests: dict[str, tuple[str, int]] = field(default_factory=dict)
    weights: Sequence[float] = ()
    n: int = 0
    label_columns: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.n

    @property
    def kind(self) -> OneLabelRows:
        """How many labels a row has: one, or several in a tuple."""
        return kind_of_file(self.layout, self.label_columns)

    def count(self, labels: Sequence[Any]) -> None:
        """Count the labels of some rows."""
        self.n += len(labels)
        self.counts.update(self.kind.listed(labels))

    def take(self, told: Told) -> None:
        """Take what the files have told so far."""
        self.layout, self.remembered = told.layout, told.remembered
        self.label_columns, self.notes = told.label_columns, [*told.notes]

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the files were read, for the model."""
        return self.remembered if self.layout is None else self.layout.to_json()
