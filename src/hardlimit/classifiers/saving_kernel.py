"""Kernel classifiers to model files and back; ``docs/model-format.md`` says what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import budgets, guards, kernels, model_file, schedules
from hardlimit.classifiers import loading, saving
from hardlimit.classifiers.kernel_answer import KernelAnswer
from hardlimit.classifiers.kernel_training import KernelTraining
from hardlimit.classifiers.text_answer import VOTES, has_votes
from hardlimit.classifiers.training import Method
from hardlimit.classifiers.votes import Votes
from hardlimit.engine import Points
from hardlimit.exceptions import InputError, ModelFileError

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier

SPARSE = ("starts", "columns", "values")


def save(clf: KernelClassifier, path: Any, training_state: bool) -> None:
    """Write supports, what each counts, and the training state where it is wanted."""
    clf = clf._as_learnt()
    if not kernels.KERNELS.holds(kernels.resolve(clf.kernel)):
        raise InputError(
            f"save: the kernel {clf.kernel!r} is a function, and a model file holds nothing that "
            "could be executed; use one of hardlimit.kernels, or pickle the model"
        )
    answer = clf._answer_here()
    header = saving._header(clf, saving.KERNEL_KIND, answer.weights, training_state)
    header["columns"] = answer.supports.n_columns
    tensors = saving._vote_tensors(answer.weights) if answer.votes else {}
    if not answer.votes:
        tensors["answer.coefficients"] = np.ascontiguousarray(answer.weights[:-1])
    tensors |= _supports_of(answer, "answer.")
    if training_state:
        tensors |= _state(clf._state, answer)
    model_file.write(path, header, tensors)


def _state(training: Any, answer: KernelAnswer) -> dict[str, Any]:
    """The training state; its supports are stored where the answer leaves out some of them."""
    tensors: dict[str, Any] = saving._state_tensors(training)
    if training.budget is not None:
        tensors["state.held"] = np.array(training.state.held)
        tensors["state.scales"] = np.array(training.state.shrinkages, np.float64).reshape(-1, 4)
    whole = training.answer("last", "post")
    if whole.supports.n_rows != answer.supports.n_rows:
        tensors |= _supports_of(whole, "state.")
    return tensors


def _supports_of(answer: KernelAnswer, section: str) -> dict[str, Any]:
    """The numbers of the supports and their rows, which a precomputed kernel does not need."""
    tensors = {section + "support": answer.numbers}
    points, name = answer.supports, section + "supports."
    if answer.kernel.given:
        return tensors
    if not points.sparse:
        return tensors | {name + "rows": points.arrays[0]}
    starts, columns, values = points.arrays
    arrays = (starts.astype(np.int64), columns, values)
    return tensors | {name + part: array for part, array in zip(SPARSE, arrays, strict=True)}


def load(file: model_file.ModelFile) -> KernelClassifier:
    """A classifier that answers from the file; its training state is read when it is asked for."""
    from hardlimit.classifiers.kernel import KernelClassifier

    clf = KernelClassifier()
    loading._restore(clf, file)
    try:
        answer = _answer(clf, file)
    except loading._CONTRADICTIONS as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{file.path}: the answer contradicts itself ({error!r})") from None
    clf._answer = answer
    clf._file = file
    return clf


def _answer(clf: Any, file: model_file.ModelFile) -> KernelAnswer:
    kernel = kernels.resolve(clf.kernel)
    supports, numbers = _supports(file, kernel, "answer.")
    n, outputs = supports.n_rows, len(file.header["intercept"])
    if has_votes(file):
        weights: Any = Votes.restored(
            {
                name.removeprefix(VOTES): file.array(name)
                for name in file.names
                if name.startswith(VOTES)
            }
        )
        if (weights.n_columns, weights.n_outputs) != (n, outputs) or clf._readout != "voted":
            raise ValueError("votes of another shape")
    else:
        coefficients = file.array("answer.coefficients")
        if coefficients.dtype != np.float64 or coefficients.shape != (n, outputs):
            raise ValueError(f"coefficients of the shape {coefficients.shape}")
        loading._require_finite("coefficients", coefficients)
        weights = np.concatenate([coefficients, np.zeros((1, outputs))])
    return KernelAnswer(kernel, clf._bias * clf._bias, supports, numbers, weights)


def _supports(file: model_file.ModelFile, kernel: Any, section: str) -> tuple[Points, Any]:
    """Rows and numbers of the supports; after a stream they have no numbers."""
    columns, numbers = int(file.header["columns"]), file.array(section + "support")
    name = section + "supports."
    if kernel.given:
        points = Points.blank(len(numbers), columns)
    elif name + "rows" in file.names:
        points = Points.of(file.array(name + "rows"))
    else:
        starts, places, values = (file.array(name + part) for part in SPARSE)
        points = Points.checked((starts, places, values), columns)
    if points.n_columns != columns:
        raise ValueError(f"supports of {points.n_columns} columns")
    if numbers.dtype != np.int64 or numbers.shape not in ((0,), (points.n_rows,)):
        raise ValueError(f"numbers of supports of the shape {numbers.shape}")
    if (numbers < 0).any() or (kernel.given and (numbers >= columns).any()):
        raise ValueError("a support that is no row")
    return points, numbers


def training_of(file: model_file.ModelFile, clf: Any) -> KernelTraining:
    """The training state of an open file, for a classifier whose header was restored."""
    try:
        kernel = kernels.resolve(clf.kernel)
        section = "state." if "state.support" in file.names else "answer."
        points, places = _supports(file, kernel, section)
        rows, outputs = (int(n) for n in file.array("state.shape"))
        if (rows - 1, outputs) != (points.n_rows, len(file.header["intercept"])):
            raise ValueError(f"a shape of {rows} x {outputs}")
        method = Method(
            loading._stored_rule(file),
            schedules.resolve(clf.schedule),
            guards.resolve(clf.guard),
        )
        mistakes, numbers = loading._stored_numbers(file, (rows, outputs), clf)
        if clf.budget is not None:
            numbers["held"] = _held(file)
        made = KernelTraining.restored(
            method,
            clf.multiclass,
            clf._book,
            mistakes,
            numbers,
            kernel=kernel,
            bias=clf._bias * clf._bias,
            points=points,
            numbers_of_rows=places,
            budget=budgets.resolve(clf.budget),
            seed=0,  # of RandomRemoval: held has it
        )
    except (*loading._CONTRADICTIONS, AttributeError, RecursionError) as error:
        if isinstance(error, ModelFileError | InputError):
            raise
        raise ModelFileError(
            f"{file.path}: the training state contradicts itself ({error!r})"
        ) from None
    return made


def _held(file: model_file.ModelFile) -> list[float]:
    """What the budget remembers."""
    held = file.array("state.held")
    if held.dtype != np.float64 or held.ndim != 1:
        raise ValueError(f"a budget of the type {held.dtype} and the shape {held.shape}")
    numbers: list[float] = held.tolist()
    return numbers
