"""The voted read-out against its definition, in which every hypothesis is stored and asked."""

import pickle
import signal
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from twin import dot

from hardlimit import rules
from hardlimit._native import Votes
from hardlimit.engine import engine_rule, new_state, pair_examples, rows_of

from ..rounding import roundings

SCHEMES = [("single", 1), ("independent", 4), ("coupled", 4)]


@dataclass(frozen=True)
class Forgetful(rules.Rule):
    """Half of what was known, and the example: exact on integers for a few dozen corrections."""

    answers = "shrink, tau"
    required = 0
    equality_violates = True

    def tau(self):
        return 0.5, 1.0


@dataclass(frozen=True)
class Linked(rules.Rule):
    answers = "tau, linked"
    required = 0
    equality_violates = True

    def tau(self):
        return 0.5


class Csr:
    def __init__(self, X, values=np.float64, indices=np.int32):
        self.shape = X.shape
        row, column = np.nonzero(np.ones_like(X))  # zeros are stored like all others
        self.indptr = np.searchsorted(row, np.arange(len(X) + 1)).astype(np.int64)
        self.indices, self.data = column.astype(indices), X[row, column].astype(values)


STORAGES = {
    "dense float32": lambda X: X.astype(np.float32),
    "dense float64": lambda X: X.astype(np.float64),
    "sparse float32 int32": lambda X: Csr(X, np.float32, np.int32),
    "sparse float32 int64": lambda X: Csr(X, np.float32, np.int64),
    "sparse float64 int32": lambda X: Csr(X, np.float64, np.int32),
    "sparse float64 int64": lambda X: Csr(X, np.float64, np.int64),
}


def learnt(X, y, scheme, n_outputs, *, bias=1.0, rule=None, epochs=1, store=None):
    """Learn in the order of the rows; the state and its round."""
    rows = rows_of((store or STORAGES["dense float64"])(np.asarray(X)), bias)
    round_ = pair_examples(rows, np.asarray(y, np.int32), None)
    compiled = engine_rule(rule or rules.Perceptron())
    state = new_state(compiled, scheme, rows.n_columns, n_outputs, False)
    state.watch(["voted"], 0)
    for _ in range(epochs):
        position = 0
        while position < round_.length:
            position = state.present(round_, position, 50)
    state.close(round_)
    return state, round_


def votes_of(X, y, scheme, n_outputs, **options):
    state, round_ = learnt(X, y, scheme, n_outputs, **options)
    return state.votes(round_)


def exact(number):
    return int(number) if number == int(number) else Fraction(number)


class Ballot:
    """The weights after every single presentation, each with one vote."""

    def __init__(self, scheme, n_columns, n_outputs, bias, shrink=1):
        self.scheme, self.bias, self.shrink = scheme, exact(bias), shrink
        self.w = [[0] * (n_columns + 1) for _ in range(n_outputs)]
        self.after = []

    def present(self, x, target):
        row = [*x, self.bias]
        scores = self.scores(self.w, row)
        if self.scheme == "coupled":
            rivals = [k for k in range(len(scores)) if k != target]
            rival = max(rivals, key=lambda k: (scores[k], -k))
            if scores[target] <= scores[rival]:
                self.w = [[self.shrink * v for v in w] for w in self.w]
                self.add(target, 1, row)
                self.add(rival, -1, row)
        else:
            for k, score in enumerate(scores):
                y = 1 if target == (1 if self.scheme == "single" else k) else -1
                if y * score <= 0:
                    self.w[k] = [self.shrink * v for v in self.w[k]]
                    self.add(k, y, row)
        self.after.append([list(w) for w in self.w])

    def add(self, k, sign, row):
        self.w[k] = [v + sign * x for v, x in zip(self.w[k], row, strict=True)]

    @staticmethod
    def scores(w, row):
        return [sum(a * b for a, b in zip(v, row, strict=True)) for v in w]

    def shares(self, x, bias):
        total = [0] * len(self.w)
        for w in self.after:
            scores = self.scores(w, [*x, exact(bias)])
            if self.scheme != "coupled":
                total = [t + (s > 0) - (s < 0) for t, s in zip(total, scores, strict=True)]
            elif scores.count(max(scores)) == 1:
                total[scores.index(max(scores))] += 1
        return [float(Fraction(t, len(self.after))) for t in total]


