"""What the tests of the rules with a covariance share."""

import numpy as np

from hardlimit import LinearClassifier, rules

SHAPES = ("diagonal", "full")
RULES = {
    "arow": {"r": 0.7},
    "scw1": {"C": 0.4, "eta": 0.8},
    "scw2": {"C": 0.4, "eta": 0.95},
    "second-order-perceptron": {"a": 0.6},
}
ALL = [rules.get(name, covariance=s, **RULES[name]) for name in RULES for s in SHAPES]
FULL = [rule for rule in ALL if rule.covariance == "full"]


def drawn(seed, n_rows=40, n_columns=11, n_classes=2):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_rows, n_columns)) < 0.6, rng.normal(size=(n_rows, n_columns)), 0.0)
    return X, rng.integers(0, n_classes, n_rows), rng.choice([0.5, 1.0, 2.0], n_rows)


def learner(rule, **settings):
    settings = {"order": "cyclic", "max_iter": 3, "until": None, "readout": "last"} | settings
    return LinearClassifier(rule, **settings)


def blocks(clf):
    """S of each output, (n_outputs, n + 1, n + 1), the start put where nothing was stored."""
    state = clf.fitted.state.state
    sigma, size = state.array("sigma"), state.n_columns + 1
    if clf.rule.covariance == "full":
        matrices = sigma.ravel().reshape(state.n_outputs, size, size).copy()
    else:
        matrices = np.stack([np.diag(sigma[:, k]) for k in range(state.n_outputs)])
    for matrix in matrices:
        diagonal = matrix.diagonal()
        start = float(clf.rule.initial_variance)
        np.fill_diagonal(matrix, np.where(diagonal == 0, start, diagonal))
    return matrices


def weights(clf):
    return np.append(clf.coef_, clf.intercept_[:, None], axis=1)


def corrected_rows(rule, X, y, sample_weight=None, **settings):
    """Rows (the bias's 1 appended) and targets of the corrections of a run, and the model."""
    clf, found = learner(rule, **settings), []
    for i in range(len(X)):
        before = clf.n_corrections_ if i else 0
        weight = None if sample_weight is None else sample_weight[i : i + 1]
        clf.partial_fit(X[i : i + 1], y[i : i + 1], weight, classes=[0, 1])
        if clf.n_corrections_ > before:
            found.append(i)
    bias = float(settings.get("fit_intercept", True))
    return np.append(X, np.full((len(X), 1), bias), 1)[found], 2 * y[found] - 1, clf, found
