"""Neurons that know nothing of each other, learnt by several threads: the bits of one.

With ``multiclass="ovr"`` the neuron of a class is a problem of two classes of its own, in the same
order of examples. Each is learnt by itself, and the states are put side by side; a neuron that is
done earlier than another rests, and its average counts on as if it had looked at the rest.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers import measuring
from hardlimit.classifiers.labels import LabelBook
from hardlimit.classifiers.learning import Examples, labels_for
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.many_labels import is_many
from hardlimit.classifiers.model.compatibility import Combination, learns_apart
from hardlimit.classifiers.training import Method, Training, new_examples
from hardlimit.engine import rows_of, sqnorms
from hardlimit.learner import EpochRecord, Outcome, Plan


class _Neuron(NamedTuple):
    training: Training
    outcome: Outcome


def goes_apart(model: LinearClassifier, method: Method) -> bool:
    """Whether the neurons of this model can be learnt apart and put together again."""
    return learns_apart(Combination(method.rule, multiclass=model.multiclass), model._kept)


def fit_apart(model: LinearClassifier, X: Any, y: Any, sample_weight: Any, n_threads: int) -> bool:
    """Fit ``model`` as ``model.fit`` would, by several threads; False where it does not go apart.

    An interruption leaves the model as it was.

    Cost: that of a fit, divided among the threads; each neuron walks over the rows by itself.
    """
    method = model._check_parameters()
    if not goes_apart(model, method) or is_many(y):
        return False
    rows = rows_of(X, model._given_bias)
    examples = model._examples(method, labels_for(rows.n_rows, y, "X"), sample_weight)
    if len(examples.book) < 3:
        return False
    rows, scale = model._measured(rows, examples.present)
    rows.keep_norms()
    stop = Event()
    plan = replace(model._plan(lambda record: _leave(stop)), watches_cycles=False)
    with ThreadPoolExecutor(min(n_threads, len(examples.book))) as threads:
        try:
            tasks = [
                threads.submit(_neuron, model, method, rows, examples, k, plan)
                for k in range(len(examples.book))
            ]
            neurons = [task.result() for task in tasks]
        except BaseException:
            stop.set()
            raise
    training = _together(method, examples.book, neurons)
    outcome = _outcome(neurons)
    outcome.weighted = measuring.is_weighed(examples.weights)
    facts = measuring.facts_of(sqnorms(rows, model._given_bias), examples)
    model._adopt(training, outcome, None, {"_fitted_scale": scale, "_facts": facts})
    model._freeze()
    model._count_errors(rows, examples)
    model._warn_unreached()
    return True


class _StoppedError(Exception):
    """Ends the threads that are still learning when one of them failed."""


def _leave(stop: Event) -> None:
    if stop.is_set():
        raise _StoppedError


def _neuron(
    model: LinearClassifier, method: Method, rows: Any, examples: Examples, k: int, plan: Plan
) -> _Neuron:
    """Learn class k against the rest."""
    book = LabelBook([False, True])
    training = Training(
        method, "ovr", book, rows.n_columns, "averaged" in model._kept, model._given_bias
    )
    training.check_rows(rows)
    targets = (examples.targets == k).astype(np.int32)
    outcome = Outcome()
    training.fit(new_examples(rows, targets, examples.weights, model.tol), plan, outcome)
    return _Neuron(training, outcome)


def _together(method: Method, book: LabelBook, neurons: list[_Neuron]) -> Training:
    """One training state of all neurons."""
    found = [neuron.training.numbers() for neuron in neurons]
    names = found[0]["arrays"]
    numbers = found[0] | {
        "arrays": {
            name: None
            if names[name] is None
            else np.ascontiguousarray(np.hstack([one["arrays"][name] for one in found]))
            for name in names
        },
        "presentations": max(one["presentations"] for one in found),
    }
    for name in ("corrections", "lengths", "scales"):
        numbers[name] = [each for one in found for each in one[name]]
    mistakes = sum(sum(r.mistakes for r in history) for history in _histories(neurons))
    return Training.restored(method, "ovr", book, mistakes, numbers)


def _outcome(neurons: list[_Neuron]) -> Outcome:
    """Why the last of them stopped, and their epochs added up."""
    reasons = {neuron.outcome.stop_reason for neuron in neurons}
    history = [
        EpochRecord(
            lines[0].epoch,
            sum(line.mistakes for line in lines),
            sum(line.corrections for line in lines),
            sum(line.seconds for line in lines),
            sum(line.visited for line in lines) / len(lines),
        )
        for lines in zip(*_histories(neurons), strict=True)
    ]
    for reason in ("max_iter", "settled", "stalled", "cycling"):
        if reason in reasons:
            return Outcome(reason, history)
    return Outcome(next(iter(reasons)), history)


def _histories(neurons: list[_Neuron]) -> list[list[EpochRecord]]:
    """Of equal length: a neuron that settled errs on as it did, one that is done rests."""
    epochs = max(len(neuron.outcome.history) for neuron in neurons)
    return [_prolonged(neuron.outcome, epochs) for neuron in neurons]


def _prolonged(outcome: Outcome, epochs: int) -> list[EpochRecord]:
    history = outcome.history
    mistakes = history[-1].mistakes if outcome.stop_reason == "settled" else 0
    return history + [
        EpochRecord(epoch, mistakes, 0, 0.0, 0.0) for epoch in range(len(history) + 1, epochs + 1)
    ]