def drawn(seed, n_rows, n_columns, n_classes):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_rows, n_columns)) < 0.5, rng.integers(-3, 4, (n_rows, n_columns)), 0)
    X[n_rows // 2] = 0
    tests = np.vstack([X, rng.integers(-3, 4, (21, n_columns)), np.zeros((1, n_columns), int)])
    return X, rng.integers(0, n_classes, n_rows), tests


def compare(scheme, n_outputs, bias, bias_test, store, *, shrink=None, n_rows=30, epochs=3):
    X, y, tests = drawn(7, n_rows, 19, max(2, n_outputs))
    rule = None if shrink is None else Forgetful()
    votes = votes_of(
        X, y, scheme, n_outputs, bias=bias, rule=rule, epochs=epochs, store=STORAGES[store]
    )
    ballot = Ballot(scheme, 19, n_outputs, bias, 1 if shrink is None else shrink)
    for _ in range(epochs):
        for x, target in zip(X.tolist(), y.tolist(), strict=True):
            ballot.present(x, target)
    found = votes.scores(rows_of(STORAGES[store](tests), bias_test))
    assert found.tolist() == [ballot.shares(x, bias_test) for x in tests.tolist()]
    assert len(np.unique(found)) > 5
    return votes


@pytest.mark.parametrize("store", STORAGES)
@pytest.mark.parametrize(("scheme", "n_outputs"), SCHEMES)
def test_every_storage_in_every_scheme(scheme, n_outputs, store):
    compare(scheme, n_outputs, 1.0, 1.0, store)


@pytest.mark.parametrize("bias", [(-1.0, -1.0), (0.0, 0.0), (0.125, 0.125), (2.0, -0.5)])
@pytest.mark.parametrize(("scheme", "n_outputs"), SCHEMES)
def test_the_bias_of_both_sides(scheme, n_outputs, bias):
    compare(scheme, n_outputs, *bias, "sparse float64 int32")


@pytest.mark.parametrize(("scheme", "n_outputs"), [*SCHEMES, ("coupled", 2)])
def test_a_rule_that_shrinks(scheme, n_outputs):
    shrinks = compare(
        scheme, n_outputs, 1.0, 1.0, "dense float64", shrink=Fraction(1, 2), n_rows=24, epochs=1
    )
    assert 10 < shrinks.n_corrections
    assert len(shrinks.arrays()["shrink"]) == shrinks.n_corrections


VOTING = [n for n in rules.names() if rules.get(n).answers in ("tau", "shrink, tau")]


@pytest.mark.parametrize(("scheme", "n_outputs"), SCHEMES)
@pytest.mark.parametrize("name", VOTING)
def test_every_rule_votes_like_its_weights_after_each_presentation(name, scheme, n_outputs):
    """The compiled loop stopped after each row and asked: the log tells the same story."""
    rng = np.random.default_rng(8)
    X, tests = rng.normal(size=(40, 6)), rows_of(rng.normal(size=(33, 6)), 1.0)
    y = rng.integers(0, max(2, n_outputs), 40).astype(np.int32)
    round_ = pair_examples(rows_of(X, 1.0), y, None)
    compiled = engine_rule(rules.get(name))
    state = new_state(compiled, scheme, 6, n_outputs, False)
    state.watch(["voted"], 0)
    total = 0
    for _ in range(2):
        for i in range(40):
            assert state.present(round_, i, 1) == i + 1
            scores = state.scores(tests, 1, 0, 1)
            if scheme == "coupled":
                best = scores == scores.max(1, keepdims=True)
                total = total + best * (best.sum(1, keepdims=True) == 1)
            else:
                total = total + np.sign(scores)
    state.close(round_)
    assert state.votes(round_).scores(tests).tolist() == (total / 80).tolist()


# Modified OR with the threshold's feature -1: (1,1,1) lives once, (2,0,0) once, (1,1,-1) six times.
OR_ROWS, OR_TARGETS = [(-1, -1), (1, -1), (-1, 1), (1, 1)], [0, 1, 1, 1]


def test_the_worked_example():
    votes = votes_of(OR_ROWS, OR_TARGETS, "single", 1, bias=-1.0, epochs=2)
    assert (votes.n_presentations, votes.n_corrections, votes.n_rows) == (8, 3, 3)
    arrays = votes.arrays()
    assert np.diff([*arrays["presentations"], 9]).tolist() == [1, 1, 6]
    #             all for  all against  first against  first two abstain
    tests = [(2.0, 0.0), (-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)]
    found = votes.scores(rows_of(np.array(tests), -1.0))
    assert found.ravel().tolist() == [1.0, -1.0, 6 / 8, 6 / 8]


def test_the_votes_may_differ_from_the_average_and_the_last():
    """One long vector against two short ones: the vote counts heads."""
    X = [(8.0, 0.0), (0.0, 1.0), (-1.0, 1.0)]
    votes = votes_of(X, [1, 1, 1], "single", 1, bias=0.0)
    # (8, 0), then (8, 1), then (7, 2); for x = (-1, 5) they say -8, -3 and +3.
    found = votes.scores(rows_of(np.array([(-1.0, 5.0)]), 0.0))
    assert found.tolist() == [[-1 / 3]]


def test_before_the_first_correction_nothing_votes():
    votes = votes_of(
        [(0.0,), (1.0,)], [1, 1], "single", 1, bias=0.0, rule=rules.PassiveAggressive()
    )
    assert votes.scores(rows_of(np.array([[3.0]]), 0.0)).tolist() == [[0.5]]
    nothing = votes_of(np.zeros((0, 2)), [], "coupled", 3)
    assert nothing.scores(rows_of(np.ones((2, 2)), 1.0)).tolist() == [[0.0] * 3] * 2


def test_a_row_that_corrects_often_is_kept_once():
    votes = votes_of([(1.0, 2.0), (1.0, 2.0)], [0, 1], "single", 1, bias=0.0, epochs=4)
    assert (votes.n_corrections, votes.n_rows) == (8, 2)
    assert votes.arrays()["values"].tolist() == [1, 2, 1, 2]
    assert votes.cost(10) == 10 * (4 + 8)
    longer = votes_of([(1.0, 2.0), (1.0, 2.0)], [0, 1], "single", 1, bias=0.0, epochs=40)
    assert longer.nbytes > votes.nbytes
    assert longer.arrays()["rows"].tolist() == [0, 1] * 40


def test_the_cost_of_coupled_classes_has_all_of_them():
    X, y, _ = drawn(3, 20, 5, 4)
    votes = votes_of(X, y, "coupled", 4)
    assert votes.cost(3) == 3 * (len(votes.arrays()["values"]) + 4 * votes.n_corrections)


def test_products_are_added_in_the_one_order_of_summation():
    """Numbers that cancel: another order would give another sign."""
    rng = np.random.default_rng(11)
    disagreements = 0
    for _ in range(300):
        columns = np.sort(rng.choice(4096, 12, replace=False))
        values = rng.permutation([1e16, -1e16] * 4 + [1.0, 1.0, -1.0, -1.0])
        x = np.zeros(4096)
        x[columns] = values
        bias = float(rng.choice([0.0, 1.0]))
        arrays = {
            "counts": np.array([1, 4096, 1, 0]),
            "bias": np.array([bias]),
            "starts": np.array([0, 12]),
            "columns": columns.astype(np.int32),
            "values": values,
            "rows": np.zeros(1, np.int32),
            "presentations": np.ones(1, np.int64),
            "plus": np.zeros(0, np.int32),
            "minus": np.zeros(0, np.int32),
            "tau": np.ones(1),
            "shrink": np.zeros(0),
        }
        expected = dot([*[1.0] * 4096, bias], x.tolist(), 1.0)
        disagreements += np.sign(sum(values.tolist()) + bias) != np.sign(expected)
        found = Votes.restore(arrays).scores(rows_of(np.ones((1, 4096)), 1.0))
        assert found.item() == np.sign(expected)
    assert disagreements > 10


@pytest.mark.parametrize(("scheme", "n_outputs"), SCHEMES)
def test_the_same_bits_for_one_row_and_many_restored_or_pickled(scheme, n_outputs):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(70, 40)), rng.integers(0, max(2, n_outputs), 70)
    tests = rng.normal(size=(53, 40))
    votes = votes_of(X, y, scheme, n_outputs, bias=0.1, epochs=3)
    found = votes.scores(rows_of(tests, 0.1))
    single = [votes.scores(rows_of(x.reshape(1, -1), 0.1))[0].tolist() for x in tests]
    assert found.tolist() == single
    assert (votes.scores(rows_of(Csr(tests), 0.1)) == found).all()
    for again in (Votes.restore(votes.arrays()), pickle.loads(pickle.dumps(votes))):
        assert (again.scores(rows_of(tests, 0.1)) == found).all()
        for name, array in votes.arrays().items():
            assert again.arrays()[name].dtype == array.dtype
            assert again.arrays()[name].tolist() == array.tolist()
        assert again.nbytes == votes.nbytes


