"""Arguments become choices once: in range, as objects, and no longer those of the classifier."""

import copy
import dataclasses
import math
import pickle

import pytest

from hardlimit import LinearClassifier, budgets, guards, kernels, orders, readouts, rules, schedules
from hardlimit.classifiers.model.choices import DEFAULTS, Default, UnknownRule, resolve_choices
from hardlimit.exceptions import HardlimitError, InputError

GIVEN = {"rule": "perceptron"}


def test_names_become_objects():
    choices = resolve_choices(
        {
            "rule": "relaxation",
            "order": "batch",
            "schedule": "1/step",
            "guard": guards.AlphaBound(2),
            "scale": "maxabs",
            "kernel": "rbf",
            "budget": None,
        }
    )
    assert choices.rule == rules.Relaxation() and choices.order == orders.Batch()
    assert choices.schedule == schedules.Power(1.0) and choices.guards == (guards.AlphaBound(2),)
    assert choices.kernel == kernels.RBF() and choices.combine == "average"
    assert type(choices.scale).__name__ == "Maxabs"


def test_the_defaults_are_those_of_the_classifier():
    given = LinearClassifier().get_params(deep=False)
    del given["n_jobs"]  # how a model was made is no part of it
    assert {name: DEFAULTS[name] for name in given if name != "rule"} == {
        name: value for name, value in given.items() if name != "rule"
    }
    assert resolve_choices(given) == resolve_choices(GIVEN)


@pytest.mark.parametrize(
    ("until", "asked"), [(Default("separated"), False), ("separated", True), (None, False)]
)
def test_whether_an_aim_was_asked_for(until, asked):
    choices = resolve_choices(GIVEN | {"until": until})
    assert (choices.until, choices.until_asked) == (until, asked)


def test_a_default_survives_copies_and_pickles():
    for other in (copy.deepcopy(Default("last")), pickle.loads(pickle.dumps(Default("last")))):
        assert isinstance(other, Default) and other == "last"


@pytest.mark.parametrize(
    ("settings", "readout"),
    [
        ({}, "averaged"),
        ({"rule": "balanced-winnow"}, "last"),
        ({"kernel": "rbf", "budget": budgets.RemoveOldest(3)}, "last"),
    ],
)
def test_a_default_read_out_gives_way(settings, readout):
    choices = resolve_choices(GIVEN | settings)
    assert choices.readout == readout and type(choices.readout) is str


def test_a_read_out_that_was_asked_for_does_not_give_way():
    with pytest.raises(InputError, match="got readout='averaged'"):
        resolve_choices({"rule": "balanced-winnow", "readout": "averaged"})


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"keep": "all", "order": "batch"}, ("last", "averaged")),
        ({"keep": ("last", "voted")}, ("last", "voted")),
        (
            {"keep": "all", "kernel": "rbf"},
            tuple(name for name in readouts.ALL if name != "pocket-ratchet"),
        ),
        ({"kernel": "rbf", "budget": budgets.Forgetron(3)}, ("last",)),
    ],
)
def test_what_is_kept(settings, kept):
    readout = "last" if settings.get("keep") == ("last", "voted") else Default("averaged")
    assert resolve_choices(GIVEN | {"readout": readout} | settings).kept == kept


@pytest.mark.parametrize(
    "settings",
    [
        {"rule": "perceptro"},
        {"order": "sorted"},
        {"schedule": "2 * step"},
        {"guard": "helmet"},
        {"scale": "large"},
        {"skip": "never"},
        {"keep": ("first",)},
        {"readout": "voted"},
        {"averaging": "mid"},
        {"class_weight": "heavy"},
        {"class_weight": {"a": -1}},
        {"class_weight": {"a": math.nan}},
        {"bias_feature": 0},
        {"bias_feature": "1"},
        {"tol": -1},
        {"tol": math.inf},
        {"kernel": "rbg"},
        {"kernel": "rbf", "keep": ("pocket-ratchet", "last"), "readout": "last"},
        {"kernel": "rbf", "budget": "forgetful"},
        {
            "kernel": "rbf",
            "budget": budgets.Forgetron(3),
            "keep": ("voted", "last"),
            "readout": "last",
        },
    ],
    ids=str,
)
def test_what_is_out_of_range_is_refused(settings):
    with pytest.raises(HardlimitError):
        resolve_choices(GIVEN | settings)


def test_choices_cannot_be_changed():
    choices = resolve_choices(GIVEN)
    with pytest.raises(dataclasses.FrozenInstanceError):
        choices.tol = 1.0
    other = choices.answering_by("last")
    assert (choices.readout, other.readout, other.given["readout"]) == ("averaged", "last", "last")


def test_the_seed_is_drawn_once():
    choices = resolve_choices(GIVEN | {"random_state": None})
    assert choices.seed == choices.seed
    assert resolve_choices(GIVEN | {"random_state": 7}).seed == 7
    with pytest.raises(InputError, match="random_state"):
        _ = resolve_choices(GIVEN | {"random_state": -1}).seed


def test_the_bias_is_nothing_without_an_intercept():
    assert resolve_choices(GIVEN | {"bias_feature": 2}).bias == 2.0
    assert resolve_choices(GIVEN | {"bias_feature": 2, "fit_intercept": False}).bias == 0.0


def test_a_model_file_may_name_a_rule_that_is_not_there():
    with pytest.raises(InputError, match="rule: got 'mine'"):
        resolve_choices({"rule": "mine"})
    rule = resolve_choices({"rule": "mine"}, rule_known=False).rule
    assert isinstance(rule, UnknownRule)
    with pytest.raises(InputError, match="rule: got 'mine'"):
        rule.known()
