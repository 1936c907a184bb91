"""The choices of a fit as plain JSON, and back as a classifier's arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hardlimit import budgets, guards, kernels, orders, rules, scaling, schedules
from hardlimit.classifiers.files import labels
from hardlimit.classifiers.model.choices import Choices, Default, UnknownRule
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.parameters import to_builtin

ANYWHERE_ELSE = ("save with ", Setting("training_state", False))


def to_json(choices: Choices, classes: Iterable[Any], training_state: bool) -> dict[str, Any]:
    """Return the choices of the fit, whatever was set since; what is a default may be left out.

    Raises
    ------
    InputError
        A rule or a schedule whose class no file can name, with a training state that needs it.
    """
    params = {**choices.given}
    for name in ("schedule", "guard", "scale"):
        params.pop(name, None)
    if params.get("skip") == "auto":
        del params["skip"]
    params |= {
        "rule": _rule_to_json(choices.rule, training_state),
        "order": orders.ORDERS.to_json(choices.order),
        "readout": choices.readout,
        "until": None if choices.until is None else str(choices.until),
    }
    if params["keep"] == "all":
        params["keep"] = list(choices.kept)
    if choices.schedule is not None:
        params["schedule"] = _schedule_to_json(choices.schedule, training_state)
    if choices.given.get("guard") is not None:
        params["guard"] = [guards.GUARDS.to_json(one) for one in choices.guards]
    if choices.scale is not None:
        params["scale"] = scaling.SCALINGS.to_json(choices.scale)
    if choices.kernel is not None:
        params["kernel"] = kernels.KERNELS.to_json(choices.kernel)
    if choices.budget is not None:
        params["budget"] = budgets.BUDGETS.to_json(choices.budget)
    if isinstance(choices.class_weight, Mapping):
        params["class_weight"] = _class_weight_to_json(choices.class_weight, classes)
    return {name: to_builtin(value) for name, value in params.items()}


def from_json(stored: Mapping[str, Any], defaults: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a classifier.

    defaults : values that the classifier has by itself, and that nobody asked for.
    """
    params = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    for name, default in defaults.items():
        if params[name] == default:
            params[name] = Default(default)
    rule = stored["rule"]
    known = rule["name"] in rules.names() and rule["parameters"] is not None
    params["rule"] = rules.from_json(rule) if known else rule["name"]
    if isinstance(stored.get("kernel"), dict):
        params["kernel"] = kernels.resolve(stored["kernel"])
    if stored.get("budget") is not None:
        params["budget"] = budgets.resolve(stored["budget"])
    if isinstance(stored["class_weight"], list):
        names, weights = stored["class_weight"]
        params["class_weight"] = dict(zip(labels.from_json(names), weights, strict=True))
    return params


def _rule_to_json(rule: rules.Rule, training_state: bool) -> dict[str, Any]:
    """A rule as JSON; the class of a rule of one's own is not in the file, its name is."""
    if isinstance(rule, UnknownRule):
        rule = rule.known()
    if rules.is_registered(rule):
        return rules.to_json(rule)
    if training_state:
        raise InputError(
            "it is not registered, so that a training state could not be continued after loading",
            who="save",
            parameter="rule",
            got=rule,
            fix=("register it with hardlimit.rules.register(...), or ", *ANYWHERE_ELSE),
        )
    return {"name": rules.name_of(rule), "parameters": None}


def _schedule_to_json(schedule: schedules.Schedule, training_state: bool) -> Any:
    if schedules.SCHEDULES.holds(schedule):
        return schedules.SCHEDULES.to_json(schedule)
    if training_state:
        raise InputError(
            "it is not one of hardlimit.schedules, so that a training state could not be continued "
            "after loading",
            who="save",
            parameter="schedule",
            got=schedule,
            fix=ANYWHERE_ELSE,
        )
    return None


def _class_weight_to_json(
    weights: Mapping[Any, float], classes: Iterable[Any]
) -> list[list[list[str]] | list[float]]:
    """Labels and weights; a label that equals a class is written as that class is."""
    spelled = {label: label for label in classes}
    names = [spelled.get(label, to_builtin(label)) for label in weights]
    return [labels.to_json(names), [float(weight) for weight in weights.values()]]
