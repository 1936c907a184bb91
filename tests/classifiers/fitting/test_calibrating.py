"""The slope is fitted to scores of rows that were not learnt, each with its own weight."""

import numpy as np
import pytest

from hardlimit.classifiers.fitting.calibrating import slope_out_of_sample
from hardlimit.evaluation.calibration import fit_slope

N = 60
DRAW = np.random.default_rng(0)
TARGETS = np.arange(N) % 2
LABELS = [f"c{target}" for target in TARGETS]
SCORES = (2.0 * TARGETS - 1) * DRAW.exponential(size=N) + DRAW.normal(size=N)


@pytest.mark.parametrize("absent", [(), (0, 7, 8, 31, 59)])
def test_each_row_is_held_out_once_and_brings_its_weight(absent):
    weights, asked = DRAW.exponential(size=N) ** 3, []
    weights[list(absent)] = 0.0

    def learn_and_score(learnt, rows):
        assert not set(learnt) & set(rows)
        asked.extend(rows.tolist())
        return SCORES[rows], TARGETS[rows]

    found = slope_out_of_sample(learn_and_score, LABELS, weights)
    # Not in the order of the rows, or it would show nothing.
    assert asked != sorted(asked)
    assert sorted(asked) == [row for row in range(N) if row not in absent]
    assert found == fit_slope(SCORES[asked], TARGETS[asked], weights[asked])
    assert found != fit_slope(SCORES[asked], TARGETS[asked], weights[sorted(asked)])
