"""The searches once more, slow and obvious, on a dense matrix Z of signed rows."""

import itertools

import numpy as np


def von_neumann(Z):
    """Yield (u, p) after each step, the even start first."""
    p = np.full(len(Z), 1 / len(Z))
    u = p @ Z
    while True:
        yield u, p
        j = np.argmin(Z @ u)
        apart = u - Z[j]
        share = np.clip(u @ apart / (apart @ apart), 0, 1)
        p = (1 - share) * p
        p[j] += share
        u = (1 - share) * u + share * Z[j]


def normalised_perceptron(Z):
    """Yield (w, counts) after each addition."""
    w, counts = np.zeros(Z.shape[1]), np.zeros(len(Z))
    while True:
        j = np.argmin(Z @ w)
        w, counts = w + Z[j], counts + (np.arange(len(Z)) == j)
        yield w, counts


def entropy(s, mu):
    p = np.exp((s.min() - s) / mu)
    return p / p.sum()


def euclidean(s, mu):
    v = 1 / len(s) - s / mu
    falling = np.sort(v)[::-1]
    sums = np.cumsum(falling) - 1
    last = np.flatnonzero(falling > sums / np.arange(1, len(v) + 1))[-1]
    return np.maximum(v - sums[last] / (last + 1), 0)


def smooth_perceptron(Z, smin, mu):
    """Yield (y, x) after each step, the start first."""
    y = Z.mean(0)
    x = smin(Z @ y, mu)
    for k in itertools.count():
        yield y, x
        share = 2 / (k + 3)
        y = (1 - share) * (y + share * x @ Z) + share**2 * smin(Z @ y, mu) @ Z
        mu *= 1 - share
        x = (1 - share) * x + share * smin(Z @ y, mu)


def perceptron(Z, adds):
    """The rows that are added, in their order, and the weights in the end."""
    w, order, quiet = np.zeros(Z.shape[1]), [], 0
    for i in itertools.cycle(range(len(Z))):
        if adds(Z[i] @ w, w @ w, len(order)):
            w, quiet = w + Z[i], 0
            order.append(i)
        else:
            quiet += 1
        if quiet == len(Z):
            return order, w


def first_separating(steps, Z):
    """How many steps until the direction separates."""
    return next(k for k, (w, _) in enumerate(steps) if (Z @ w).min() > 0)


def nearest_point(Z):
    """The point of the hull nearest to the origin, and its multipliers, by scipy."""
    from scipy.optimize import nnls

    scale = np.abs(Z).max()
    lifted = np.vstack([Z.T / scale, np.ones(len(Z))])
    p, _ = nnls(lifted, np.append(np.zeros(Z.shape[1]), 1.0))
    return p @ Z / p.sum(), p / p.sum()
