import numpy as np
import pytest

from hardlimit import certify
from hardlimit.certificates import NotSeparable, SignedRows
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.suspects import find_suspects


def planted(seed, n_wrong, n_rows=300, n_columns=5, margin=0.3):
    """A separable set, and some rows far from the plane with the other label."""
    generator = np.random.default_rng(seed)
    w = generator.standard_normal(n_columns)
    w /= np.linalg.norm(w)
    X = generator.standard_normal((n_rows, n_columns))
    scores = X @ w + 0.2
    X += np.outer(np.sign(scores) * margin, w)
    y = np.where(scores > 0, "right", "left")
    far = np.flatnonzero(np.abs(scores) > 0.5)
    wrong = generator.choice(far, n_wrong, replace=False)
    y[wrong] = np.where(y[wrong] == "right", "left", "right")
    return X, y, set(wrong.tolist())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n_wrong", [1, 4, 12])
def test_planted_wrong_labels_come_first(seed, n_wrong):
    X, y, wrong = planted(seed, n_wrong)
    verdict = certify(X, y)
    assert isinstance(verdict, NotSeparable)
    assert set(verdict.suspects[:n_wrong]) == wrong
    assert wrong & set(verdict.conflict), "every conflict has a wrong label in it"


@pytest.mark.parametrize("seed", range(4))
def test_without_the_suspects_the_rest_is_separable(seed):
    X, y, _ = planted(seed, 30, margin=0.0)
    y[seed::17] = "left"
    verdict = certify(X, y)
    rest = np.delete(np.arange(len(y)), verdict.suspects)
    assert certify(X[rest], y[rest], gap=1.0)
    assert 30 <= len(verdict.suspects) < 60


def test_one_row_is_enough_for_the_exclusive_or():
    verdict = certify([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert len(verdict.suspects) == 1


def test_of_equal_rows_the_one_that_stands_alone_is_suspected():
    X = [[0.0, 1], [0, 1], [0, 1], [3, 3], [4, 3], [-1, 0]]
    verdict = certify(X, [0, 1, 0, 1, 1, 0])
    assert verdict.conflict == [0, 1]
    assert verdict.suspects == [1]


@pytest.mark.parametrize("seed", range(6))
def test_the_most_wrong_come_before_those_near_the_plane(seed):
    X, y, far = planted(seed, 4, margin=0.0)
    generator = np.random.default_rng([1, seed])
    near = generator.choice(np.setdiff1d(np.arange(len(y)), list(far)), 25, replace=False)
    X[near] /= 20
    y[near] = generator.choice(["left", "right"], 25)
    assert set(certify(X, y).suspects[:4]) == far


def test_of_many_columns_only_rows_that_can_conflict_are_suspects(monkeypatch):
    monkeypatch.setattr("hardlimit.certificates.suspects.MOST_COLUMNS", 3)
    Z = [[0, 1, 1.0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
    rows = SignedRows(read_entries(Z), np.array([1.0, 1, 1, -1, 1]), None)
    seen = []
    monkeypatch.setattr(
        "hardlimit.certificates.suspects.rank_suspects", lambda *given: seen.append(given) or [2, 0]
    )
    assert find_suspects(rows, {1: 1, 3: 3, 2: 2}, 5.0) == [3, 1]
    [(within, multipliers, seconds)] = seen
    assert (within.n_rows, within.n_columns, multipliers) == (3, 2, {0: 1, 2: 3, 1: 2})
    assert seconds == 5.0
