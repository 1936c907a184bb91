"""Drawn examples, and kernels twice: as the package has them and as the textbook takes them."""

import math

import numpy as np

from hardlimit import budgets, kernels, textbook

ALL = {
    "remove-oldest": budgets.RemoveOldest(5),
    "random-removal": budgets.RandomRemoval(5),
    "stoptron": budgets.Stoptron(5),
    "forgetron": budgets.Forgetron(5),
    "projectron": budgets.Projectron(0.1),
    "projectron-plus-plus": budgets.ProjectronPlusPlus(0.1),
}


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def rbf(a, b):
    return math.exp(-sum((p - q) ** 2 for p, q in zip(a, b, strict=True)))


def squared(a, b):
    return (1 + dot(a, b)) ** 2


KERNELS = {"rbf": (kernels.RBF(), rbf), "polynomial": (kernels.Polynomial(2, 1.0), squared)}


def drawn(n=60, seed=0, noise=0.0):
    """XOR of the signs, some labels turned."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


def examples(X, y, number=float):
    return textbook.examples(X, y, bias_feature=None, number=number)


def coefficients(clf, n):
    """Signed, one an example."""
    found = np.zeros(n)
    found[clf.support_] = clf.dual_coef_[0]
    return found
