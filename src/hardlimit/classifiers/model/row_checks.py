"""Questions about rows that are asked before they are scored."""

from __future__ import annotations

from collections.abc import Sized

from hardlimit import _native
from hardlimit.classifiers.model.model import Model
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import unreadable
from hardlimit.foundation.types import ArrayLike


def count_rows(X: ArrayLike) -> int:
    """Return how many rows X has, before anything of it is looked at; 0 of what has no length.

    >>> count_rows([[1, 2], [3, 4]])
    2
    """
    shape = getattr(X, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else 0
    try:
        return len(X) if isinstance(X, Sized) else 0
    except Exception as error:  # of a user's own class
        raise unreadable(error, "X") from error


def check_columns(model: Model, rows: _native.Rows) -> None:
    """Refuse rows of another number of columns than the model knows."""
    wanted = model.n_columns
    if rows.n_columns != wanted:
        raise InputError(
            parameter="X",
            got=Given(f"{plural(rows.n_columns, 'column')}"),
            wanted=f"{wanted}, as the model was fitted with",
        )
