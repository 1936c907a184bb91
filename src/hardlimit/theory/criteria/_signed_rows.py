"""From examples and targets to signed, augmented rows."""

from __future__ import annotations

from typing import Any

from hardlimit.exceptions import InputError


def signed_rows(X: Any, y: Any, bias_feature: Any = 1) -> Any:
    """``z = y (x, s)`` for every example, so that ``z w > 0`` says "right" for both classes.

    ``s`` is the constant feature of the bias, -1 where it is a threshold, None for none. A list of
    rows gives a list of tuples in the numbers given; an array gives an array, CSR gives CSR. The
    rows keep their length: "normalised", as they are sometimes called, means the sign alone.

    Raises ``InputError`` where a target is neither -1 nor +1.

    >>> signed_rows([[2, 3], [4, 5]], [1, -1])
    [(2, 3, 1), (-4, -5, -1)]
    """
    targets = list(y)
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if len(targets) != n_rows:
        raise InputError(f"signed_rows: got {n_rows} rows and {len(targets)} targets")
    for i, target in enumerate(targets):
        if target not in (-1, 1):
            raise InputError(
                f"signed_rows: row {i} has the target {target!r}, wanted -1 or +1; "
                "for two classes write [1 if label == second else -1 for label in labels]"
            )
    if hasattr(X, "dtype"):
        return _signed_arrays(X, targets, bias_feature)
    bias = () if bias_feature is None else (bias_feature,)
    return [tuple(target * a for a in (*x, *bias)) for x, target in zip(X, targets, strict=True)]


def _signed_arrays(X: Any, targets: list[Any], bias_feature: Any) -> Any:
    import numpy as np

    signs = np.asarray(targets, dtype=float)[:, None]
    bias = np.full(signs.shape, 0 if bias_feature is None else bias_feature, dtype=float)
    if not hasattr(X, "tocsr"):
        rows = X if bias_feature is None else np.hstack([X, bias])
        return rows * signs
    from scipy.sparse import csr_matrix, hstack

    rows = X if bias_feature is None else hstack([X, csr_matrix(bias)])
    return csr_matrix(rows.tocsr().multiply(signs))
