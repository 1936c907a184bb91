"""
Training with wrong labels
==========================

A perceptron corrects every wrong label again and again. Several methods help: vote with all
hypotheses or average them, require a margin, stop correcting an example after a few corrections
(alpha-bound), or add a term for its own corrections to its margin (lambda-trick). Khardon and
Wachman (2007) compared them. Here they are on one data set, with a tenth of the training labels
changed.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

import hardlimit as hl
from hardlimit import guards

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
squared_radius = float((X * X).sum(axis=1).max()) + 1

# %%
# The settings of the paper: a margin that is a multiple of the mean squared length, lambda equal to
# the squared radius, at most three corrections for each example.

settings = {
    "nothing": None,
    "margin": guards.Margin(10 * float((X * X).sum(axis=1).mean())),
    "alpha-bound": guards.AlphaBound(3),
    "lambda-trick": guards.LambdaTrick(squared_radius),
}
readouts = ("last", "averaged", "voted")
wrong = {name: dict.fromkeys(readouts, 0) for name in settings}

# %%
# Ten folds. Only training labels are changed, so that errors are counted with the true labels.

noise = np.random.default_rng(0)
for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
    labels = np.where(noise.random(len(train)) < 0.1, 1 - y[train], y[train])
    for name, guard in settings.items():
        clf = hl.LinearClassifier(guard=guard, keep=readouts, until=None, max_iter=30)
        clf.fit(X[train], labels)
        for readout in readouts:
            errors = clf.with_readout(readout).predict(X[test]) != y[test]
            wrong[name][readout] += int(errors.sum())

print(f"{'guard':14}", *(f"{readout:>9}" for readout in readouts))
for name, counts in wrong.items():
    print(f"{name:14}", *(f"{counts[readout] / len(y):9.1%}" for readout in readouts))
