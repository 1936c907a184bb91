"""The rows that ``hardlimit certify`` decides on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.label_order import sort_labels

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled


@dataclass
class Job:
    """A file, its rows as features, and the options by which it is read again."""

    source: str
    data: Labelled
    X: Any
    is_text: bool
    again: tuple[str, ...] = ()

    @property
    def classes(self) -> list[Any]:
        """The labels that there are, sorted."""
        return sort_labels(self.data.labels)
