"""Files of numbers as a source of rows, and how later files are read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.exceptions import ColumnError, DataFormatError
from hardlimit.foundation import storage
from hardlimit.readers.numbers import detect_by_extension
from hardlimit.sources.files import Taken, Told
from hardlimit.sources.reading import Batch

if TYPE_CHECKING:
    from hardlimit.readers import Numbers

NAMED = "vw"  # whose columns are known by the names that the model file has anyway


class NumberFiles:
    """Rows of numbers.

    settings : as :func:`hardlimit.readers.load_numbers` takes them.
    """

    def __init__(
        self, paths: str | Sequence[str], settings: Mapping[str, Any], *, need_label: bool = True
    ) -> None:
        self.paths = [paths] if isinstance(paths, str) else paths
        self._wanted, self._need_label = dict(settings), need_label
        self._settings = readers.without_folding(settings)
        self._first: Numbers | None = None
        self.label_columns = tuple(settings.get("label_columns", ()))
        self.told = Told(label_columns=self.label_columns)

    @property
    def folds(self) -> bool:
        """Whether labels that differ only in their spelling are one."""
        return readers.folds(self._wanted)

    @property
    def read_whole(self) -> list[str]:
        """The files whose format has no rows that could be read some at a time."""
        from hardlimit.readers import numeric_files  # start-up: numpy

        format = self._settings.get("format")
        return [one for one in self.paths if not numeric_files.streams(one, format)]

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, some at a time; sparse ones may get wider."""
        from hardlimit.readers import numeric_files  # start-up: numpy

        told = self.told = Told(label_columns=self.label_columns)
        for _, found in numeric_files.read_blocks(self.paths, **self._settings):
            self._first = self._first or found
            told.notes += found.notes
            yield _batch_of(found, grows=True)

    def whole(self, taken: Taken) -> Batch:
        """Return all rows, whose reader watches the memory by itself."""
        with _finding_missing(self.paths, self._settings):
            found = readers.load_numbers(self.paths, **self._settings, need_label=self._need_label)
        self._first = found
        batch = _batch_of(found, grows=False)
        if not batch.labels:
            batch = batch._replace(labels=[None] * len(batch.examples))
        self.told = Told(
            notes=[*found.notes],
            remembered=remember(self.paths[0], found, self._wanted, found.X.shape[1]),
            columns=found.columns,
            header=found.header,
            lines=found.lines,
            files=[name for name, rows in found.files for _ in range(rows)],
            label_columns=self.label_columns if found.label_columns else (),
            has_words=bool(
                found.y is not None and (found.label_columns or found.y.dtype.kind in "UO")
            ),
        )
        return batch

    @property
    def first(self) -> Numbers | None:
        """The first rows that were read, which name the columns."""
        return self._first

    def widened(self, n_columns: Callable[[], int]) -> Told:
        """Return what was told, with the columns of all rows."""
        first = self._first
        if first is None:
            return self.told
        lowest = 0 if first.zero_based else 1
        remembered = remember_all(self.paths[0], first, self._wanted, n_columns(), lowest)
        return replace(self.told, remembered=remembered)


def _batch_of(found: Numbers, *, grows: bool) -> Batch:
    from hardlimit.examples.dense import read_numbers  # start-up: numpy

    weights = () if found.weights is None else (found.weights,)
    return Batch(read_numbers(found.X, grows=grows), labels_of(found), 0, weights)


def labels_of(found: Numbers) -> list[Any]:
    """Return the label of each row, of columns of labels a tuple of their values; none: empty."""
    if found.label_columns:
        return list(zip(*(own.tolist() for own in found.label_columns), strict=True))
    return [] if found.y is None else found.y.tolist()


def remember(
    path: str, found: Numbers, wanted: Mapping[str, Any], n_columns: int
) -> dict[str, Any]:
    """Return what later files of the same kind are read by."""
    own: tuple[str, ...]
    own = (
        "delimiter",
        "header",
        "columns",
        "place",
        "max_line",
        "skip_bad",
        "label_columns",
    )  # of this file, not of the next
    promised = detect_by_extension(path)
    # The next file may be of another kind, which its name promises too.
    if promised is not None and readers.numeric_formats()[promised].takes_path:
        own = (*own, "format")
    # Labels in a file of their own are those of these rows.
    if storage.is_file(str(wanted.get("label"))):
        own = (*own, "label")
    remembered = {key: value for key, value in wanted.items() if key not in own}
    # svmlight leaves zeros out: a new file may lack the last columns.
    remembered["n_features"] = n_columns
    # Labels of a new file are left out by their names, where they are there.
    drop = dict.fromkeys((*wanted.get("drop", ()), *wanted.get("label_columns", ())))
    if drop:
        remembered["drop"] = list(drop)
    if found.is_sparse:
        if found.format == NAMED:  # rows without labels would not tell it
            remembered["format"] = NAMED
        remembered["zero_based"] = found.zero_based
        if not found.header:
            return remembered
    columns = list(found.columns)
    # Names that occur twice cannot find their columns again.
    if found.header and len(set(columns)) == len(columns):
        remembered["columns"] = columns
    if found.place is not None:
        remembered["place"] = found.place
        remembered["label"] = found.label if found.header else found.place
    return remembered


def remember_all(
    path: str, first: Numbers, wanted: Mapping[str, Any], n_columns: int, lowest: int
) -> dict[str, Any]:
    """Return what later files are read by, where only the first rows of the file are at hand.

    n_columns, lowest : of all rows, and the number of the first of them.
    """
    whole = replace(first, zero_based=lowest == 0)
    if first.is_sparse and not first.header:
        whole = replace(whole, columns=range(lowest, n_columns + lowest))
    return remember(path, whole, wanted, n_columns)


@contextlib.contextmanager
def _finding_missing(path: Sequence[str], settings: Mapping[str, Any]) -> Iterator[None]:
    """Raise the error of a label that is no column: as a label, not as a column left out."""
    try:
        yield
    except ColumnError:
        names = settings.get("label_columns", ())
        own: dict[str, Any] = {key: v for key, v in settings.items() if key != "label_columns"}
        own["drop"] = [name for name in own.get("drop", ()) if name not in names]
        for name in names:
            # The other labels are read as numbers here, which they need not be.
            with contextlib.suppress(DataFormatError):
                readers.load_numbers(path, **{**own, "label": name})
        raise
