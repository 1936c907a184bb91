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

from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.foundation.register import Register
from hardlimit.maps._map import FeatureMap

__all__ = ["FeatureMap", "names", "resolve", "to_json"]

MAPS: Register[FeatureMap] = Register("map", FeatureMap)
MAPS.discover(globals())


def resolve(given: object) -> FeatureMap:
    """Return the map of that name, or of its JSON, or the map itself.

    >>> resolve("polynomial").degree
    2
    """
    return MAPS.resolve(given)


def to_json(one: FeatureMap) -> dict[str, Any]:
    """Return a map as plain JSON; :func:`resolve` makes it again.

    >>> to_json(MAPS.get("polynomial"))
    {'name': 'polynomial', 'parameters': {'c': 1.0, 'degree': 2}}
    """
    if not MAPS.holds(one):
        raise InputError(
            "its class is not one of hardlimit's, and a file keeps names",
            parameter="map",
            got=one,
        )
    params = {name: to_builtin(value) for name, value in sorted(one.get_params().items())}
    return {"name": MAPS.name_of(one), "parameters": params}


def names() -> list[str]:
    """Return the names of all maps.

    >>> names()
    ['cross', 'polynomial']
    """
    return MAPS.names()
