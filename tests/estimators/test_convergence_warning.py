"""Warnings that scikit-learn's users filter by scikit-learn's class."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sklearn.exceptions

from hardlimit import LinearClassifier, PassiveAggressiveClassifier
from hardlimit.exceptions import ConvergenceWarning, HardlimitWarning, InputError

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


def fit_for_too_short():
    return LinearClassifier(until="separated", max_iter=3).fit(*XOR)


def test_scikit_learns_filters_find_it():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", sklearn.exceptions.ConvergenceWarning)
        fit_for_too_short()
    for category in (sklearn.exceptions.ConvergenceWarning, ConvergenceWarning, HardlimitWarning):
        with pytest.warns(category, match="until='separated' was not reached"):
            fit_for_too_short()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ConvergenceWarning):
            fit_for_too_short()


def test_it_says_that_more_epochs_may_help():
    with pytest.warns(ConvergenceWarning, match="or need more epochs: raise max_iter$"):
        fit_for_too_short()


def test_it_travels():
    warning = ConvergenceWarning("too short", fix="wait")
    again = pickle.loads(pickle.dumps(warning))
    assert str(again) == str(warning) == "too short; wait"
    assert isinstance(again, sklearn.exceptions.ConvergenceWarning)
    assert type(again) is type(warning) and type(warning).__name__ == "ConvergenceWarning"
    assert str(warning.replaced(who="fit")) == "fit: too short; wait"


def test_without_scikit_learn_it_is_ours_and_imports_nothing():
    code = """if True:
        import sys
        from hardlimit.exceptions import ConvergenceWarning
        warning = ConvergenceWarning("x")
        assert type(warning) is ConvergenceWarning and "sklearn" not in sys.modules
    """
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_early_stopping_is_refused_by_a_stream():
    X, y = np.eye(4), [0, 1, 0, 1]
    clf = PassiveAggressiveClassifier(early_stopping=True)
    with pytest.raises(InputError, match="early_stopping=True, wanted False.*no epochs"):
        clf.partial_fit(X, y, classes=[0, 1])
    assert PassiveAggressiveClassifier().partial_fit(X, y, classes=[0, 1]).classes_.tolist() == [
        0,
        1,
    ]
