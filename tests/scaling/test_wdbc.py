"""WDBC, whose columns differ by 100,000: raw it errs 8 to 10 %, standardised about 3 %."""

import warnings

import numpy as np
import pytest

from benchmarks import uci
from benchmarks.corpora import Missing
from hardlimit import LinearClassifier
from hardlimit.exceptions import ScaleWarning


def share_of_errors(problem, scale):
    """Ten folds, every tenth row of each class of a drawn order."""
    errors = 0
    draw = np.random.default_rng(0)
    order = draw.permutation(len(problem.y))
    order = order[np.argsort(problem.y[order], kind="stable")]
    for fold in range(10):
        test = np.zeros(len(order), bool)
        test[order[fold::10]] = True
        clf = LinearClassifier(scale=scale, until=None, max_iter=20)
        clf.fit(problem.numbers[~test], problem.y[~test])
        errors += (clf.predict(problem.numbers[test]) != problem.y[test]).sum()
    return errors / len(order)


def test_standardising_brings_nine_percent_to_three():
    try:
        (problem,) = uci.problems("wdbc")
    except Missing as missing:
        pytest.skip(str(missing))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ScaleWarning)
        raw = share_of_errors(problem, "none")
    assert len(caught) == 10 and all(one.category is ScaleWarning for one in caught)
    assert 0.075 <= raw <= 0.105
    assert share_of_errors(problem, "standard") <= 0.035
    assert share_of_errors(problem, "maxabs") <= 0.04
