"""Estimators of scikit-learn: thin fronts of the classifiers, one a file.

All mathematics stands in the rules and the classifiers. Here parameters are flat and checked by
scikit-learn's own means, so that ``clone``, ``Pipeline``, ``GridSearchCV``, metadata routing and
``check_estimator`` find what they look for.

``expected_failed_checks(estimator)`` tells ``check_estimator`` what cannot hold, and why.

Importing one of them imports scikit-learn; nothing else of hardlimit does.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from hardlimit.exceptions import MissingExtraError

# Names only: importing the classes here would load scikit-learn with hardlimit.
_HOMES = {
    "AROWClassifier": "arow",
    "BalancedWinnowClassifier": "balanced_winnow",
    "KernelPerceptronClassifier": "kernel_perceptron",
    "MarginPerceptronClassifier": "margin_perceptron",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "PerceptronClassifier": "perceptron",
    "RelaxationClassifier": "relaxation",
    "SCWClassifier": "scw",
    "SecondOrderPerceptronClassifier": "second_order_perceptron",
    "VotedPerceptronClassifier": "voted_perceptron",
    "WinnowClassifier": "winnow",
}

NAMES = frozenset(_HOMES)
__all__ = [*_HOMES]  # noqa: PLE0604
_ALSO = {"expected_failed_checks": "_expected"}


def __getattr__(name: str) -> Any:
    homes = _HOMES | _ALSO
    if name not in homes:
        raise AttributeError(f"module 'hardlimit.estimators' has no attribute '{name}'")
    # Asked first: an error inside scikit-learn must not look like a missing extra.
    if importlib.util.find_spec("sklearn") is None:
        raise MissingExtraError(
            "needs scikit-learn", who=f"hardlimit.{name}", fix="pip install 'hardlimit[sklearn]'"
        )
    value = getattr(importlib.import_module(f"{__name__}.{homes[name]}"), name)
    # From now on the name is found without this function.
    globals()[name] = value
    return value
