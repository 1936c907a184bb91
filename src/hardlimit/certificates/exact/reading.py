"""The border: what a user calls a matrix becomes ``Entries``, or a clear error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.certificates.exact.entries import Entries, Exact, fill_dense
from hardlimit.engine import as_csr, is_sparse
from hardlimit.engine.examples import canonical_arrays, dense_values
from hardlimit.exceptions import Cell, Given, InputError, KindError, MemoryEstimateError
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike

if TYPE_CHECKING:
    from hardlimit.engine.matrices import CsrMatrix

_LARGEST = 1 << 53  # beyond, a float may not hold an integer


def read_entries(X: ArrayLike, who: str = "certify") -> Entries:
    """Read X (n_rows, n_columns): arrays, sparse matrices, or lists of lists of numbers.

    Lists of ints and Fractions, and integer arrays, are taken exactly; all else as float64.

    Raises
    ------
    InputError
        Not a matrix of finite numbers; the message names the first row and column that is not.
    """
    try:
        if is_sparse(X):
            return _read_sparse(X)
        if isinstance(X, Sequence) and _has_fractions(X):
            return _read_lists(X)
        values = X if isinstance(X, np.ndarray) else np.asarray(X)
        if values.dtype.hasobject or (dtypes.is_integer(values.dtype) and _is_large(values)):
            return _read_lists(values.tolist())
        return _read_dense(values)
    except MemoryEstimateError:
        raise
    except (InputError, KindError) as error:
        # A value that is not finite is one of X's, and not X.
        raise error.replaced(who=who, parameter="" if error.has_got else "X") from None
    except ValueError as error:  # of the compiled border, which found something not finite
        raise InputError(str(error), who=who, parameter="X", fix="give finite numbers") from None
    except TypeError as error:
        raise KindError(str(error), who=who, parameter="X") from None


def _has_fractions(X: Sequence[Any]) -> bool:
    """Whether the first row that holds anything holds exact numbers that numpy would round."""
    for row in X:
        if isinstance(row, Sequence) and not isinstance(row, str | bytes):
            if any(isinstance(v, Fraction) or _is_long(v) for v in row):
                return True
    return False


def _is_long(value: object) -> bool:
    return isinstance(value, int) and abs(value) > _LARGEST


def _is_large(values: Array) -> bool:
    return bool(values.size) and max(int(values.max()), -int(values.min())) > _LARGEST


def _read_dense(values: Array) -> Entries:
    dense = dense_values(values).astype(np.float64, copy=False)
    bad = ~np.isfinite(dense)
    if bad.any():
        row, column = (int(v[0]) for v in np.nonzero(bad))
        _refuse(float(dense[row, column]), row, column)
    return Entries((len(dense), dense.shape[1]), dense)


def _read_sparse(X: CsrMatrix) -> Entries:
    rows = as_csr(X)
    given = rows.data
    if dtypes.is_integer(given.dtype) and _is_large(given):
        raise InputError(
            "floats do not hold them",
            got=Given(f"sparse integers beyond {_LARGEST:,}"),
            wanted="smaller ones, or a list of lists of ints",
        )
    indptr, indices, values = canonical_arrays(rows)
    values = values.astype(np.float64, copy=False)
    kept = values != 0
    if not kept.all():
        lengths = np.concatenate(([0], np.cumsum(kept)))
        indptr, indices, values = lengths[indptr], indices[kept], values[kept]
    csr = (values, np.asarray(indices, np.int64), np.asarray(indptr, np.int64))
    return Entries((int(X.shape[0]), int(X.shape[1])), csr=csr)


def _read_lists(X: Sequence[Any]) -> Entries:
    """Exact numbers, kept beside the nearest floats."""
    n_columns = len(X[0]) if X and isinstance(X[0], Sequence) else 0
    values: list[float] = []
    exact: list[Exact] = []
    indices: list[int] = []
    indptr = [0]
    for i, row in enumerate(X):
        if not isinstance(row, Sequence) or len(row) != n_columns:
            raise InputError(
                f"row {i} is not a list of {plural(n_columns, 'number')}, as row 0 is",
                wanted="a matrix",
            )
        for j, given in enumerate(row):
            value = _to_exact(given, i, j)
            if value:
                exact.append(value)
                values.append(_to_nearest_float(value, i, j))
                indices.append(j)
        indptr.append(len(exact))
    csr = (np.array(values), np.array(indices, np.int64), np.array(indptr, np.int64))
    shape = (len(X), n_columns)
    return Entries(shape, fill_dense(shape, csr), csr, exact)


def _to_exact(value: object, i: int, j: int) -> Exact:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        number = float(value)
        if not math.isfinite(number):
            _refuse(number, i, j)
        return Fraction(number)
    raise KindError(where=Cell(i, j), got=value, wanted="a number")


def _to_nearest_float(value: Exact, i: int, j: int) -> float:
    """The nearest float; the finders work with it."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or not number:
        digits = len(str(abs(Fraction(value).numerator)))
        raise InputError(
            f"a number of {plural(digits, 'digit')} is beyond the floats that the search works "
            "with",
            where=Cell(i, j),
            fix="scale the column",
        )
    return number


def _refuse(value: float, row: int, column: int) -> None:
    missing = value != value
    raise InputError(
        where=Cell(row, column),
        got=Given("NaN" if missing else "an infinite value"),
        wanted="finite numbers",
        fix="drop or fill missing values first" if missing else "clip or drop them first",
    )
