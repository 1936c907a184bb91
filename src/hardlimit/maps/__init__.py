"""Explicit feature maps, one a file: new columns in which a hyperplane says more.

A kernel makes the same features without writing them down; written down they can be read, weighed
and listed, and a linear model of them predicts at a cost that does not grow with the corrections.

>>> from hardlimit import LinearClassifier, maps
>>> X, y = [[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 1, 1, 0]  # XOR: no line separates it
>>> products = maps.Cross().fit(X)
>>> clf = LinearClassifier("perceptron", order="batch").fit(products.transform(X), y)
>>> clf.stop_reason_, products.get_feature_names_out().tolist(), clf.coef_[0].tolist()
('separated', ['x0', 'x1', 'x0*x1'], [0.0, 0.0, -4.0])

Maps follow scikit-learn's protocol of transformers without importing it: ``fit`` learns how many
columns there are, ``transform`` gives a new matrix of float64, dense for dense rows and sparse for
sparse ones, with the same bits.
"""

from __future__ import annotations

from hardlimit.foundation.register import Register
from hardlimit.maps._map import FeatureMap

__all__ = ["FeatureMap", "names"]

MAPS: Register[FeatureMap] = Register("map", FeatureMap)
MAPS.discover(globals())


def names() -> list[str]:
    """Return the names of all maps.

    >>> names()
    ['cross', 'polynomial']
    """
    return MAPS.names()
