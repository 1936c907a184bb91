"""What every finder owes: found by discovery, the same for the same seed, on any rows."""

import numpy as np
import pytest

from hardlimit.certificates import SignedRows, finders
from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.exact.reading import read_entries

from ...rounding import roundings, within
from .drawn import bracket, inseparable, separable, signed

# Linear programs have tests of their own: one works in a thread and answers when that is done, the
# others look at vertices and at the core, whose margins are too narrow to be measured in floats.
ELSEWHERE = ("linear-program", "exact-simplex", "sparse-core", "logistic")
NAMES = [name for name in finders.names() if name not in ELSEWHERE]
MARGINS = [name for name in NAMES if finders.get(name).margins]
PROVING = [name for name in NAMES if name != "rescaling"]  # which proves nothing against
PATIENT = [
    "minimum-norm",
    "adatron",
    "dynamic-margin",
    "non-negative-least-squares",
]


def findings(name, rows, seed=0):
    finder = finders.get(name)
    assert finder.suits(rows) == ""
    return finder.findings(rows, seed)


def plain(found):
    return found and {key: np.asarray(value).tolist() for key, value in vars(found).items()}


def test_each_has_a_turn_of_its_own():
    turns = [finders.get(name).turn for name in finders.names()]
    assert len(set(turns)) == len(turns)
    first, second, *_ = sorted(finders.names(), key=lambda name: finders.get(name).turn)
    assert (first, second) == ("sparse-core", "minimum-norm"), "the first ends at once, mostly"


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("name", MARGINS)
def test_separates_what_can_be_separated(name, sparse):
    for seed in range(3):
        rows = signed(*separable(seed, n=80, d=4), sparse=sparse)
        lower, upper, _ = bracket(findings(name, rows), rows, until=1.0)
        assert 0 < lower <= upper * (1 + roundings(1000))


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("name", PROVING)
def test_bounds_what_cannot(name, sparse):
    rows = signed(*inseparable(1, n=50, d=3), sparse=sparse)
    lower, upper, _ = bracket(findings(name, rows), rows, most=60, short=0.05)
    assert lower <= 0
    assert upper < 0.05


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_findings(name):
    rows = signed(*separable(3))
    first, second = (
        [plain(f) for f, _ in zip(findings(name, rows, 7), range(5), strict=False)]
        for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize("name", PROVING)
def test_a_zero_row_is_a_proof(name):
    rows = signed([[1.0, 2], [0, 0], [3, 1]], [1, 1, -1], bias=None)
    found = [f for f in findings(name, rows) if f is not None]
    assert {tuple(int(i) for i in f.index) for f in found} == {(1,)}


@pytest.mark.parametrize("scale", [1e-200, 1e200], ids=["tiny", "huge"])
@pytest.mark.parametrize("name", MARGINS)
def test_rows_of_any_size(name, scale):
    X, y = separable(2)
    rows = signed(X * scale, y, bias=scale)
    Z = np.hstack([X, np.ones((len(X), 1))]) * y[:, None]
    for _, found in zip(range(300), findings(name, rows), strict=False):
        if isinstance(found, finders.Direction) and (Z @ to_floats(found.w)).min() > 0:
            return
    raise AssertionError("no direction separates")


@pytest.mark.parametrize("name", sorted({*PROVING} & {*MARGINS}))
def test_one_row(name):
    rows = SignedRows(read_entries([[3.0, 4.0]]), np.array([-1.0]), None)
    lower, upper, _ = bracket(findings(name, rows), rows, until=1e-9)
    assert lower == within(5, 5 * 1e-9)
    assert upper == within(5, 5 * 1e-9)


@pytest.mark.parametrize("name", MARGINS)
def test_duplicates_and_columns_that_depend(name):
    X, y = separable(4, n=30, d=3)
    X = np.hstack([X, X[:, :1] + X[:, 1:2], np.zeros((30, 1))])
    rows = signed(np.vstack([X, X[:10], 2 * X[:5]]), np.concatenate([y, y[:10], y[:5]]))
    lower, upper, _ = bracket(findings(name, rows), rows, until=1.0)
    assert 0 < lower <= upper * (1 + roundings(1000))


@pytest.mark.parametrize("name", PATIENT)
def test_closes_the_bracket(name):
    rows = signed(*separable(6, n=100, d=3, distance=0.2))
    lower, upper, _ = bracket(findings(name, rows), rows, most=2000, until=0.0101)
    assert lower > 0.989 * upper


def test_what_is_too_large_is_refused_with_the_reason():
    rows = signed(np.ones((3, 2001)), [1, 1, 1])
    assert finders.get("minimum-norm").suits(rows) == "2,002 columns are more than 2,000"


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("apart", [3, 8])
def test_columns_of_very_different_size(sparse, apart):
    rng = np.random.default_rng(0)
    units = np.logspace(-apart, apart, 12)
    X, normal = rng.normal(size=(200, 12)), rng.normal(size=12)
    y = np.where(X @ normal > 0, 1, -1)
    rows = signed(X * units, y, sparse=sparse)
    Z = np.hstack([X, np.ones((200, 1))]) * y[:, None]
    directions = [f.w for f in findings("minimum-norm", rows) if isinstance(f, finders.Direction)]
    assert (Z @ (directions[-1] * [*units, 1.0]) > 0).all()
    y[3] *= -1
    weightings = [
        f
        for f in findings("minimum-norm", signed(X * units, y, sparse=sparse))
        if isinstance(f, finders.Weighting)
    ]
    Z = np.hstack([X, np.ones((200, 1))]) * y[:, None]
    p = weightings[-1].value / weightings[-1].value.sum()
    # The search ends where the sum is below 1e-13 of the longest row: ten times that.
    np.testing.assert_allclose(p @ Z[weightings[-1].index], 0, atol=1e-12)
