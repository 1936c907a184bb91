"""Noise-tolerant perceptrons compared: flipped labels, methods, conclusions, tables."""

import numpy as np
import pytest

from benchmarks import uci
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.rows import noise_tolerance as row


def drawn(n_rows=60):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_rows, 3))
    y = np.where(X[:, 0] + 0.2 * rng.normal(size=n_rows) > 0, 1, -1)
    return uci.Problem("drawn", X, np.zeros((n_rows, 0)), y)


def means(**changed):
    """Errors as the paper would have them, but for those given as ``tau_last=...``."""
    usual = {"last": 4.0, "longest": 3.5, "voted": 3.0, "averaged": 3.0}
    noisy = {(method, readout): usual[readout] for method, readout in row.CELLS}
    noisy |= {("plain", "last"): 20.0, ("plain", "longest"): 8.0, ("plain", "voted"): 4.5}
    noisy |= {("lambda", "last"): 6.0, ("alpha", "last"): 5.0}
    noisy |= {tuple(name.rsplit("_", 1)): error for name, error in changed.items()}
    return {0.0: dict.fromkeys(row.CELLS, 3.0), 0.1: noisy}


def test_about_a_tenth_of_the_labels_is_flipped_the_same_ones_every_time():
    y = np.where(np.arange(5000) % 2, 1, -1)
    noisy = row.flipped(y, 0.1, [1])
    assert 0.08 < (noisy != y).mean() < 0.12
    assert (noisy == row.flipped(y, 0.1, [1])).all()
    assert (noisy != row.flipped(y, 0.1, [2])).any()
    assert (row.flipped(y, 0.0, [1]) == y).all()


def test_every_method_is_fitted_once_for_all_read_outs_and_to_the_last_epoch():
    X, y = drawn().numbers, drawn().y
    for name, method in row.METHODS.items():
        classifier = method.fit(X, y, seed=1)
        answers = {r: classifier.with_readout(r).predict(X) for r in row.READOUTS}
        assert all(set(a.tolist()) <= {-1, 1} for a in answers.values()), name
        ended_by_itself = classifier.stop_reason_ in ("settled", "separated")
        assert classifier.n_iter_ == row.EPOCHS or ended_by_itself, name
    assert row.METHODS["alpha"].fit(X, y, seed=1).n_corrections_ <= 3 * len(y)


def test_the_errors_are_percentages_of_the_test_rows(monkeypatch):
    monkeypatch.setattr(row, "EPOCHS", 3)
    errors = row.cross_validated(drawn(), 0.0)
    assert set(errors) == set(row.CELLS)
    assert all(0 <= error < 40 for error in errors.values())
    assert row.cross_validated(drawn(), 0.4)["plain", "last"] > errors["plain", "last"]


def test_each_conclusion_shows_where_the_means_say_so():
    assert [figure.reached for figure in row.conclusions(means())] == [True] * 7 + [None]


@pytest.mark.parametrize(
    ("changed", "conclusion"),
    [
        ({"plain_longest": 20.5}, "last vector errs most"),
        ({"plain_voted": 8.5}, "voting errs less"),
        ({"alpha_averaged": 2.9}, "together err least of all"),
        ({"alpha_last": 3.9}, "a large margin errs least"),
        ({"tau_last": 19.0}, "steadies the last vector"),
        ({"tau alpha_voted": 2.4}, "add little"),
        ({"plain_last": 4.4}, "noise is what makes"),
    ],
)
def test_each_conclusion_can_fail(changed, conclusion):
    failed = [f.name for f in row.conclusions(means(**changed)) if f.reached is False]
    assert any(conclusion in name for name in failed), failed


def test_the_row_gives_conclusions_and_three_tables(monkeypatch):
    monkeypatch.setattr(row, "EPOCHS", 2)
    monkeypatch.setattr(row, "MOST_ROWS", 40)
    monkeypatch.setattr(uci, "problems", lambda name: [drawn()])
    skipped = []
    found = list(row.figures(Settings(quick=True), skipped))
    grids = [one for one in found if isinstance(one, Grid)]
    assert [type(one) for one in found[:-3]] == [Figure] * 8
    assert [grid.lines[-1][0] for grid in grids] == ["mean", "mean", "tau alpha"]
    assert all(len(line) == len(grid.head) for grid in grids for line in grid.lines)
    assert skipped == [f"{name}: all but 40 of 60 rows, drawn" for name in row.QUICK]
