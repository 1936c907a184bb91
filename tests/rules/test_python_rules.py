"""Rules that exist only in Python fill the same slot."""

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError, KindError
from hardlimit.rules import Rule


@dataclass(frozen=True)
class PlainPerceptron(Rule):
    required = 0
    equality_violates = True

    def tau(self):
        return 1


@dataclass(frozen=True)
class DynamicMargin(Rule):
    """Asks for wsq and step in a `required` that changes."""

    eps: float = 0.5
    equality_violates = True

    def required(self, wsq, step):
        return (1 - self.eps) * wsq / (step - 1) if step > 1 else 0.0

    def tau(self):
        return 1


LABELS3 = np.arange(60) * 7 % 3


class Duck:
    """No base class: two answers are enough."""

    required = 1
    equality_violates = False

    def tau(self, margin, sqnorm):
        return (1 - margin) / sqnorm


@pytest.fixture
def numbers():
    rng = np.random.default_rng(3)
    X = rng.integers(-4, 5, (60, 9)).astype(float)
    return X, (X[:, 0] - X[:, 3] > 0.5).astype(int)


def test_a_python_perceptron_is_the_perceptron(numbers):
    X, y = numbers
    for multiclass in ("coupled", "ovr"):
        a = LinearClassifier(PlainPerceptron(), max_iter=30, multiclass=multiclass).fit(X, y)
        b = LinearClassifier(rules.Perceptron(), max_iter=30, multiclass=multiclass).fit(X, y)
        assert (a.coef_ == b.coef_).all()
        assert a.n_corrections_ == b.n_corrections_


def test_a_duck_is_hard_passive_aggressive(numbers):
    X, y = numbers
    hard = rules.PassiveAggressive(C=float("inf"))
    a = LinearClassifier(Duck(), max_iter=5, until=None).fit(X, LABELS3)
    b = LinearClassifier(hard, max_iter=5, until=None).fit(X, LABELS3)
    assert (a.coef_ == b.coef_).all()


def test_dynamic_margin_proves_its_margin(numbers):
    """A clean pass proves min z.w / ||w|| > (1 - eps) ||w|| / k, exactly on integers."""
    X, y = numbers
    clf = LinearClassifier(DynamicMargin(), order="cyclic", readout="last", until="margin")
    clf.fit(X, y)
    assert clf.stop_reason_ == "margin_reached"
    w = np.append(clf.coef_[0], clf.intercept_)
    z = np.append(X, np.ones((len(X), 1)), 1) * (2 * y - 1)[:, None]
    assert clf.n_corrections_ * (z @ w).min() >= 0.5 * (w @ w)


def test_an_error_in_a_rule_passes_through_and_loses_nothing(numbers):
    X, y = numbers

    class Fails(Rule):
        required = 0
        calls = 0

        def tau(self):
            Fails.calls += 1
            if Fails.calls == 5:
                raise RuntimeError("the fifth")
            return 1

    clf = LinearClassifier(Fails(), max_iter=3, until=None)
    with pytest.raises(RuntimeError, match="the fifth"):
        clf.fit(X, y)
    assert clf.n_corrections_ == 4
    assert clf.stop_reason_ == "interrupted"


def test_scalars_that_the_engine_does_not_keep_are_named():
    class Wants(Rule):
        required = 0

        def tau(self, gradient):
            return gradient

    with pytest.raises(KindError, match="got 'gradient', wanted one of margin"):
        LinearClassifier(Wants()).fit([[1.0], [2.0]], [0, 1])


def test_per_example_counts_are_kept_for_a_rule_that_asks(numbers):
    X, y = numbers
    seen = []

    class Counts(Rule):
        required = 0

        def tau(self, n_i, alpha_i):
            seen.append((n_i, alpha_i))
            return 0.5

    clf = LinearClassifier(Counts(), order="cyclic", max_iter=4, until=None).fit(X, 1 - y)
    assert len(seen) == clf.n_corrections_
    assert max(n for n, _ in seen) >= 1
    assert all(alpha == 0.5 * n for n, alpha in seen)


def test_a_rule_in_a_script_leaves_no_cycle_behind(tmp_path):
    """Model, rule and module hold each other; the collector must see through compiled objects."""
    script = tmp_path / "script.py"
    script.write_text(
        "from hardlimit import LinearClassifier, rules\n"
        "class Half(rules.Rule):\n    required = 0\n    def tau(self):\n        return 0.5\n"
        "clf = LinearClassifier(Half()).fit([[1.0], [-1.0]], [0, 1])\n"
        "print(clf.n_corrections_)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_three_classes_after_two_need_a_split():
    clf = LinearClassifier(Duck()).partial_fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(InputError, match="third class"):
        clf.partial_fit([[3.0]], ["c"])
