"""The rows that ``hardlimit certify`` decides on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.labels import sort_labels
from hardlimit.foundation.tables import name_column

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled


@dataclass
class CertifyJob:
    """A file, its rows as features, and the options by which it is read again."""

    source: str
    data: Labelled
    X: Any
    is_text: bool
    again: tuple[str, ...] = ()
    vectorizer: Any = None

    @property
    def is_table(self) -> bool:
        """Whether a row has columns of several kinds."""
        return self.vectorizer is not None and not self.is_text

    def row(self, i: int) -> str:
        """Return what stands in a row, for people; of numbers nothing."""
        if self.is_table:
            pairs = zip(self.data.examples.names, self.data.examples[i], strict=True)
            return ", ".join(f"{name_column(name)}={str(value).strip()}" for name, value in pairs)
        example = self.data.examples[i] if self.is_text else ""
        return " / ".join(map(str, example)) if isinstance(example, tuple) else str(example)

    @property
    def classes(self) -> list[Any]:
        """The labels that there are, sorted."""
        return sort_labels(self.data.labels)
