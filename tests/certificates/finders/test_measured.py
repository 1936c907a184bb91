"""Iterations to a separator, on unit rows, as measured before in another language."""

import csv

import numpy as np
import pytest

from hardlimit.certificates import finders

from ...rounding import printed
from .drawn import bracket, search_of, signed


def found(folder, name):
    path = folder / "uci" / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


@pytest.fixture
def setosa(data_folder):
    with open(found(data_folder, "iris.csv")) as file:
        table = [row for row in csv.reader(file) if len(row) == 5 and row[0][0].isdigit()]
    X = np.array([row[:4] for row in table], float)
    return signed(X, [1 if row[4] == "Iris-setosa" else -1 for row in table])


@pytest.fixture
def wdbc(data_folder):
    with open(found(data_folder, "wdbc.data")) as file:
        table = [row for row in csv.reader(file) if row]
    X = np.array([row[2:] for row in table], float)
    y = [1 if row[1] == "M" else -1 for row in table]
    return signed((X - X.mean(0)) / X.std(0), y)


def first(rows, name, budget=1):
    search = search_of(rows, name)
    short = None
    while search.found_at < 0:
        search.advance(budget)
        # No tolerance: the length at which the multipliers are counted.
        if short is None and search.length <= 1e-3:
            short = search.iterations
    return search.found_at, short


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("von-neumann", 1),
        ("normalised-perceptron", 2),
        ("smooth-entropy", 4),
        ("smooth-euclidean", 4),
    ],
)
def test_iris(setosa, name, wanted):
    assert first(setosa, name)[0] == wanted


def test_margins(setosa, wdbc):
    for rows, gamma in ((setosa, 0.123475), (wdbc, 0.000349)):
        search = search_of(rows, "minimum-norm")
        search.advance(1 << 26)
        assert search.length == printed(gamma, 6)
        # The search ends where the squares agree to 1e-9.
        assert search.smallest == pytest.approx(search.length, rel=2e-9)


def test_the_bracket_of_wdbc_is_closed_at_once(wdbc):
    lower, upper, asked = bracket(finders.MinimumNorm().findings(wdbc, 0), wdbc, until=0.01)
    assert lower > 0.99 * upper
    assert asked <= 8


def test_wdbc_smooth(wdbc):
    """Multipliers of a length of 1e-3 after 742; with projections roundings decide, so about."""
    separating, short = first(wdbc, "smooth-entropy")
    assert short == 742
    assert 742 < separating < 14_000
    assert 700 < first(wdbc, "smooth-euclidean")[1] < 900


@pytest.mark.slow
def test_wdbc_von_neumann(wdbc):
    # The last bits of numpy's means move the count, and no theorem says by how much.
    assert first(wdbc, "von-neumann", 1 << 22)[0] == pytest.approx(153_573, rel=0.02)


@pytest.mark.slow
def test_wdbc_normalised_perceptron(wdbc):
    search = search_of(wdbc, "normalised-perceptron")
    # No tolerance: the length at which the multipliers are counted.
    while search.length > 1e-3:
        search.advance(1)
    # The last bits of numpy's means move the count, and no theorem says by how much.
    assert search.iterations - 1 == pytest.approx(19_436, rel=0.02)
    assert search.found_at < 0
