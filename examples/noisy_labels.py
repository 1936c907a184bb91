"""
Training with wrong labels
==========================

A perceptron chases every wrong label for ever. What helps: to let all hypotheses vote or to average
them, to ask for a margin, to leave an example alone after a few corrections (alpha-bound), or to
count its corrections in its favour (lambda-trick). Khardon and Wachman (2007) compared these; here
they are on one set, with a tenth of the training labels turned round.
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
# The settings of the paper: a margin of a multiple of the mean squared length, lambda of the
# size of the squared radius, at most three corrections an example.

settings = {
    "nothing": None,
    "margin": guards.Margin(10 * float((X * X).sum(axis=1).mean())),
    "alpha-bound": guards.AlphaBound(3),
    "lambda-trick": guards.LambdaTrick(squared_radius),
}
readouts = ("last", "averaged", "voted")
wrong = {name: dict.fromkeys(readouts, 0) for name in settings}

# %%
# Ten folds; only training labels are turned round, so that the errors are real errors.

noise = np.random.default_rng(0)
for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
    labels = np.where(noise.random(len(train)) < 0.1, 1 - y[train], y[train])
    for name, guard in settings.items():
        clf = hl.LinearClassifier(guard=guard, keep=readouts, until=None, max_iter=30)
        clf.fit(X[train], labels)
        for readout in readouts:
            errors = clf.with_readout(readout).predict(X[test]) != y[test]
            wrong[name][readout] += int(errors.sum())

print(f"{'against noise':14}", *(f"{readout:>9}" for readout in readouts))
for name, counts in wrong.items():
    print(f"{name:14}", *(f"{counts[readout] / len(y):9.1%}" for readout in readouts))
