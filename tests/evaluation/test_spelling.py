"""Labels without types, quantiles, and the names that moved."""

import pytest

from hardlimit.evaluation import match_labels, orient_threshold
from hardlimit.evaluation.figures import normal_quantile
from hardlimit.exceptions import InputError

from ..rounding import printed


@pytest.mark.parametrize(
    ("labels", "classes", "matched"),
    [
        (["1", "2"], [1, 2], [1, 2]),
        ([1, "2", "x"], [1, 2], [1, 2, "x"]),
        (["1"], ["1", "2"], ["1"]),
        (["True"], [True, False], [True]),
        (["0.5"], [0.5, 1.5], [0.5]),
        ([], [1], []),
    ],
)
def test_texts_become_the_labels_that_they_spell(labels, classes, matched):
    assert match_labels(labels, classes) == matched


def test_a_known_label_is_never_respelled():
    assert match_labels(["1", 1], [1, "1"]) == ["1", 1]


@pytest.mark.parametrize("threshold", [-2.5, 0.0, 0.1, 1e300])
def test_a_threshold_turned_twice_separates_the_same_scores(threshold):
    assert orient_threshold(True, threshold) == threshold
    turned = orient_threshold(False, threshold)
    for score in (threshold, threshold + 1, threshold - 1):
        assert (score > threshold) != (-score > turned)


@pytest.mark.parametrize(("confidence", "z"), [(0.95, 1.959964), (0.99, 2.575829), (0.5, 0.67449)])
def test_quantiles(confidence, z):
    assert normal_quantile(confidence) == printed(z, 6)


@pytest.mark.parametrize("confidence", [0, 1, -1, 2, float("nan")])
def test_confidence_is_a_share(confidence):
    with pytest.raises(InputError) as caught:
        normal_quantile(confidence)
    assert caught.value.parameter == "confidence"
