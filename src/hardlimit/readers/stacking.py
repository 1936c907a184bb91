"""Several files of numbers as one matrix, in the order that they are given in.

Columns of a table are matched to those of the first file: by name where it has names, else their
number must be the same. Indices of svmlight count from 0 if they do in any of the files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import DataFormatError
from hardlimit.foundation import dtypes
from hardlimit.readers.numbers import Csr, LoadOptions, Numbers, as_targets, check_columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Load = Callable[[str, LoadOptions], Numbers]


def load_several(paths: Sequence[str], options: LoadOptions, load: Load) -> Numbers:
    """Load each file, and put the rows under each other."""
    first = load(paths[0], options)
    found = [first]
    for path in paths[1:]:
        numbers = load(path, match_options(first, options))
        if numbers.is_sparse != first.is_sparse:
            raise DataFormatError(
                f"sparse and dense rows do not go together, and those of {paths[0]} are of the "
                "other kind",
                where=path,
                fix="give files of one format",
            )
        found.append(numbers)
    return replace(
        _stack(found, options, paths),
        y=_stack_targets(found, paths),
        weights=_stack_weights(found),
        label_columns=_stack_label_columns(found, paths),
        notes=tuple(note for numbers in found for note in numbers.notes),
        lines=[line for numbers in found for line in numbers.lines],
        files=tuple((path, n.X.shape[0]) for path, n in zip(paths, found, strict=True)),
    )


def match_options(first: Numbers, options: LoadOptions) -> LoadOptions:
    """Return how further files are read: with the columns of the first."""
    if first.is_sparse and not first.header:
        return options
    if first.format == "vw":  # where names come as they come
        return options
    matched = replace(options, n_features=first.X.shape[1], place=first.place)
    unique = len(set(first.columns)) == len(first.columns)
    if first.header and unique and options.columns is None:
        names = tuple(map(str, first.columns))
        return replace(matched, columns=names, label=first.label)
    return matched


def _stack(found: list[Numbers], options: LoadOptions, paths: Sequence[str]) -> Numbers:
    import numpy as np

    first = found[0]
    if first.header and isinstance(first.X, Csr):
        return _stack_named(found)
    if not isinstance(first.X, Csr):
        return replace(first, X=np.concatenate([np.asarray(numbers.X) for numbers in found]))
    zero_based = any(numbers.zero_based for numbers in found)
    starts, indices, data, cells, columns = [np.zeros(1, np.int64)], [], [], 0, 0
    for numbers, path in zip(found, paths, strict=True):
        matrix = numbers.X
        assert isinstance(matrix, Csr)
        shift = int(zero_based and not numbers.zero_based)
        starts.append(matrix.indptr[1:] + cells)
        indices.append(matrix.indices + np.int32(shift))
        data.append(matrix.data)
        cells += len(matrix.data)
        # A number that was asked for holds for the file that another showed to count from 0, too.
        n_columns = matrix.shape[1] + shift
        if shift and options.n_features is not None:
            n_used = int(indices[-1].max()) + 1 if len(matrix.data) else 0
            check_columns(path, n_used, options.n_features)
            n_columns = options.n_features
        columns = max(columns, n_columns)
    indptr = np.concatenate(starts)
    X = Csr(indptr, np.concatenate(indices), np.concatenate(data), columns)
    lowest = 0 if zero_based else 1
    return replace(first, X=X, columns=range(lowest, columns + lowest), zero_based=zero_based)


def _stack_weights(found: list[Numbers]) -> NDArray[np.float64] | None:
    import numpy as np

    if all(numbers.weights is None for numbers in found):
        return None
    each = (np.ones(n.X.shape[0]) if n.weights is None else n.weights for n in found)
    return np.concatenate(list(each))


def _stack_named(found: list[Numbers]) -> Numbers:
    """Put sparse rows under each other whose columns have names, numbered as they come."""
    import numpy as np

    numbers: dict[str, int] = {}
    starts, indices, data, cells = [np.zeros(1, np.int64)], [], [], 0
    for one in found:
        matrix = one.X
        assert isinstance(matrix, Csr)
        own = [numbers.setdefault(str(name), len(numbers)) for name in one.columns]
        places = np.array(own, dtype=np.int32)[matrix.indices]
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        order = np.lexsort((places, rows))
        starts.append(matrix.indptr[1:] + cells)
        indices.append(places[order])
        data.append(matrix.data[order])
        cells += len(matrix.data)
    indptr = np.concatenate(starts)
    X = Csr(indptr, np.concatenate(indices), np.concatenate(data), len(numbers))
    return replace(found[0], X=X, columns=tuple(numbers))


def _stack_label_columns(found: list[Numbers], paths: Sequence[str]) -> tuple[NDArray[Any], ...]:
    columns = zip(*(numbers.label_columns for numbers in found), strict=True)
    stacked = (
        _stack_targets([replace(n, y=y) for n, y in zip(found, own, strict=True)], paths)
        for own in columns
    )
    return tuple(one for one in stacked if one is not None)


def _stack_targets(found: list[Numbers], paths: Sequence[str]) -> NDArray[Any] | None:
    import numpy as np

    targets = [numbers.y for numbers in found if numbers.y is not None]
    if len(targets) < len(found):
        return None
    # Truth values are no numbers here: beside 1 and 0 they would become them.
    words = [not (dtypes.is_integer(y.dtype) or dtypes.is_floating(y.dtype)) for y in targets]
    for path, is_word in zip(paths, words, strict=True):
        if is_word is not words[0]:
            kinds = ("numbers", "words")
            raise DataFormatError(
                f"the labels are {kinds[is_word]}, and in {paths[0]} they are {kinds[not is_word]}",
                where=path,
                fix="give files whose labels are of one kind",
            )
    joined = np.concatenate(targets)
    return as_targets(joined) if dtypes.is_floating(joined.dtype) else joined
