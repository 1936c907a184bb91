"""Rules, schedules and models that refer to each other are collected; the end is silent."""

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, rules

X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0], [0.5, -0.5], [-0.5, 0.6]])
Y = np.array([0, 0, 1, 1, 0, 1])


class OwnRule(rules.Rule):
    """A perceptron that knows its model."""

    required, equality_violates, takes_schedule = 0, True, True
    model = None

    def tau(self, weight=1):
        return weight


class AskingRule(OwnRule):
    """The same, with a required margin that is asked for."""

    def required(self, step):
        return 0.0


class OwnSchedule:
    """A constant that knows its model."""

    model = None

    def eta(self, step):
        return 1.0


CHOICES = {
    "rule": lambda: {"rule": OwnRule()},
    "rule that is asked twice": lambda: {"rule": AskingRule()},
    "schedule": lambda: {"schedule": OwnSchedule()},
    "rule and schedule": lambda: {"rule": OwnRule(), "schedule": OwnSchedule()},
    "behind guards": lambda: {"rule": OwnRule(), "guard": ["alpha-bound", "lambda-trick"]},
    "all": lambda: {"rule": OwnRule(), "schedule": OwnSchedule(), "guard": "alpha-bound"},
}


def tie(model, choices):
    """Make the choices refer to the model that holds them."""
    for name in ("rule", "schedule"):
        if name in choices:
            object.__setattr__(choices[name], "model", model)


@pytest.mark.parametrize("front", [LinearClassifier, KernelClassifier])
@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_that_refers_to_its_model_is_collected(front, name):
    choices = CHOICES[name]()
    model = front(max_iter=2, until=None, **choices).fit(X, Y)
    tie(model, choices)
    dead = [weakref.ref(one) for one in (model, *choices.values()) if hasattr(one, "__dict__")]
    assert len(dead) >= 2
    del model, choices
    gc.collect()
    assert [ref() for ref in dead] == [None] * len(dead)


@pytest.mark.parametrize("front", [LinearClassifier, KernelClassifier])
def test_a_choice_whose_model_failed_is_collected(front):
    class Failing(OwnRule):
        def tau(self, step):
            if step > 2:
                raise RuntimeError("in the middle of a fit")
            return 1.0

    rule = Failing()
    model = front(rule=rule, max_iter=2, until=None)
    tie(model, {"rule": rule})
    with pytest.raises(RuntimeError, match="in the middle"):
        model.fit(X, Y)
    dead = weakref.ref(model), weakref.ref(rule)
    del model, rule
    gc.collect()
    assert [ref() for ref in dead] == [None, None]


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import test_lifetimes as t
from hardlimit import KernelClassifier, LinearClassifier

kept = []
for front in (LinearClassifier, KernelClassifier):
    for name, make in t.CHOICES.items():
        choices = make()
        model = front(max_iter=2, until=None, **choices)
        model.fit(t.X, t.Y)
        t.tie(model, choices)
        if front is LinearClassifier and "guard" not in choices:
            model.partial_fit(t.X, t.Y)
        kept.append(model)
    class Failing(t.OwnRule):
        def tau(self, step):
            raise RuntimeError("in the middle of a fit")
    rule = Failing()
    model = front(rule=rule)
    t.tie(model, {{"rule": rule}})
    try:
        model.fit(t.X, t.Y)
    except RuntimeError:
        kept.append((model, sys.exc_info()))
"""


def test_the_end_of_a_process_is_silent():
    """Globals that hold models, and models whose choices hold them, are gone before the check."""
    program = PROGRAM.format(folder=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
