"""Kernel classifiers to model files and back; ``docs/model-format.md`` says what is stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit import kernels, model_file
from hardlimit.classifiers import loading, saving
from hardlimit.classifiers.model.answers import KernelAnswer, Votes
from hardlimit.classifiers.model.kernel_training import KernelTraining
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import VOTES, has_votes
from hardlimit.classifiers.model.text_model import CONTRADICTIONS
from hardlimit.engine import Points
from hardlimit.exceptions import InputError, ModelFileError

SPARSE = ("starts", "columns", "values")


def save(model: Model, path: Any, training_state: bool) -> None:
    """Write supports, what each counts, and the training state where it is wanted."""
    choices = model.choices
    if not kernels.KERNELS.holds(choices.kernel):
        raise InputError(
            f"the kernel {choices.given['kernel']!r} is a function, and a model file holds nothing "
            "that could be executed",
            who="save",
            fix="use one of hardlimit.kernels, or pickle the model",
        )
    answer: Any = model.answer
    weights = None if answer.votes else answer.coefficients
    header = saving.header_of(model, saving.KERNEL_KIND, weights, training_state)
    header["columns"] = answer.n_columns
    tensors = saving.vote_tensors(answer.votes) if answer.votes else {}
    if not answer.votes:
        tensors["answer.coefficients"] = np.ascontiguousarray(answer.dual_coef)
    tensors |= _supports_of(answer, "answer.")
    if training_state:
        tensors |= _state(model.state, answer)
    model_file.write(path, header, tensors)


def _state(training: Any, answer: KernelAnswer) -> dict[str, Any]:
    """The training state; its supports are stored where the answer leaves out some of them."""
    tensors: dict[str, Any] = saving.state_tensors(training)
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


def read(file: model_file.ModelFile) -> Model:
    """Make the model of an open file; its training state is read when it is asked for."""
    model = loading.restore_header(file, Model)
    try:
        model.frozen = _answer(model, file)
    except CONTRADICTIONS as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{file.path}: the answer contradicts itself ({error!r})") from None
    stored: Any = StoredKernelState(file)
    model.stored = stored
    return model


class StoredKernelState(loading.StoredState):
    """The training state of a model with a kernel, in an open file."""

    def restore(self, model: Model) -> KernelTraining:
        """Read it, for this model."""
        return training_of(self.file, model)


def _answer(model: Model, file: model_file.ModelFile) -> KernelAnswer:
    choices = model.choices
    kernel: Any = choices.kernel
    supports, numbers = _supports(file, kernel, "answer.")
    n, outputs = supports.n_rows, len(file.header["intercept"])
    if has_votes(file):
        counts: Any = Votes.restored(
            {
                name.removeprefix(VOTES): file.array(name)
                for name in file.names
                if name.startswith(VOTES)
            }
        )
        if (counts.n_columns, counts.n_outputs) != (n, outputs) or choices.readout != "voted":
            raise ValueError("votes of another shape")
    else:
        coefficients = file.array("answer.coefficients")
        if coefficients.dtype != np.float64 or coefficients.shape != (n, outputs):
            raise ValueError(f"coefficients of the shape {coefficients.shape}")
        loading.require_finite("coefficients", coefficients)
        counts = np.concatenate([coefficients, np.zeros((1, outputs))])
    return KernelAnswer(kernel, choices.bias * choices.bias, supports, numbers, counts)


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


def training_of(file: model_file.ModelFile, model: Model) -> KernelTraining:
    """The training state of an open file, for a model whose header was restored."""
    try:
        choices = model.choices
        section = "state." if "state.support" in file.names else "answer."
        points, places = _supports(file, choices.kernel, section)
        rows, outputs = (int(n) for n in file.array("state.shape"))
        if (rows - 1, outputs) != (points.n_rows, len(file.header["intercept"])):
            raise ValueError(f"a shape of {rows} x {outputs}")
        averaged = "averaged" in choices.kept
        mistakes, numbers = loading.stored_numbers(file, (rows, outputs), averaged)
        if choices.budget is not None:
            numbers["held"] = _held(file)
        return KernelTraining.restored(
            choices,
            model.classes,
            mistakes,
            numbers,
            rule=loading.stored_rule(file),
            points=points,
            numbers_of_rows=places,
        )
    except (*CONTRADICTIONS, AttributeError, RecursionError) as error:
        if isinstance(error, ModelFileError | InputError):
            raise
        raise ModelFileError(
            f"{file.path}: the training state contradicts itself ({error!r})"
        ) from None


def _held(file: model_file.ModelFile) -> list[float]:
    """What the budget remembers."""
    held = file.array("state.held")
    if held.dtype != np.float64 or held.ndim != 1:
        raise ValueError(f"a budget of the type {held.dtype} and the shape {held.shape}")
    numbers: list[float] = held.tolist()
    return numbers
