"""Signed rows for tests, and what is measured of findings, in plain numpy."""

import numpy as np
from scipy.sparse import csr_matrix

from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.finders import Direction, Weighting
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.engine import new_search


def signed(X, y, bias=1.0, sparse=False):
    X = np.asarray(X, float) if not sparse else csr_matrix(np.asarray(X, float))
    return SignedRows(read_entries(X), np.asarray(y, float), bias)


def separable(seed, n=60, d=5, distance=0.1):
    """Draw rows at least so far from a plane."""
    rng = np.random.default_rng(seed)
    X, normal = rng.normal(size=(8 * n, d)), rng.normal(size=d)
    scores = X @ normal / np.linalg.norm(normal)
    kept = np.flatnonzero(np.abs(scores) > distance)[:n]
    return X[kept], np.where(scores[kept] > 0, 1, -1)


def inseparable(seed, n=60, d=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), np.where(rng.random(n) < 0.5, 1, -1)


def search_of(rows, name, unit=True, parameter=0.0, seed=0):
    view = View(rows, unit=unit)
    return new_search(name, view.matrix, rows.n_columns, parameter=parameter, seed=seed)


def dense(rows, unit=False):
    Z = rows.dense
    if Z is None:
        Z = csr_matrix((rows.data, rows.indices, rows.indptr), (rows.n_rows, rows.n_columns))
        Z = Z.toarray()
    return Z / np.linalg.norm(Z, axis=1)[:, None] if unit else Z


def bracket(findings, rows, most=10_000, until=0.0, short=0.0):
    """The largest margin and the smallest length found, and how many findings were asked for.

    Ends when they are within the share ``until``, or the length is below ``short``.
    """
    Z, lower, upper, asked = dense(rows), -np.inf, np.inf, 0
    for asked, found in zip(range(1, most + 1), findings, strict=False):  # noqa: B007
        if isinstance(found, Direction):
            w = np.array([float(v) for v in found.w])
            lower = max(lower, (Z @ w).min() / np.linalg.norm(w))
        if isinstance(found, Weighting):
            p = np.zeros(len(Z))
            p[np.asarray(found.index)] = [float(v) for v in found.value]
            assert p.min() >= 0 and p.max() > 0
            upper = min(upper, np.linalg.norm(p @ Z) / p.sum())
        if upper < short or (lower > 0 and lower >= (1 - until) * upper):
            break
    return lower, upper, asked
