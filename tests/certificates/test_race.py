"""The race believes nobody, keeps its time, and says who was left out and why."""

import importlib.util
import math
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from hardlimit import certify
from hardlimit.certificates import finders, load_proof
from hardlimit.certificates.finders import Direction, Finder, Weighting
from hardlimit.exceptions import InputError

from ..rounding import near

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]
FEW_TURNS = {"seconds": math.inf, "turns": 20}
OF_SPARSE_ROWS = ("sparse-core", "logistic")
GATE = {"xor": [0, 1, 1, 0], "and": [0, 0, 0, 1]}


@dataclass(frozen=True)
class Scripted(Finder):
    """Says what it is told to say, and then None for ever."""

    script: tuple = ()

    name = "scripted"

    def findings(self, rows, seed):
        for line in self.script:
            if isinstance(line, Exception):
                raise line
            yield line
        while True:
            yield None


class Clock:
    """Each look at it takes a millisecond."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        self.now += 0.001
        return self.now


@pytest.mark.parametrize(
    "lie",
    [
        Direction(np.array([1.0, 1, 0])),
        Direction(np.array([np.nan, 1, 0])),
        Direction(np.zeros(3)),
        Direction(np.zeros(7)),
        Direction([10**500, 1, 1]),
        Weighting([0, 1], [1.0, 1.0]),
        Weighting([0, 1], [1.0, -1.0]),
        Weighting([0, 1, 2, 3], [1, 1, 1, 1]),
        Weighting([], []),
        Weighting([0], [np.inf]),
        InputError("broken"),
        ZeroDivisionError("broken"),
        np.linalg.LinAlgError("broken"),
    ],
    ids=repr,
)
def test_what_is_not_true_is_not_believed(lie):
    verdict = certify(XOR, GATE["and"], finders=[Scripted((lie,))], **FEW_TURNS)
    assert verdict.verdict == "undecided"
    verdict.check(XOR, GATE["and"])
    if isinstance(lie, Exception):
        assert "failed: broken" in verdict.tried[0]


@pytest.mark.parametrize("name", [n for n in finders.names() if n not in OF_SPARSE_ROWS])
@pytest.mark.parametrize("gate", GATE)
def test_every_finder_alone(name, gate):
    """All find the separator; those that say so of themselves decide the other gate too."""
    verdict = certify(XOR, GATE[gate], finders=[name], seconds=math.inf, turns=15, gap=0.5)
    if gate == "and" or verdict.verdict != "undecided":
        assert verdict.verdict == ("separable" if gate == "and" else "not separable")
    verdict.check(XOR, GATE[gate])


def test_time_is_kept(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("hardlimit.certificates.race.time", clock)
    monkeypatch.setattr("hardlimit.certificates.certifying.time", clock)
    verdict = certify(XOR, GATE["xor"], finders=[Scripted()], seconds=0.2)
    assert 0.2 <= clock.now - 1000 < 0.25
    assert verdict.verdict == "undecided" and "time was over" in verdict.why


def test_a_finder_without_its_extra_is_left_out_with_a_note(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "hardlimit.certificates.race.find_spec",
        lambda name: None if name.startswith("scipy") else find(name),
    )
    asked = ["linear-program", Scripted()]
    verdict = certify(XOR, GATE["xor"], finders=asked, **FEW_TURNS)
    assert verdict.tried[0] == (
        'linear-program: left out: it needs scipy: pip install "hardlimit[exact]"'
    )
    assert certify(XOR, GATE["and"], gap=0.5)


def test_without_the_extra_the_same_verdicts(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    monkeypatch.setattr("hardlimit.certificates.race.find_spec", lambda name: None)
    generator = np.random.default_rng(3)
    for _ in range(5):
        X = generator.standard_normal((60, 4))
        y = generator.choice(["a", "b"], 60)
        verdict = certify(X, y)
        assert verdict.verdict == "not separable" and len(verdict.conflict) <= 6
        verdict.check(X, y)


def drawn(seed):
    generator = np.random.default_rng([11, seed])
    d = int(generator.integers(2, 6))
    X = np.unique(generator.integers(-6, 7, (int(generator.integers(d + 2, 4 * d + 3)), d)), axis=0)
    y = np.where(generator.random(len(X)) < 0.5, 1, -1)
    y[:2] = 1, -1
    return X, y


@pytest.mark.parametrize("seed", range(25))
def test_three_ways_agree_on_drawn_integers(seed):
    """The race, the simplex method in integers, and the perceptron that sees its weights return."""
    X, y = drawn(seed)
    verdicts = [
        certify(X, y, seconds=math.inf),
        certify(X, y, finders=["exact-simplex"], gap=np.inf),
        certify(X, y, finders=["perceptron"], gap=np.inf, seconds=math.inf, turns=500),
    ]
    said = {verdict.verdict for verdict in verdicts} - {"undecided"}
    assert len(said) == 1 and verdicts[0].verdict in said
    for verdict in verdicts:
        verdict.check(X, y)
        if verdict.verdict == "not separable":
            assert len(verdict.conflict) <= X.shape[1] + 2, "columns, bias, and one"


@pytest.mark.parametrize("seed", range(5))
def test_the_bracket_has_the_largest_margin_inside(seed):
    from scipy.optimize import nnls

    generator = np.random.default_rng(seed)
    X = generator.standard_normal((40, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    X[:, 0] += 0.3 * y
    verdict = certify(X, y, gap=1e-3)
    Z = np.c_[X, np.ones(40)] * y[:, None]
    p, _ = nnls(np.vstack([Z.T, np.ones(40)]), np.r_[np.zeros(4), 1])
    gamma = np.linalg.norm(p @ Z) / p.sum()
    lo, hi = verdict.margin
    # nnls has the margin to 1e-9; the last part is the gap that was asked for.
    assert lo <= gamma * (1 + 1e-9) and gamma <= hi * (1 + 1e-9) and hi - lo <= 1e-3 * hi
    w, c = verdict.w, verdict.intercept
    distance = (y * (X @ w + c)).min() / np.linalg.norm(w)
    assert verdict.input_margin == near(distance, 60)


def test_margins_that_floats_cannot_tell_from_0():
    """Two columns that differ in the last digit: separable by that alone."""
    ulp = 2.0**-52
    X = [[1.0, 1.0], [1.0, 1.0 + ulp], [2.0, 2.0], [2.0, 2.0 - 2 * ulp]]
    verdict = certify(X, [0, 1, 1, 1], finders=["exact-simplex"], seconds=math.inf, turns=100)
    assert verdict.verdict != "undecided"
    verdict.check(X, [0, 1, 1, 1])


def test_on_integers_a_small_sum_is_a_proof(monkeypatch, tmp_path):
    monkeypatch.setattr("hardlimit.certificates.race.exact_multipliers", lambda *given: None)
    monkeypatch.setattr("hardlimit.certificates.race._NEARLY", 0.1)
    near = Weighting([0, 1, 2, 3], [1.0, 1.0, 1.0, 1.01])
    verdict = certify(XOR, GATE["xor"], finders=[Scripted((near,))], **FEW_TURNS)
    assert (verdict.verdict, verdict.by) == ("not separable", "small sum")
    verdict.save(tmp_path / "proof.json")
    again = load_proof(tmp_path / "proof.json")
    again.check(XOR, GATE["xor"])
    assert again == verdict and again.conflict == [0, 1, 2, 3]


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e200, 1e300])
def test_numbers_whose_squares_are_no_floats(scale):
    generator = np.random.default_rng(0)
    X = generator.standard_normal((40, 3))
    for y in (X[:, 0] > 0, generator.random(40) > 0.5):
        small, usual = certify(X * scale, y, bias_feature=scale), certify(X, y)
        assert small.verdict == usual.verdict
        small.check(X * scale, y)
        if usual:
            # Both brackets were closed to a hundredth of their upper end, the default.
            assert small.margin[0] / scale == pytest.approx(usual.margin[0], rel=0.011)


def test_a_limit_of_turns_ends_a_search_without_a_clock():
    X = [[1.0, 1.0], [1.0, 1.0 + 2.0**-52], [2.0, 2.0], [2.0, 2.0 - 2.0**-51]]
    settings = {"finders": ["normalised-perceptron"], "seconds": math.inf, "turns": 3}
    one, two = (certify(X, [0, 1, 1, 1], **settings) for _ in range(2))
    assert one.verdict == "undecided" and one.margin == two.margin
    assert one.tried[-1].startswith("normalised-perceptron: 3 turns")
    with pytest.raises(InputError, match="turns=0"):
        certify(X, [0, 1, 1, 1], turns=0)