def test_shares_of_coupled_classes_add_up_to_one_at_most():
    X, y, tests = drawn(1, 60, 6, 4)
    shares = votes_of(X, y, "coupled", 4, epochs=2).scores(rows_of(tests.astype(float), 1.0))
    assert (shares >= 0).all()
    assert (shares.sum(1) <= 1 + roundings(10)).all()
    assert shares[60:].sum(1).max() > 0.9


def test_flipping_the_targets_flips_the_votes():
    X, y, tests = drawn(9, 40, 8, 2)
    rows = rows_of(tests.astype(float), 1.0)
    assert (
        votes_of(X, y, "single", 1).scores(rows) == -votes_of(X, 1 - y, "single", 1).scores(rows)
    ).all()


def test_what_cannot_vote_says_why():
    X, y, _ = drawn(2, 12, 3, 2)
    state, round_ = learnt(X, y, "single", 1)
    fewer = pair_examples(rows_of(X[:1].astype(float), 1.0), np.zeros(1, np.int32), None)
    with pytest.raises(ValueError, match="not the rows that were learnt from"):
        state.votes(fewer)
    wider = pair_examples(rows_of(np.ones((12, 4)), 1.0), y.astype(np.int32), None)
    with pytest.raises(ValueError, match="another number of columns"):
        state.votes(wider)
    with pytest.raises(ValueError, match="another number of columns"):
        state.votes(round_).scores(rows_of(np.ones((1, 4)), 1.0))
    silent = new_state(engine_rule(rules.Perceptron()), "single", 3, 1, False)
    with pytest.raises(ValueError, match="not logged"):
        silent.votes(round_)
    silent.watch(["longest"], 0)
    with pytest.raises(ValueError, match="not logged"):
        silent.votes(round_)
    linked, round_ = learnt(X, y, "single", 1, rule=Linked())
    with pytest.raises(ValueError, match="add examples to the weights"):
        linked.votes(round_)


