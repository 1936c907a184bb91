"""A model and its corrections as one new model file, which every command and reader knows."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit import classifiers
from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.exceptions import InputError
from hardlimit.foundation.memory import require_dense
from hardlimit.live.base import Base
from hardlimit.live.file_ledger import FileLedger
from hardlimit.live.ledger import Ledger
from hardlimit.live.state import OverlayState

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array


# Of the columns of the bias and of new terms: see native/live/row.hpp.
_NEW, _BIAS = 1 << 32, 1 << 33


class Baked(NamedTuple):
    """A file that was written.

    changed : corrections and guards that hold here, and whose text has another label there: weights
        of texts are single precision in a file, and new terms count in the length of a text.
    """

    path: str
    corrections: int
    guards: int
    changed: tuple[int, ...] = ()


def refuse_own_files(path: str | os.PathLike[str], base: str, ledger: Ledger) -> None:
    """Refuse to write over the model that is corrected, or over its corrections."""
    own = [("the base is never written", base)]
    if isinstance(ledger, FileLedger):
        own += [("the ledger would be lost", file) for file in ledger.files]
    for reason, file in own:
        if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
            raise InputError(
                reason,
                who="bake",
                parameter="path",
                got=os.fspath(path),
                fix="give the new file another name",
            )


def write_baked(base: Base[Any], state: OverlayState, path: str | os.PathLike[str]) -> None:
    """Write the base's weights plus the corrections' as a model file without training state.

    A class that corrections brought begins with the mean of the base's weights, as its scores do.
    """
    file = classifiers.open_file(base.path)
    classifier = classifiers.read(file)
    model: Any = classifier.fitted
    if base.needs_state and not file.has_state:
        raise InputError(
            "the model was saved without its training state, whose vocabulary a new file is "
            "written from",
            who="bake",
            where=base.path,
            fix="train or save it with its training state",
        )
    model.restore()
    weights = _corrected(base, state, model)
    book = LabelBook(list(model.classes.numbers))
    for label in state.labels[len(book) :]:
        book.add(label)
    model.classes, model.frozen = book, Weights(weights)
    model.threshold = base.threshold if len(book) == 2 else 0.0
    # Fitted to other weights.
    model.calibration = None
    model.training_errors = {}
    classifier.save(path, training_state=False)


def _corrected(base: Base[Any], state: OverlayState, model: Any) -> Any:
    """Return the weights (n_columns + 1, n_outputs) of base and corrections, the bias's last."""
    terms: dict[int, int] = {}
    moved = state.overlay.weights()
    new = sorted({key for key, _, _ in moved if key & _NEW})
    if new:
        names = [state.overlay.term(key & 0xFFFFFFFF) for key in new]
        columns = model.vectorizer.add_terms(names)
        terms = dict(zip(new, columns, strict=True))
    before = np.asarray(model.frozen_weights().weights(), np.float64)
    n_columns = base.width(model, len(before) - 1)
    n_outputs, two = state.overlay.n_outputs, state.overlay.n_outputs == 1
    require_dense(n_columns + 1, n_outputs, 8)
    weights = np.zeros((n_columns + 1, n_outputs))
    weights[: len(before) - 1] = _widened(before[:-1], n_outputs)
    weights[-1] = _widened(before[-1:], n_outputs)[0]
    if not two and len(base.classes) == 2 and base.threshold:
        _move_threshold(weights, base)
    for key, output, weight in moved:
        row = -1 if key & _BIAS else terms.get(key, key)
        weights[row, 0 if two else output] += weight
    return weights.astype(base.precision)


def _widened(weights: Array, n_outputs: int) -> Any:
    """Return weights of as many outputs: of two classes (0, w), of new ones the mean."""
    if weights.shape[1] == n_outputs:
        return weights
    if weights.shape[1] == 1:
        weights = np.hstack([np.zeros_like(weights), weights])
    mean = weights.mean(axis=1, keepdims=True)
    return np.hstack([weights, np.repeat(mean, n_outputs - weights.shape[1], axis=1)])


def _move_threshold(weights: Array, base: Base[Any]) -> None:
    """Give the first class the threshold as its score."""
    if not base.bias:
        raise InputError(
            "a threshold between two classes cannot be written for more classes without a bias",
            who="bake",
            where=base.path,
        )
    weights[-1, 0] += base.threshold / base.bias
    weights[-1, 2:] += base.threshold / 2 / base.bias


def digest_of(path: str | os.PathLike[str]) -> str:
    """Return the fingerprint of a file that was written."""
    return classifiers.open_file(path).digest


def compare_answers(path: str, asked: list[tuple[int, Any, Hashable]]) -> tuple[int, ...]:
    """Return the numbers of the texts whose answer by a file is another one."""
    if not asked:
        return ()
    classifier: Any = classifiers.load(path)
    answers = classifier.predict([text for _, text, _ in asked])
    pairs = zip(asked, list(answers), strict=True)
    return tuple(number for (number, _, label), answer in pairs if answer != label)
