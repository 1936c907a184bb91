"""
The voted perceptron on digits
==============================

Freund and Schapire let all hypotheses of one run vote, each as often as it survived. Here all
read-outs come from one fit, so that they can be compared: the last weights, the vote, the average,
the longest survivor.

With ``HARDLIMIT_DATA`` set, the digits are those of MNIST (``mnist/*-ubyte.gz``), 10,000 for
training and 2,000 for testing; otherwise the 1,797 small ones of scikit-learn.
"""

import gzip
import os
from pathlib import Path

import numpy as np

import hardlimit as hl

folder = Path(os.environ.get("HARDLIMIT_DATA", "-")) / "mnist"


def idx(name, skip, shape):
    """Read a file of MNIST: a header of a few bytes, then one byte per number."""
    with gzip.open(folder / f"{name}-ubyte.gz") as file:
        return np.frombuffer(file.read()[skip:], np.uint8).reshape(shape)


if folder.exists():
    X, y = idx("train-images-idx3", 16, (-1, 784)), idx("train-labels-idx1", 8, -1)
    X_new, y_new = idx("t10k-images-idx3", 16, (-1, 784)), idx("t10k-labels-idx1", 8, -1)
    X, y, X_new, y_new = X[:10000] / 1.0, y[:10000], X_new[:2000] / 1.0, y_new[:2000]
else:
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    X, y, X_new, y_new = X[:1200], y[:1200], X[1200:], y[1200:]

# %%
# One epoch over the digits, one neuron for each digit (``ovr``), several read-outs kept. Each
# picture is scaled to the same length.

kept = ("last", "longest", "pocket", "averaged", "voted")
clf = hl.LinearClassifier(
    "perceptron", multiclass="ovr", keep=kept, until=None, max_iter=1, scale="rows"
)
clf.fit(X, y)
print(f"{clf.n_corrections_:,} corrections in {len(y):,} presentations to each of ten neurons")

# %%
# No read-out needs another fit. The last weights depend most on the last corrections; voting and
# averaging reduce their influence.

for readout in kept:
    wrong = 1 - clf.with_readout(readout).score(X_new, y_new)
    print(f"{readout:9} {wrong:6.1%} wrong")
