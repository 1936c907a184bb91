"""Classifiers to model files; ``docs/model-format.md`` says what is stored.

The answer predicts and is always there; the training state is what ``partial_fit`` continues, and
may be left out. Seconds, dates and paths never enter the file: same input and seed, same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hardlimit import (
    budgets,
    guards,
    kernels,
    model_file,
    orders,
    rules,
    scaling,
    schedules,
)
from hardlimit.classifiers import label_json
from hardlimit.classifiers.model.answers import Votes
from hardlimit.classifiers.model.choices import UnknownRule
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import KIND as TEXT_KIND
from hardlimit.classifiers.model.text_answer import (
    SECTION,
    VOTES,
)
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.text import TextVectorizer

LINEAR_KIND = "linear classifier"
MANY_KIND = "linear classifier of many labels"
SCALE = "answer.scale."
KERNEL_KIND = "kernel classifier"
STATE_TEXT = "state.text."
Tensors = dict[str, Any]


def save_linear(model: Model, path: Any, training_state: bool) -> None:
    """Write a model of numbers: weights in double precision where they are used, or votes."""
    votes, many = model.votes, model.classes.many
    weights: Any = None if votes else model.weights()
    header = header_of(model, MANY_KIND if many else LINEAR_KIND, weights, training_state)
    header["columns"] = model.n_columns
    if many:
        header["values"] = _values_json(model.classes)
    if votes:
        tensors = vote_tensors(votes)
    else:
        used = np.flatnonzero((weights[:-1] != 0).any(axis=1))
        tensors = {"answer.columns": used, "answer.weights": weights[used]}
    if model.scale is not None:
        tensors |= {SCALE + name: array for name, array in model.scale.arrays().items()}
    if training_state:
        tensors |= state_tensors(model.state)
    model_file.write(path, header, tensors)


def _values_json(book: Any) -> Any:
    """What each neuron says for scores of at most 0, and above; None where examples are sets."""
    if book.values is None:
        return None
    return [label_json.to_json(pair) for pair in book.values.T.tolist()]


def save_text(model: TextModel, path: Any, training_state: bool) -> None:
    """Write a model of texts: vocabulary, idf, and weights in single precision; or votes."""
    votes, vectorizer = model.votes, model.vectorizer
    weights: Any = None if votes else model.weights()
    if votes:
        if not training_state:
            raise InputError(
                "votes on texts are counted with the vectorizer of the training state",
                who="save",
                got=Given("training_state=False of a model that votes"),
                wanted="True",
                fix="or save with_readout('averaged'), which answers much like it",
            )
        tensors = vote_tensors(votes)
    else:
        weights = weights.astype(np.float32, copy=False)
        tensors = _text_tensors(weights, vectorizer)
    header = header_of(model, TEXT_KIND, weights, training_state)
    header["text"] = vectorizer.header()
    if training_state:
        tensors |= state_tensors(model.state)
        tensors |= {STATE_TEXT + name: table for name, table in vectorizer.state_tables().items()}
    model_file.write(path, header, tensors)


def _text_tensors(answer: Any, vectorizer: TextVectorizer) -> Tensors:
    """The terms that have weights, as tables that are looked up where they lie."""
    used = np.flatnonzero((answer[:-1] != 0).any(axis=1))
    everything = len(used) == len(answer) - 1
    tables = vectorizer.frozen_tables(None if everything else used)
    tensors: Tensors = {SECTION + name: table for name, table in tables.items()}
    tensors["answer.weights"] = answer[:-1] if everything else answer[used]
    return tensors


def header_of(model: Model, kind: str, weights: Any, training_state: bool) -> dict[str, Any]:
    """Return what a file says beside its tensors; ``weights`` is None of votes."""
    counted, outcome = model.counted, model.outcome
    return {
        "kind": kind,
        "classes": label_json.to_json(model.classes.numbers),
        "parameters": _parameters(model, training_state),
        "intercept": _intercept(model, weights),
        "threshold": model.threshold,
        "counts": {"corrections": counted.corrections, "mistakes": counted.mistakes},
        "training_errors": model.training_errors,
        "stop_reason": outcome.stop_reason,
        "history": [[r.mistakes, r.corrections] for r in outcome.history],
        "metadata": model.metadata,
        **({} if outcome.cycle is None else {"cycle": list(outcome.cycle)}),
        **({"weighted": True} if outcome.weighted else {}),
    }


def _intercept(model: Model, weights: Any) -> list[str]:
    if weights is None:  # the bias of votes is inside the examples that made them
        return [(0.0).hex()] * model.answer.n_outputs
    return [(float(w) * model.choices.bias).hex() for w in weights[-1]]


def vote_tensors(votes: Votes) -> Tensors:
    """Return the arrays of votes, named as the file names them."""
    return {f"{VOTES}{name}": array for name, array in votes.arrays().items()}


def _parameters(model: Model, training_state: bool) -> dict[str, Any]:
    """The choices as JSON: those of the fit, whatever was set since."""
    choices, params = model.choices, dict(model.choices.given)
    params["order"] = orders.ORDERS.to_json(choices.order)
    params["readout"] = choices.readout
    if params["keep"] == "all":
        params["keep"] = list(choices.kept)
    params.pop("schedule", None)
    params.pop("guard", None)
    if choices.schedule is not None:
        params["schedule"] = _schedule_json(choices.schedule, training_state)
    if choices.given.get("guard") is not None:
        params["guard"] = [guards.GUARDS.to_json(one) for one in choices.guards]
    params.pop("scale", None)
    if choices.scale is not None:
        params["scale"] = scaling.SCALINGS.to_json(choices.scale)
    if params.get("skip") == "auto":
        del params["skip"]
    params["rule"] = _rule_json(choices.rule, training_state)
    if choices.kernel is not None:
        params["kernel"] = kernels.KERNELS.to_json(choices.kernel)
        if choices.budget is not None:
            params["budget"] = budgets.BUDGETS.to_json(choices.budget)
    params["until"] = None if choices.until is None else str(choices.until)
    if isinstance(choices.class_weight, Mapping):
        params["class_weight"] = _class_weight_json(choices.class_weight, model.classes.numbers)
    return {name: to_builtin(value) for name, value in params.items()}


def _class_weight_json(weights: Mapping[Any, Any], classes: Iterable[Any]) -> list[Any]:
    """Labels and weights; a label that equals a class is written as that class is."""
    spelled = {label: label for label in classes}
    labels = [spelled.get(label, to_builtin(label)) for label in weights]
    return [label_json.to_json(labels), [float(weight) for weight in weights.values()]]


def _schedule_json(schedule: Any, training_state: bool) -> Any:
    if schedules.SCHEDULES.holds(schedule):
        return schedules.SCHEDULES.to_json(schedule)
    if training_state:
        raise InputError(
            f"save: the schedule {schedule!r} is not one of hardlimit.schedules, so that a "
            "training state could not be continued after loading; save with training_state=False"
        )
    return None


def _rule_json(rule: Any, training_state: bool) -> Any:
    """A rule as JSON; the class of a rule of one's own is not in the file, its name is."""
    if isinstance(rule, UnknownRule):
        rule = rule.known()
    if rules.is_registered(rule):
        return rules.to_json(rule)
    if training_state:
        raise InputError(
            f"save: {rule!r} is not registered, so that a training state could not be continued "
            "after loading; register it with hardlimit.rules.register(...), or save with "
            "training_state=False"
        )
    return {"name": rules.name_of(rule), "parameters": None}


