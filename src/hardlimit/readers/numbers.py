"""Feature matrices: one loader for all that reads numbers.

A numeric format is a module of this folder with ``NUMERIC = NumericFormat(name, extensions,
read)``. numpy is imported when a file is loaded, not before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from hardlimit.examples.sparse import Csr as Csr
from hardlimit.exceptions import DataFormatError, InputError, Setting
from hardlimit.foundation import memory
from hardlimit.foundation.discovery import import_members
from hardlimit.foundation.formatting import plural
from hardlimit.readers import misread
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.opening import MAX_LINE, strip_compression

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PEEKED_LINES = 20


@dataclass(frozen=True, slots=True)
class Numbers:
    """A feature matrix with its targets.

    Attributes
    ----------
    X
        `Csr` (svmlight) or a C-ordered float64 array (numeric CSV), (rows, columns).
    y
        One target a row: int64 if all are whole numbers, else float64, else strings. None where
        targets were not needed and a row has none.
    columns
        Names of the features; for svmlight the indices as they stand in the file.
    label
        Name of the target's column.
    place
        Its number from 0.
    header
        Whether the names stood in the file.
    zero_based
        Whether the file's smallest index is 0; False for CSV.
    notes
        Sentences on what was left out.
    lines
        The line of each row in its file.
    files
        Of several files: the path of each, and how many rows it has.
    weights
        Of Vowpal Wabbit's text: the importance of each row; None where all are 1.
    format
        The name of the format.
    label_columns
        Of several columns of labels: the values of each, as ``y`` has them of one.
    """

    X: Csr | NDArray[np.float64]
    y: NDArray[Any] | None
    columns: tuple[str, ...] | range
    label: str = "label"
    place: int | None = None
    header: bool = False
    zero_based: bool = False
    notes: tuple[str, ...] = ()
    lines: Sequence[int] = ()
    files: tuple[tuple[str, int], ...] = ()
    weights: NDArray[np.float64] | None = None
    format: str = ""
    label_columns: tuple[NDArray[Any], ...] = ()

    @property
    def is_sparse(self) -> bool:
        """Whether a row has some of the columns, as in svmlight."""
        return isinstance(self.X, Csr)


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What the caller of `load_numbers` knows of the file; `of` makes one of what was given."""

    label: str | int | None = None
    n_features: int | None = None
    zero_based: bool | None = None
    header: bool | None = None
    delimiter: str | None = None
    columns: tuple[str, ...] | None = None
    place: int | None = None
    need_label: bool = True
    drop: tuple[str, ...] = ()
    max_line: int = MAX_LINE
    skip_bad: bool = False
    labels_separator: str | None = None
    label_columns: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        *,
        label: str | int | None = None,
        columns: Sequence[str] | None = None,
        drop: Sequence[str] = (),
        label_columns: Sequence[str] = (),
        **others: Any,
    ) -> LoadOptions:
        """Return what `load_numbers` takes; of several columns of labels the last is the label."""
        label = label_columns[-1] if label_columns else label
        dropped = tuple(dict.fromkeys((*map(str, drop), *label_columns[:-1])))
        names = None if columns is None else tuple(columns)
        several = tuple(label_columns)
        return cls(label, columns=names, drop=dropped, label_columns=several, **others)


def by_column(options: LoadOptions) -> Iterator[LoadOptions]:
    """Yield what is known of a file for each of its columns of labels, as if it were the label."""
    every = dict.fromkeys((*options.drop, *options.label_columns))
    for name in options.label_columns:
        drop = tuple(other for other in every if other != name)
        yield replace(options, label=name, drop=drop, label_columns=())


@dataclass(frozen=True, slots=True)
class NumericFormat:
    """One numeric input format.

    read : ``read(source, options, whole)`` yields its rows, all at once or some at a time.
    takes_path : ``read`` gets the path of a file, which is no text.
    guess : ``guess(path, label, drop)`` returns the label's column where a file whose extension a
        format of texts has too holds numbers, else None.
    streams : whether rows can be read some at a time, else all come at once.
    recognises : of a path, whether its name is one of this format, beside the extensions.
    label_sets : whether a line may begin with several labels.
    label_columns : whether one pass reads several columns of labels.
    """

    name: str
    extensions: tuple[str, ...]
    read: Callable[..., Iterator[Numbers]]
    line: str
    takes_path: bool = False
    guess: Callable[..., str | None] | None = None
    recognises: Callable[[str], bool] | None = None
    streams: bool = True
    label_sets: bool = False
    label_columns: bool = False


