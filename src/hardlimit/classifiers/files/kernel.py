"""Models with a kernel: supports, and what each counts; or votes."""

from __future__ import annotations

import os

import numpy as np

from hardlimit import kernels
from hardlimit.classifiers.files.header import (
    Tensors,
    check_finite,
    check_form,
    has_votes,
    read_header,
    read_votes,
    write_header,
    write_votes,
)
from hardlimit.classifiers.files.origin import write_model
from hardlimit.classifiers.files.state import (
    PART,
    StoredState,
    read_class_counts,
    read_numbers,
    read_rule,
    read_shape,
    standing_still,
    write_state,
)
from hardlimit.classifiers.model.answers import KernelAnswer, Votes
from hardlimit.classifiers.model.kernel_training import KernelModel, KernelTraining
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import Points
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.model_file import ModelFile, refuse_contradictions

KIND = "kernel classifier"
DEFAULTS = {"readout": "averaged", "until": "separated"}
SPARSE = ("starts", "columns", "values")


def write(model: Model, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all; a kernel that is a function cannot be written."""
    choices = model.choices
    if not kernels.KERNELS.holds(choices.kernel):
        raise InputError(
            f"the kernel {choices.given['kernel']!r} is a function, and a model file holds nothing "
            "that could be executed",
            who="save",
            fix="use one of hardlimit.kernels, or pickle the model",
        )
    # The state moves its supports; answer and state of a file are of one moment.
    with standing_still(model):
        answer = _answer_of(model)
        votes = answer.votes
        bias = None if votes else answer.coefficients[-1]
        header = write_header(model, KIND, bias, training_state)
        header["columns"] = answer.n_columns
        if votes:
            tensors = write_votes(votes)
        else:
            tensors = {"answer.coefficients": np.ascontiguousarray(answer.dual_coef)}
        tensors |= _write_supports(answer, "answer.")
        if training_state:
            tensors |= _write_state(model.state, answer)
    write_model(model, path, header, tensors)


def _answer_of(model: Model) -> KernelAnswer:
    """The answer now."""
    answer = model.answer
    if not isinstance(answer, KernelAnswer):
        raise TypeError(f"a model with a kernel answers by its supports, not by {answer!r}")
    return answer


def _write_state(training: Training, answer: KernelAnswer) -> Tensors:
    """Return the state; its supports are stored where the answer leaves out some of them."""
    if not isinstance(training, KernelTraining):
        raise TypeError(f"a training state with a kernel was wanted, not {training!r}")
    tensors = write_state(training)
    if training.budget is not None:
        # What a budget remembers decides whom it removes next.
        tensors["state.held"] = np.array(training.state.held)
        tensors["state.scales"] = np.array(training.state.shrinkages, np.float64).reshape(-1, 4)
    whole = training.answer("last", "post")
    # Mostly they are the same rows, and are stored once.
    if whole.supports.n_rows != answer.supports.n_rows:
        tensors |= _write_supports(whole, "state.")
    return tensors


def _write_supports(answer: KernelAnswer, section: str) -> Tensors:
    """Return the numbers of the supports and their rows, which a given matrix does without."""
    tensors: Tensors = {section + "support": answer.numbers}
    points, name = answer.supports, section + "supports."
    # The rows of such a model are columns that only the user has.
    if answer.kernel.given:
        return tensors
    if not points.sparse:
        return tensors | {name + "rows": points.arrays[0]}
    starts, columns, values = points.arrays
    arrays = (starts.astype(np.int64), columns, values)
    return tensors | {name + part: array for part, array in zip(SPARSE, arrays, strict=True)}


def read(file: ModelFile) -> Model:
    """Make the model of an open file; its training state is read when it is asked for."""
    model = read_header(file, KernelModel, DEFAULTS)
    with refuse_contradictions(file, "the answer"):
        check_form(model.choices, kernel=True)
        model.frozen = _read_answer(file, model)
    model.stored = StoredKernelState(file)
    return model


class StoredKernelState(StoredState):
    """The training state in an open file, until it is asked for."""

    def restore(self, model: Model) -> KernelTraining:
        """Read it, for this model."""
        file, choices, rule = self.file, model.choices, read_rule(self.file)
        with refuse_contradictions(file, PART):
            # The state shares the answer's supports where it has none of its own.
            section = "state." if "state.support" in file.names else "answer."
            points, places = _read_supports(file, _kernel_of(model), section)
            shape = read_shape(file, points.n_rows, model.classes.n_outputs)
            mistakes, numbers = read_numbers(file, shape, "averaged" in choices.kept)
            if choices.budget is not None:
                numbers["held"] = _read_held(file)
            return KernelTraining.restored(
                choices,
                model.classes,
                mistakes,
                numbers,
                rule=rule,
                points=points,
                numbers_of_rows=places,
                class_counts=read_class_counts(file, model.classes),
            )


def _kernel_of(model: Model) -> kernels.Kernel:
    kernel = model.choices.kernel
    if kernel is None:
        raise ValueError("no kernel")
    return kernel


def _read_answer(file: ModelFile, model: Model) -> KernelAnswer:
    kernel, bias = _kernel_of(model), model.choices.bias
    supports, numbers = _read_supports(file, kernel, "answer.")
    shape = supports.n_rows, model.classes.n_outputs
    coefficients: Votes | Array
    if has_votes(file):
        coefficients = read_votes(file, shape, model.choices)
    else:
        stored = file.array("answer.coefficients")
        if stored.dtype != np.float64 or stored.shape != shape:
            raise ValueError(f"coefficients of the shape {stored.shape}")
        check_finite("coefficients", stored)
        # The bias's row, which is 0: the kernel holds the bias.
        coefficients = np.concatenate([stored, np.zeros((1, shape[1]))])
    return KernelAnswer(kernel, bias * bias, supports, numbers, coefficients)


def _read_supports(file: ModelFile, kernel: kernels.Kernel, section: str) -> tuple[Points, Array]:
    """Return rows and numbers of the supports; after a stream they have no numbers."""
    columns, numbers = int(file.header["columns"]), file.array(section + "support")
    name = section + "supports."
    if kernel.given:
        points = Points.blank(len(numbers), columns)
    elif name + "rows" in file.names:
        points = Points.of(file.array(name + "rows"))
    else:
        starts, places, values = (file.array(name + part) for part in SPARSE)
        # The loops trust what was checked, and this comes from a file.
        points = Points.checked((starts, places, values), columns)
    if points.n_columns != columns:
        raise ValueError(f"supports of {plural(points.n_columns, 'column')}")
    if numbers.dtype != np.int64 or numbers.shape not in ((0,), (points.n_rows,)):
        raise ValueError(f"numbers of supports of the shape {numbers.shape}")
    if (numbers < 0).any() or (kernel.given and (numbers >= columns).any()):
        raise ValueError("a support that is no row")
    return points, numbers


def _read_held(file: ModelFile) -> list[float]:
    """Return what the budget remembers."""
    held = file.array("state.held")
    if held.dtype != np.float64 or held.ndim != 1:
        raise ValueError(f"a budget of the type {held.dtype} and the shape {held.shape}")
    numbers: list[float] = held.tolist()
    return numbers
