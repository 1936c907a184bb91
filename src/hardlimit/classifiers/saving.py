"""Classifiers to model files; ``docs/model-format.md`` says what is stored.

The answer predicts and is always there; the training state is what ``partial_fit`` continues, and
may be left out. Seconds, dates and paths never enter the file: same input and seed, same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

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
from hardlimit.classifiers.text_answer import KIND as TEXT_KIND
from hardlimit.classifiers.text_answer import (
    SECTION,
    VOTES,
)
from hardlimit.classifiers.training import Training
from hardlimit.classifiers.votes import Votes
from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.text import TextVectorizer

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

LINEAR_KIND = "linear classifier"
MANY_KIND = "linear classifier of many labels"
SCALE = "answer.scale."
KERNEL_KIND = "kernel classifier"
STATE_TEXT = "state.text."
Tensors = dict[str, Any]


def save_linear(clf: LinearClassifier, path: Any, training_state: bool) -> None:
    """Write a classifier of numbers: weights in double precision where they are used, or votes."""
    clf = clf._as_learnt()
    answer = clf._answer_or_votes()
    many = clf._classes.many
    header = _header(clf, MANY_KIND if many else LINEAR_KIND, answer, training_state)
    header["columns"] = clf.n_features_in_
    if many:
        header["values"] = _values_json(clf._classes)
    if isinstance(answer, Votes):
        tensors = _vote_tensors(answer)
    else:
        used = np.flatnonzero((answer[:-1] != 0).any(axis=1))
        tensors = {"answer.columns": used, "answer.weights": answer[used]}
    if clf._fitted_scale is not None:
        tensors |= {SCALE + name: array for name, array in clf._fitted_scale.arrays().items()}
    if training_state:
        tensors |= _state_tensors(clf._state)
    model_file.write(path, header, tensors)


def _values_json(book: Any) -> Any:
    """What each neuron says for scores of at most 0, and above; None where examples are sets."""
    if book.values is None:
        return None
    return [label_json.to_json(pair) for pair in book.values.T.tolist()]


def save_text(clf: TextClassifier, path: Any, training_state: bool) -> None:
    """Write a classifier of texts: vocabulary, idf, and weights in single precision; or votes."""
    clf = clf._as_learnt()
    answer, vectorizer = clf._answer_or_votes(), clf.vectorizer_
    if isinstance(answer, Votes):
        if not training_state:
            raise InputError(
                "save: got training_state=False of a model that votes, wanted True: votes on texts "
                "are counted with the vectorizer of the training state; or save "
                "with_readout('averaged'), which answers much like it"
            )
        tensors = _vote_tensors(answer)
    else:
        answer = answer.astype(np.float32, copy=False)
        tensors = _text_tensors(answer, vectorizer)
    header = _header(clf, TEXT_KIND, answer, training_state)
    header["text"] = vectorizer.header()
    if training_state:
        tensors |= _state_tensors(clf._state)
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


def _header(clf: Any, kind: str, answer: Any, training_state: bool) -> dict[str, Any]:
    counted, cycle = clf._counted, clf._outcome.cycle
    return {
        "kind": kind,
        "classes": label_json.to_json(clf._classes.numbers),
        "parameters": _parameters(clf, training_state),
        "intercept": _intercept(clf, answer),
        "threshold": clf._threshold,
        "counts": {"corrections": counted.corrections, "mistakes": counted.mistakes},
        "training_errors": clf._training_errors,
        "stop_reason": clf._outcome.stop_reason,
        "history": [[r.mistakes, r.corrections] for r in clf._outcome.history],
        "metadata": clf.metadata,
        **({} if cycle is None else {"cycle": list(cycle)}),
        **({"weighted": True} if clf._outcome.weighted else {}),
    }


def _intercept(clf: Any, answer: Any) -> list[str]:
    if isinstance(answer, Votes):  # their own bias is inside the examples that made them
        return [(0.0).hex()] * answer.n_outputs
    return [(float(w) * clf._bias).hex() for w in answer[-1]]


def _vote_tensors(votes: Votes) -> Tensors:
    return {f"{VOTES}{name}": array for name, array in votes.arrays().items()}


def _parameters(clf: Any, training_state: bool) -> dict[str, Any]:
    params = clf.get_params(deep=False)
    params["order"] = orders.ORDERS.to_json(orders.resolve(params["order"]))
    params["readout"] = clf._readout
    if params["keep"] == "all":
        params["keep"] = list(clf._kept)
    schedule, guard = params.pop("schedule"), params.pop("guard")
    if schedule is not None:
        params["schedule"] = _schedule_json(schedules.resolve(schedule), training_state)
    if guard is not None:
        params["guard"] = [guards.GUARDS.to_json(one) for one in guards.resolve(guard)]
    if (scale := scaling.resolve(params.pop("scale", None))) is not None:
        params["scale"] = scaling.SCALINGS.to_json(scale)
    if params.get("skip") == "auto":
        del params["skip"]
    params["rule"] = _rule_json(rules.resolve(params["rule"]), training_state)
    if "kernel" in params:
        params["kernel"] = kernels.KERNELS.to_json(kernels.resolve(params["kernel"]))
        if params["budget"] is not None:
            params["budget"] = budgets.BUDGETS.to_json(budgets.resolve(params["budget"]))
    params["until"] = None if params["until"] is None else str(params["until"])
    if isinstance(params["class_weight"], Mapping):
        params["class_weight"] = _class_weight_json(params["class_weight"], clf._classes.numbers)
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
    if rules.is_registered(rule):
        return rules.to_json(rule)
    if training_state:
        raise InputError(
            f"save: {rule!r} is not registered, so that a training state could not be continued "
            "after loading; register it with hardlimit.rules.register(...), or save with "
            "training_state=False"
        )
    return {"name": rules.name_of(rule), "parameters": None}


def _state_tensors(training: Training) -> Tensors:
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
