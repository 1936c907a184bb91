"""What differs between two models: the terms whose weights moved most."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit import classifiers
from hardlimit.classifiers.model.answers import KernelAnswer
from hardlimit.classifiers.model.ask import POINTS, Ask
from hardlimit.classifiers.model.conflicts_of_requests import check_request
from hardlimit.classifiers.model.text_model import StoredWeights
from hardlimit.exceptions import InputError
from hardlimit.live.model import LiveModel, Moved

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model


class Difference(NamedTuple):
    """Two models side by side.

    n_moved : weights that differ, of which ``moved`` has the largest changes.
    distance : Euclidean length of the difference of all weights.
    """

    added: tuple[Hashable, ...]
    removed: tuple[Hashable, ...]
    n_moved: int
    distance: float
    moved: tuple[Moved, ...]


_Named = dict[str, tuple[float, ...]]


def compare(a: str | os.PathLike[str], b: str | os.PathLike[str], top: int = 20) -> Difference:
    """Compare two model files, term by term. Cost: all weights of both."""
    (labels_a, weights_a), (labels_b, weights_b) = _read(a), _read(b)
    # of two classes one neuron tells them apart; of several labels each has its own
    one = {len(w["(intercept)"]) for w in (weights_a, weights_b)} == {1}
    shared = [label for label in labels_b if label in labels_a]
    if one and labels_a == labels_b:
        pairs = [(labels_b[1], 0, 0)]
    else:
        weights_a, weights_b = _wide(weights_a, labels_a), _wide(weights_b, labels_b)
        pairs = [(label, labels_a.index(label), labels_b.index(label)) for label in shared]
    none_a, none_b = (0.0,) * max(1, len(labels_a)), (0.0,) * max(1, len(labels_b))
    found = []
    for term in weights_a.keys() | weights_b.keys():
        before, after = weights_a.get(term, none_a), weights_b.get(term, none_b)
        found += [
            Moved(term, label, before[i], after[j])
            for label, i, j in pairs
            if before[i] != after[j]
        ]
    return _summed(found, labels_a, labels_b, top)


def compare_live(live: LiveModel, top: int = 20) -> Difference:
    """Compare a live model with its base: the weights that corrections moved."""
    found = live.moved_weights()
    return _summed(found, list(live.base.classes), live.classes, top)


def _summed(
    found: list[Moved], before: list[Hashable], after: list[Hashable], top: int
) -> Difference:
    found.sort(key=lambda one: (-abs(one.after - one.before), one.term, str(one.label)))
    return Difference(
        tuple(label for label in after if label not in before),
        tuple(label for label in before if label not in after),
        len(found),
        float(np.sqrt(sum((one.after - one.before) ** 2 for one in found))),
        tuple(found[:top]),
    )


def _wide(weights: _Named, labels: list[Hashable]) -> _Named:
    if len(labels) == len(weights["(intercept)"]):
        return weights
    return {term: (0.0, *one) for term, one in weights.items()}


def _read(path: str | os.PathLike[str]) -> tuple[list[Hashable], _Named]:
    """Return the labels, and the weights of each term that has some."""
    classifier: Any = classifiers.load(path)
    model = classifier.fitted
    labels = list(model.classes.numbers)
    if model.votes is not None:
        raise InputError("it answers by votes, and has no weights to compare", where=str(path))
    answer = model.answer
    if isinstance(answer, KernelAnswer):
        try:
            check_request(Ask(command="diff", features=POINTS))
        except InputError as error:
            raise error.replaced(where=str(path)) from None
    if isinstance(answer, StoredWeights) and not answer.answer.is_packed:
        stored = answer.stored_weights()
        rows = np.flatnonzero((stored != 0).any(axis=1)).tolist()
        names = [str(answer.answer.scorer.term(row)) or f"column {row}" for row in rows]
        named = {n: tuple(stored[row].tolist()) for n, row in zip(names, rows, strict=True)}
        return labels, named | {"(intercept)": tuple(answer.answer.intercept)}
    weights = np.asarray(model.frozen_weights().weights())
    rows = np.flatnonzero((weights[:-1] != 0).any(axis=1)).tolist()
    bias = tuple((weights[-1] * model.choices.bias).tolist())
    named = dict(zip(_names(model, rows), map(tuple, weights[rows].tolist()), strict=True))
    return labels, named | {"(intercept)": bias}


def _names(model: Model, rows: list[int]) -> list[str]:
    if hasattr(model, "vectorizer"):
        return list(model.vectorizer.terms(rows))
    names = model.feature_names
    return [f"column {row}" if names is None else str(names[row]) for row in rows]