def put(name, at, value):
    def change(arrays):
        arrays[name][at] = value

    return change


def replaced(name, make):
    def change(arrays):
        arrays[name] = make(arrays[name])

    return change


LIES = {
    "no dictionary entry": (lambda a: a.pop("tau"), "'tau' must be"),
    "another type": (replaced("tau", lambda v: v.astype(np.float32)), "'tau' .* float64"),
    "another width": (replaced("rows", lambda v: v.astype(np.int64)), "'rows' .* int32"),
    "whole numbers wanted": (replaced("starts", lambda v: v.astype(float)), "'starts' .* int64"),
    "two dimensions": (replaced("tau", lambda v: v.reshape(1, -1)), "'tau' must be"),
    "every second number": (replaced("tau", lambda v: np.repeat(v, 2)[::2]), "contiguous"),
    "no array": (replaced("values", list), "'values' must be"),
    "three counts": (replaced("counts", lambda v: v[:3]), "four numbers"),
    "presentations": (put("counts", 0, -1), "number of presentations"),
    "too many presentations": (put("counts", 0, 2**60), "number of presentations"),
    "columns below 0": (put("counts", 1, -1), "number of columns"),
    "2^31 columns": (put("counts", 1, 2**31), "number of columns"),
    "no outputs": (put("counts", 2, 0), "number of outputs"),
    "outputs without end": (put("counts", 2, 2**40), "number of outputs"),
    "scheme": (put("counts", 3, 3), "no such scheme"),
    "scheme below 0": (put("counts", 3, -1), "no such scheme"),
    "single with outputs": (put("counts", 3, 0), "one output"),
    "no bias": (replaced("bias", lambda v: v[:0]), "one finite number"),
    "bias NaN": (put("bias", 0, np.nan), "one finite number"),
    "no starts": (replaced("starts", lambda v: v[:0]), "begin with 0"),
    "late start": (put("starts", 0, 1), "begin with 0"),
    "starts decrease": (put("starts", 1, -5), "not decrease"),
    "start beyond": (put("starts", 1, 10**15), "not decrease or lead beyond"),
    "last start short": (replaced("starts", lambda v: v[:-1]), "end where the columns do"),
    "values missing": (replaced("values", lambda v: v[:-1]), "as many"),
    "column beyond": (put("columns", -1, 19), "column is out of range"),
    "column below 0": (put("columns", 0, -1), "columns must increase"),
    "columns decrease": (replaced("columns", lambda v: v[::-1].copy()), "columns must increase"),
    "value NaN": (put("values", 3, np.nan), "values must be finite"),
    "value infinite": (put("values", 3, -np.inf), "values must be finite"),
    "log too short": (replaced("rows", lambda v: v[:-1]), "as long as each other"),
    "tau too short": (replaced("tau", lambda v: v[:-1]), "as long as each other"),
    "plus missing": (replaced("plus", lambda v: v[:0]), "as long as each other"),
    "minus missing": (replaced("minus", lambda v: v[:0]), "as long as each other"),
    "shrink too short": (replaced("shrink", lambda v: np.ones(1)), "as long as each other"),
    "row beyond": (put("rows", 0, 10**6), "row that is not there"),
    "row below 0": (put("rows", 0, -1), "row that is not there"),
    "output beyond": (put("plus", 0, 4), "output that is not there"),
    "output below 0": (put("minus", 0, -1), "output that is not there"),
    "against itself": (
        lambda a: a["minus"].__setitem__(0, a["plus"][0]),
        "corrected against itself",
    ),
    "tau infinite": (put("tau", 2, np.inf), "tau must be finite"),
    "shrink NaN": (replaced("shrink", lambda v: np.full(v.size + 1, np.nan)), "as long|finite"),
    "presentation 0": (put("presentations", 0, 0), "must not decrease"),
    "presentation beyond": (put("presentations", -1, 10**9), "beyond the last"),
    "presentations decrease": (
        replaced("presentations", lambda v: v[::-1].copy()),
        "must not decrease",
    ),
}


