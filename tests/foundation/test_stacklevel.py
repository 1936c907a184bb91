"""A warning names the line of who called, not one of ours."""

import warnings

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import budgets, schedules

X, Y = np.array([[1e-3, 9e3], [2e-3, -8e3], [1e-3, 7e3], [3e-3, -9e3]]), [0, 1, 0, 1]
XOR = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
CALLS = {
    "scale": lambda: hl.LinearClassifier().fit(X, Y),
    "scale of an estimator": lambda: hl.PassiveAggressiveClassifier().fit(X, Y),
    "not reached": lambda: hl.LinearClassifier(until="margin", max_iter=2).fit(XOR, [0, 1, 1, 0]),
    "schedule": lambda: hl.LinearClassifier(schedule=schedules.Power(2.0)).fit(XOR, Y),
    "budget": lambda: hl.KernelClassifier(budget=budgets.Projectron(2.0), max_iter=2).fit(XOR, Y),
    "a column of targets": lambda: hl.LinearClassifier().fit(XOR, [[0, 1], [1, 1]] * 2),
    "tolerance": lambda: hl.PassiveAggressiveClassifier(tol=0, max_iter=2).fit(XOR, [0, 1, 1, 0]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_warning_names_the_line_of_who_called(name):
    if "stimator" in name or name == "tolerance":
        pytest.importorskip("sklearn")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[name]()
    assert [warning.filename for warning in caught] == [__file__]
