"""Parallel one-vs-rest: several threads learn a neuron each; the bits are those of one thread.

With ``multiclass="ovr"`` the neuron of a class is a problem of two classes of its own, in the same
order of examples. Each is learnt by itself, and the states are put side by side; a neuron that is
done earlier than another rests, and its average counts on as if it had looked at the rest.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import NamedTuple

import numpy as np

from hardlimit._native import Rows
from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.examples import new_examples
from hardlimit.classifiers.fitting.fit import Take
from hardlimit.classifiers.fitting.training_errors import LearntRows, count_errors
from hardlimit.classifiers.fitting.unreached import warn_unreached
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import learns_apart
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import largest_sqnorm, rows_of
from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets
from hardlimit.learner import EpochRecord, Outcome, Plan


class _Neuron(NamedTuple):
    training: Training
    outcome: Outcome


def fit_in_parallel(
    choices: Choices,
    X: ArrayLike,
    y: Targets,
    sample_weight: SampleWeight,
    n_threads: int,
    take: Take,
) -> Model | None:
    """Fit as the one thread of a plain fit would, by several; None where that cannot be.

    An interruption leaves nothing. ``take`` is called with the model when it is whole.

    Cost: that of a fit, divided among the threads; each neuron walks over the rows by itself.
    """
    if not learns_apart(choices.combination, choices.kept) or is_many(y) or choices.map:
        return None
    rows = rows_of(X, choices.bias)
    labels = fit.labels_for(rows.n_rows, y, "X")
    examples = fit.check_examples(choices, labels, sample_weight)
    # Two classes are one neuron: there is nothing to share out.
    if len(examples.book) < 3:
        return None
    rows, scale = fit.measure_scale(choices, rows, examples.present)
    # Before the threads start, which would each compute them.
    rows.keep_norms()
    neurons = _learn_neurons(choices, rows, examples, n_threads)
    training = _side_by_side(choices, examples.book, neurons)
    outcome = _joint_outcome(neurons)
    outcome.weighted = examples.weighted
    largest = largest_sqnorm(rows, choices.bias, examples.present)
    facts = fit.note_facts(largest, examples)
    model = Model(choices, examples.book, outcome, training, scale=scale, facts=facts)
    with fit.taken_if_whole(model, take):
        model.freeze()
        count_errors(model, [LearntRows(rows, examples.targets, examples.absent)])
    _warn_collapsed(
        training, neurons, rows.n_rows if examples.present is None else len(examples.present)
    )
    warn_unreached(choices, outcome)
    fit.warn_idle_weights(training, examples)
    return model


def _warn_collapsed(training: Training, neurons: list[_Neuron], n_present: int) -> None:
    """Warn of the neuron whose covariance collapsed first."""
    collapses = [neuron.training.state.collapse for neuron in neurons]
    row, at = min((c for c in collapses if c[0] >= 0), key=lambda c: c[1], default=(-1, 0))
    fit.warn_collapsed(training, row, f"in epoch {at // n_present + 1} at row {row}")


def _learn_neurons(
    choices: Choices, rows: Rows, examples: fit.Examples, n_threads: int
) -> list[_Neuron]:
    stop = Event()
    # Cycles are watched on the whole layer, which no single neuron sees.
    plan = replace(fit.make_plan(choices, lambda record: _leave(stop)), watches_cycles=False)
    with ThreadPoolExecutor(min(n_threads, len(examples.book))) as threads:
        try:
            tasks = [
                threads.submit(learn_neuron, choices, rows, examples, k, plan)
                for k in range(len(examples.book))
            ]
            return [task.result() for task in tasks]
        except BaseException:
            stop.set()
            raise


class _StoppedError(Exception):
    """Ends the threads that are still learning when one of them failed."""


def _leave(stop: Event) -> None:
    if stop.is_set():
        raise _StoppedError


def learn_neuron(
    choices: Choices, rows: Rows, examples: fit.Examples, k: int, plan: Plan
) -> _Neuron:
    """Learn class k against the rest."""
    training = Training(choices, LabelBook([False, True]), rows.n_columns)
    training.check_rows(rows)
    # The class is +1 and all others are -1, as in the loop of one thread.
    targets = (examples.targets == k).astype(np.int32)
    outcome = Outcome()
    training.fit(new_examples(rows, targets, examples.weights, choices.tol), plan, outcome)
    return _Neuron(training, outcome)


def _side_by_side(choices: Choices, book: LabelBook, neurons: list[_Neuron]) -> Training:
    """One training state of all neurons."""
    states = [neuron.training.numbers() for neuron in neurons]
    names = states[0]["arrays"]
    numbers = states[0] | {
        "arrays": {
            name: None
            if names[name] is None
            else np.ascontiguousarray(np.hstack([one["arrays"][name] for one in states]))
            for name in names
        },
        # The neuron that learnt longest says how often rows were presented; others rested.
        "presentations": max(one["presentations"] for one in states),
    }
    for name in ("corrections", "lengths", "scales"):
        numbers[name] = [each for one in states for each in one[name]]
    mistakes = sum(sum(r.mistakes for r in history) for history in _histories(neurons))
    return Training.restored(choices, book, mistakes, numbers)


def _joint_outcome(neurons: list[_Neuron]) -> Outcome:
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
    # The least happy end of any neuron is the end of the layer.
    for reason in ("max_iter", "settled", "stalled", "small_step", "cycling"):
        if reason in reasons:
            return Outcome(reason, history)
    return Outcome(next(iter(reasons)), history)


def _histories(neurons: list[_Neuron]) -> list[list[EpochRecord]]:
    """Of equal length: a neuron that settled errs on as it did, one that is done rests."""
    epochs = max(len(neuron.outcome.history) for neuron in neurons)
    return [_prolonged(neuron.outcome, epochs) for neuron in neurons]


def _prolonged(outcome: Outcome, epochs: int) -> list[EpochRecord]:
    history = outcome.history
    # A neuron that settled goes on erring; one that separated does not.
    mistakes = history[-1].mistakes if outcome.stop_reason == "settled" else 0
    return history + [
        EpochRecord(epoch, mistakes, 0, 0.0, 0.0) for epoch in range(len(history) + 1, epochs + 1)
    ]