@pytest.fixture(scope="module")
def honest():
    X, y, _ = drawn(4, 30, 19, 4)
    return votes_of(X, y, "coupled", 4)


@pytest.mark.parametrize("lie", LIES)
def test_restoring_believes_nothing(honest, lie):
    arrays = honest.arrays()
    change, text = LIES[lie]
    change(arrays)
    with pytest.raises(ValueError, match=text):
        Votes.restore(arrays)


def test_restoring_looks_at_shrinks_and_other_schemes(honest):
    arrays = honest.arrays()
    arrays["shrink"] = np.full(len(arrays["tau"]), np.nan)
    with pytest.raises(ValueError, match="shrink must be finite"):
        Votes.restore(arrays)
    arrays = honest.arrays()
    arrays["counts"][3] = 1
    with pytest.raises(ValueError, match="as long as each other"):
        Votes.restore(arrays)
    arrays["minus"] = arrays["minus"][:0]
    own_clocks = Votes.restore(arrays)
    latest = [np.flatnonzero(arrays["plus"] == k)[-1] for k in range(4)]
    arrays["presentations"][latest[0]] = 1
    with pytest.raises(ValueError, match="must not decrease"):
        Votes.restore(arrays)
    assert own_clocks.n_corrections == honest.n_corrections


def test_restored_votes_are_copies(honest):
    arrays, rows = honest.arrays(), rows_of(np.eye(19), 1.0)
    votes = Votes.restore(arrays)
    before = votes.scores(rows)
    for array in arrays.values():
        array[...] = -1
    assert (votes.scores(rows) == before).all()


def test_several_corrections_in_one_step_are_one_hypothesis():
    """As batches make them: those before the last of a presentation have no time to vote."""
    arrays = {
        "counts": np.array([3, 2, 1, 0]),
        "bias": np.zeros(1),
        "starts": np.array([0, 1, 2]),
        "columns": np.array([0, 1], np.int32),
        "values": np.array([-1.0, 3.0]),
        "rows": np.array([0, 1], np.int32),
        "presentations": np.array([2, 2]),
        "plus": np.zeros(0, np.int32),
        "minus": np.zeros(0, np.int32),
        "tau": np.ones(2),
        "shrink": np.zeros(0),
    }
    found = Votes.restore(arrays).scores(rows_of(np.ones((1, 2)), 0.0))
    assert found.tolist() == [[2 / 3]]


def test_scores_that_overflow_abstain(honest):
    arrays = honest.arrays()
    arrays["values"][:] = 1e308
    arrays["tau"][::2] = -1e308
    shares = Votes.restore(arrays).scores(rows_of(np.full((3, 19), 1e308), 1.0))
    assert ((shares >= 0) & (shares <= 1)).all()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_a_long_ballot_can_be_interrupted(honest):
    arrays = honest.arrays()
    for name in ("rows", "plus", "minus", "tau", "presentations"):
        arrays[name] = np.repeat(arrays[name], 2000)
    votes = Votes.restore(arrays)
    rows = rows_of(np.ones((1_000_000, 19), np.float32), 1.0)

    def stop(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(TimeoutError):
            votes.scores(rows)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
