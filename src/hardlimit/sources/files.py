"""Files as a source of rows: some at a time for a stream, all of them for memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Union

from hardlimit import readers
from hardlimit.foundation import storage
from hardlimit.readers.opening import STANDARD_INPUT
from hardlimit.sources.reading import FileBatch, WholeFiles, read_batches

if TYPE_CHECKING:
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Layout
    from hardlimit.sources.pieces import Shard

Taken = Callable[[int], object]
# How files are read, as far as anybody says so: of numbers the settings of `load_numbers`.
GivenLayout = Union["Layout", Mapping[str, Any], None]


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

    def batches(self) -> Iterator[FileBatch]:
        """Yield the rows, some at a time."""

    def whole(self, taken: Taken) -> FileBatch:
        """Return all rows; ``taken`` is told about how many bytes they have."""

    def cut(self, n_shards: int, *, at_most: bool = False, looked_at: bool = True) -> list[Shard]:
        """Return shards of the rows, which others can read by themselves.

        at_most : whether there may be fewer, where files cannot be cut so often.    looked_at :
        whether all bytes are looked at for another encoding than UTF-8 first; without it whoever
        reads such a shard raises :class:`.NotUtf8Error`.
        """

    def widened(self, n_columns: Callable[[], int], zero_based: bool | None = None) -> Told:
        """Return what was told, of a model of so many columns where it counts them.

        zero_based : whether the indices of sparse rows count from 0, as all files have shown.
        """


class WordFiles:
    """Rows of words: one text each, several, or the columns of a table.

    layout : None: as the first file shows.    gather : what gathers the rows of a file.
    """

    def __init__(
        self,
        paths: str | Sequence[str],
        layout: Layout | None,
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

    def batches(self) -> Iterator[FileBatch]:
        """Yield the rows, some at a time."""
        yield from self._read(self._gather)

    def whole(self, taken: Taken) -> FileBatch:
        """Return all rows."""
        rows = WholeFiles(self._gather, taken)
        return rows.read(self._read(rows.begin))

    def cut(self, n_shards: int, *, at_most: bool = False, looked_at: bool = True) -> list[Shard]:
        """Return shards of about equally many bytes; none is read by this."""
        from hardlimit.sources.cutting import cut_files  # start-up: few files are cut

        shards, layout = cut_files(
            self.paths,
            self._layout,
            n_shards,
            at_most=at_most,
            need_label=self._need_label,
            looked_at=looked_at,
        )
        self.told = Told(layout=layout)
        return shards

    def _read(self, gather: Gather) -> Iterator[FileBatch]:
        with readers.open_rows(self.paths, self._layout, need_label=self._need_label) as table:
            self.told = Told(layout=table.layout)
            yield from read_batches(table, gather)
            # Only a table that was read to its end knows its notes.
            self.told.notes = [*table.notes()]

    def widened(self, n_columns: Callable[[], int], zero_based: bool | None = None) -> Told:
        """Return what was told: words have no columns."""
        return self.told


def is_stream(path: str) -> bool:
    """Whether rows come once: standard input, or a pipe with a name."""
    return path == STANDARD_INPUT or not (storage.is_file(path) or storage.is_folder(path))
