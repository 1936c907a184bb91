"""Error-driven linear classification: the perceptron and its kin.

>>> import hardlimit as hl
>>> clf = hl.TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
>>> str(clf.predict(["a prize to win"])[0])
'spam'
"""

from __future__ import annotations

import importlib
from typing import Any

from hardlimit.foundation.package import VERSION

__version__ = VERSION

# Public names and the modules that hold them, loaded on first use.
_HOMES = {
    "KernelClassifier": "hardlimit.classifiers",
    "LinearClassifier": "hardlimit.classifiers",
    "TableClassifier": "hardlimit.classifiers",
    "TextClassifier": "hardlimit.classifiers",
    "TextVectorizer": "hardlimit.text",
    "load": "hardlimit.estimators.loading",
    "certify": "hardlimit.certificates",
    "open_live": "hardlimit.live",
    "PerceptronClassifier": "hardlimit.estimators",
    "MarginPerceptronClassifier": "hardlimit.estimators",
    "RelaxationClassifier": "hardlimit.estimators",
    "PassiveAggressiveClassifier": "hardlimit.estimators",
    "WinnowClassifier": "hardlimit.estimators",
    "BalancedWinnowClassifier": "hardlimit.estimators",
    "VotedPerceptronClassifier": "hardlimit.estimators",
    "KernelPerceptronClassifier": "hardlimit.estimators",
    "SecondOrderPerceptronClassifier": "hardlimit.estimators",
    "AROWClassifier": "hardlimit.estimators",
    "SCWClassifier": "hardlimit.estimators",
    "rules": "hardlimit.rules",
    "orders": "hardlimit.orders",
    "schedules": "hardlimit.schedules",
    "guards": "hardlimit.guards",
    "kernels": "hardlimit.kernels",
    "budgets": "hardlimit.budgets",
    "bounds": "hardlimit.theory.bounds",
    "cones": "hardlimit.theory.cones",
    "criteria": "hardlimit.theory.criteria",
    "distances": "hardlimit.theory.distances",
    "certificates": "hardlimit.certificates",
    "live": "hardlimit.live",
    "mail": "hardlimit.mail",
    "maps": "hardlimit.maps",
    "reports": "hardlimit.reports",
    "textbook": "hardlimit.textbook",
    "pictures": "hardlimit.pictures",
    "exceptions": "hardlimit.exceptions",
}
_MODULES = {
    "rules",
    "orders",
    "schedules",
    "guards",
    "kernels",
    "budgets",
    "bounds",
    "cones",
    "criteria",
    "distances",
    "certificates",
    "live",
    "mail",
    "maps",
    "reports",
    "textbook",
    "pictures",
    "exceptions",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit' has no attribute '{name}'")
    module = importlib.import_module(_HOMES[name])
    value = module if name in _MODULES else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
