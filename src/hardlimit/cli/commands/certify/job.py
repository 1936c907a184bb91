"""The rows that ``hardlimit certify`` decides on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
        labels = set(self.data.labels)
        try:
            return sorted(labels)
        except TypeError:
            # Labels of several types do not compare, but their order must stay the same.
            return sorted(labels, key=lambda label: (type(label).__name__, repr(label)))