def state_tensors(training: Training) -> Tensors:
    """Weights and sums where they are not zero, by their place in (n_columns + 1, n_outputs)."""
    numbers = training.numbers()
    arrays = {name: a for name, a in numbers["arrays"].items() if a is not None}
    shape = arrays["w"].shape
    whole = {name: arrays.pop(name) for name in list(arrays) if arrays[name].shape != shape}
    used = np.logical_or.reduce([array.ravel() != 0 for array in arrays.values()])
    places = np.flatnonzero(used)
    tensors: Tensors = {
        "state.shape": np.array(shape, np.int64),
        "state.places": places if len(used) > 1 << 31 else places.astype(np.uint32),
        "state.counts": np.array(
            [numbers["presentations"], training.mistakes, *numbers["corrections"]], np.int64
        ),
        "state.lengths": np.array(numbers["lengths"], np.float64).reshape(-1, 3),
        "state.rule": rules.to_bytes(training.rule),
    }
    tensors |= {f"state.{name}": array.ravel()[places] for name, array in arrays.items()}
    tensors |= {f"state.{name}.whole": array.ravel() for name, array in whole.items()}
    if training.class_counts.counts:
        counted = training.class_counts.in_order(list(training.book.numbers))
        tensors["state.class_counts"] = np.array(counted, np.int64)
    if training.state.shrinks:
        tensors["state.scales"] = np.array(numbers["scales"], np.float64).reshape(-1, 4)
    if "theta" in arrays:
        tensors["state.common"] = np.array([numbers["common"]])
    return tensors