@cache
def numeric_formats() -> dict[str, NumericFormat]:
    """Return all numeric formats by name.

    >>> list(numeric_formats())
    ['arff', 'idx', 'npy', 'npz', 'numeric-arrow', 'numeric-csv', 'numeric-parquet', 'svmlight',
     'vw']
    """
    package = __name__.rpartition(".")[0]
    modules = import_members(package, [os.path.dirname(__file__)])
    found = [module.NUMERIC for module in modules if hasattr(module, "NUMERIC")]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def refuse_sets(format: NumericFormat, options: LoadOptions) -> None:
    """Refuse lists or columns of labels where a format has none."""
    if options.label_columns and format.label_sets:
        raise InputError(
            f"a row of {format.name} begins with its labels, and has no columns of them",
            parameter="label",
            got=options.label_columns,
            fix=("say ", Setting("labels_separator", ",")),
        )
    separator = options.labels_separator
    if separator is None:
        return
    if not separator or separator.isspace() or any(one in separator for one in ":#.+-_0123456789"):
        wanted = "a text that no number has, such as ','"
        raise InputError(parameter="labels_separator", got=separator, wanted=wanted)
    if not format.label_sets:
        able = ", ".join(one.name for one in numeric_formats().values() if one.label_sets)
        raise InputError(
            f"a row of {format.name} has one label",
            parameter="labels_separator",
            got=separator,
            wanted=f"the format {able}",
            fix="put labels into columns, and hand them to fit as a matrix",
        )


def parse_targets(values: list[str]) -> NDArray[Any]:
    """Turn labels into int64 if all are whole numbers, else float64, else strings.

    >>> parse_targets(["+1", "-1.0"]).tolist(), parse_targets(["yes", "1"]).tolist()
    ([1, -1], ['yes', '1'])
    """
    import numpy as np

    try:
        floats = np.array(list(map(float, values)), dtype=np.float64)
    except ValueError:
        return as_words(values)
    # "nan" and "inf" as labels are words like any others
    return as_targets(floats) if np.isfinite(floats).all() else as_words(values)


def as_words(values: list[str]) -> NDArray[Any]:
    """Return labels as an array, in which each takes as much as the longest.

    Raises
    ------
    MemoryEstimateError
        One is so long that all do not fit.
    """
    import numpy as np

    longest = max(map(len, values), default=0)
    what = f"labels of up to {plural(longest, 'character')}"
    memory.require(4 * longest * len(values), what, "use shorter labels, such as numbers")
    return np.array(values)


def gathered_numbers(name: str, size: Callable[[], int | None] | None = None) -> memory.Gathered:
    """Return what counts the bytes of rows that are held in memory."""
    return memory.Gathered(
        f"{name}: the numbers", "train with --stream, which holds few rows, or give fewer", size
    )


def as_targets(floats: NDArray[np.float64]) -> NDArray[Any]:
    """Turn targets into int64 if all are whole numbers.

    >>> import numpy as np
    >>> as_targets(np.array([1.0, -1.0])).tolist(), as_targets(np.array([1.0, 0.5])).tolist()
    ([1, -1], [1.0, 0.5])
    """
    import numpy as np

    # beyond 2**53 a float no longer tells neighbouring integers apart
    whole = (np.floor(floats) == floats).all() and (np.abs(floats) < 2**53).all()
    return floats.astype(np.int64) if whole else floats


def check_columns(where: str, n_used: int, n_features: int) -> None:
    """Refuse a file that uses more columns than were wanted."""
    if n_used > n_features:
        raise InputError(
            f"has {plural(n_used, 'column')}, but {n_features} were wanted",
            where=where,
            fix="give the larger number for both files",
        )


def empty_file_error(source: TextSource) -> DataFormatError:
    """Build the error for a file without a row."""
    reason = "the file is empty" if source.number == 0 else "there is no row of numbers"
    if source.bad:
        reason = f"no row is left: all break the format, such as {source.reasons[0]}"
    return DataFormatError(reason, where=source.name)


def detect_by_extension(path: str) -> str | None:
    """Return the numeric format that a file's name promises.

    >>> detect_by_extension("data.SVM.gz")
    'svmlight'
    """
    extension = os.path.splitext(strip_compression(path))[1].lower()
    for format in numeric_formats().values():
        if extension in format.extensions or (format.recognises and format.recognises(path)):
            return format.name
    return None


def detect_by_content(source: TextSource) -> str:
    """Tell Vowpal Wabbit's text, and svmlight, which begins with ``index:value``, from CSV."""
    if misread.is_vowpal(source.peek(_PEEKED_LINES)):
        return "vw"
    # only the first two fields: a colon further on may be a time of day in a CSV
    for line in source.peek(_PEEKED_LINES):
        fields = line.partition("#")[0].split()
        if any(":" in field for field in fields[:2]):  # the label may be left out
            return "svmlight"
    return "numeric-csv"
