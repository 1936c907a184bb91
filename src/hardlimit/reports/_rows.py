"""The rows of a report, checked: texts, or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.engine import is_sparse
from hardlimit.examples.texts import Texts, as_texts
from hardlimit.exceptions import Given, InputError, KindError


def check_texts(X: object, name: str) -> Texts:
    """Return texts as a list; ``name`` is that of the parameter."""
    try:
        texts = Texts(as_texts(X))
    except KindError as error:
        raise error.replaced(
            reason=error.reason or "the model was trained on texts",
            who="report",
            parameter="",
            got=Given(f"{error.got} as {name}"),
            wanted="texts: [text, ...]",
        ) from None
    strange = next((one for one in texts if not isinstance(one, str | bytes)), None)
    if strange is not None:
        raise KindError(
            "the model was trained on texts",
            who="report",
            got=Given(f"{type(strange).__name__} among the texts of {name}"),
            wanted="str or bytes",
        )
    return texts


def check_numbers(X: Any, name: str) -> Any:
    """Return rows of numbers, dense or CSR with ascending columns; X itself is not changed."""
    if hasattr(X, "tocsr"):  # of scipy
        rows = X.tocsr(copy=True)
        # sections compare rows entry by entry, so each column must come once
        rows.sum_duplicates()
        return rows
    if is_sparse(X):
        return X
    # before numpy, whose error would name neither the texts nor the model
    texts = not hasattr(X, "shape") and any(isinstance(one, str | bytes) for one in X)
    if isinstance(X, str | bytes) or texts:
        raise KindError(
            "the model was trained on numbers",
            who="report",
            got=Given(f"texts as {name}"),
            wanted="rows of numbers",
        )
    try:
        rows = np.asarray(X, np.float64)
    except (TypeError, ValueError) as error:
        reason = f"{name} holds something else: {error}"
        wanted = "rows of as many numbers each"
        raise InputError(reason, who="report", wanted=wanted) from None
    if rows.ndim != 2:
        got = Given(f"{name} of shape {rows.shape}")
        raise InputError(who="report", got=got, wanted="(n_rows, n_columns)")
    return rows
