"""N_mu: how often each example was corrected, without a guard that asks."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, textbook
from hardlimit.exceptions import InputError

from ..rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
GIVEN = {"order": "cyclic", "readout": "last"}


def test_the_modified_or_by_hand():
    clf = LinearClassifier(**GIVEN).fit(*OR, count_examples=True)
    assert clf.n_i_.tolist() == [1, 1, 1, 0]
    assert clf.alpha_i_.tolist() == [1.0, 1.0, 1.0, 0.0]
    assert textbook.trace(*OR).outcome.counts == (1, 1, 1, 0)


@pytest.mark.parametrize("rule", ["perceptron", "relaxation", "romma", "adatron", "arow"])
@pytest.mark.parametrize("classes", [2, 3])
def test_counting_changes_no_bit_and_sums_to_the_corrections(rule, classes):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, classes, 60)
    given = {"max_iter": 5, "until": None, "readout": "last", "multiclass": "ovr"}
    plain = LinearClassifier(rule, **given).fit(X, y)
    counted = LinearClassifier(rule, **given).fit(X, y, count_examples=True)
    assert plain.coef_.tolist() == counted.coef_.tolist()
    assert counted.n_i_.sum() == counted.n_corrections_ == plain.n_corrections_


def test_the_perceptron_is_the_sum_of_its_counts():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    clf = LinearClassifier(**GIVEN, until=None, max_iter=7).fit(X, y, count_examples=True)
    signed = np.column_stack([X, np.ones(80)]) * np.where(y == 1, 1, -1)[:, None]
    assert clf.n_i_ @ signed == near([*clf.coef_[0], *clf.intercept_], 500)


def test_without_asking_there_are_none_and_the_error_says_how():
    with pytest.raises(AttributeError, match="count_examples=True"):
        _ = LinearClassifier().fit(*OR).n_i_


def test_it_learns_on_and_is_saved(tmp_path):
    clf = LinearClassifier(**GIVEN).fit(*OR, count_examples=True)
    clf.partial_fit([[1, 1]], [-1]).save(tmp_path / "m")
    assert hl.load(tmp_path / "m").coef_.tolist() == clf.coef_.tolist()


def test_a_batch_is_refused():
    with pytest.raises(InputError, match="a batch corrects all its violators together"):
        LinearClassifier(order="batch").fit(*OR, count_examples=True)
