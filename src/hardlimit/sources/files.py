"""Files as a source of rows: some at a time for a stream, all of them for memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from hardlimit import readers
from hardlimit.foundation import storage
from hardlimit.readers.opening import STANDARD_INPUT
from hardlimit.sources.reading import Batch, WholeRows, read_batches

if TYPE_CHECKING:
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Layout

Taken = Callable[[int], object]


@dataclass
class Told:
    """What the files say of their rows beside the rows; complete when all were read.

    layout, remembered : how they are read, of words and of numbers, for later files of the same
    kind.    columns : the names of the columns of numbers.    header : whether the file has them.
    lines, files : of numbers that were read whole, where each row stands.    label_columns : where
    there are several.    has_words : whether labels are words, whose spellings may differ.
    """

    notes: list[str] = field(default_factory=list)
    layout: Layout | None = None
    remembered: dict[str, Any] | None = None
    columns: Sequence[str | int] = ()
    header: bool = False
    lines: Sequence[int] = ()
    files: Sequence[str] = ()
    label_columns: tuple[str, ...] = ()
    has_words: bool = True

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the files were read, for the model."""
        return self.remembered if self.layout is None else self.layout.to_json()


class FileRows(Protocol):
    """Rows of files; each pass begins with the first of them.

    told : by the last pass.    folds : whether labels that differ in spelling are to be one.
    """

    paths: Sequence[str]
    told: Told

    @property
    def folds(self) -> bool:
        """Whether labels that differ only in their spelling are one."""

    @property
    def read_whole(self) -> list[str]:
        """The files whose format has no rows that could be read some at a time."""

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, some at a time."""

    def whole(self, taken: Taken) -> Batch:
        """Return all rows; ``taken`` is told about how many bytes they have."""

    def widened(self, n_columns: Callable[[], int]) -> Told:
        """Return what was told, of a model of so many columns where it counts them."""


class WordFiles:
    """Rows of words: one text each, several, or the columns of a table.

    gather : what gathers the rows of a file.
    """

    def __init__(
        self,
        paths: str | Sequence[str],
        layout: Layout,
        gather: Gather,
        *,
        need_label: bool = True,
    ) -> None:
        self.paths = [paths] if isinstance(paths, str) else paths
        self._layout, self._gather, self._need_label = layout, gather, need_label
        self.told = Told()

    @property
    def folds(self) -> bool:
        """Whether labels that differ only in their spelling are one."""
        return readers.folds(self._layout)

    @property
    def read_whole(self) -> list[str]:
        """None: every format of words is read row by row."""
        return []

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, some at a time."""
        yield from self._read(self._gather)

    def whole(self, taken: Taken) -> Batch:
        """Return all rows."""
        rows = WholeRows(self._gather, taken)
        return rows.read(self._read(rows.begin))

    def _read(self, gather: Gather) -> Iterator[Batch]:
        with readers.open_rows(self.paths, self._layout, need_label=self._need_label) as table:
            self.told = Told(layout=table.layout)
            yield from read_batches(table, gather)
            # Only a table that was read to its end knows its notes.
            self.told.notes = [*table.notes()]

    def widened(self, n_columns: Callable[[], int]) -> Told:
        """Return what was told: words have no columns."""
        return self.told


def is_stream(path: str) -> bool:
    """Whether rows come once: standard input, or a pipe with a name."""
    return path == STANDARD_INPUT or not (storage.is_file(path) or storage.is_folder(path))
