"""Model files to classifiers: nothing is executed; a file that contradicts itself is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hardlimit import (
    budgets,
    guards,
    kernels,
    model_file,
    rules,
    scaling,
    schedules,
)
from hardlimit.classifiers import label_json, many_labels
from hardlimit.classifiers.balancing import ClassCounts
from hardlimit.classifiers.base import Counts
from hardlimit.classifiers.labels import LabelBook
from hardlimit.classifiers.requirements import require_memory
from hardlimit.classifiers.saving import KERNEL_KIND, LINEAR_KIND, MANY_KIND, SCALE, STATE_TEXT
from hardlimit.classifiers.text_answer import KIND as TEXT_KIND
from hardlimit.classifiers.text_answer import (
    SECTION,
    VOTES,
    TextAnswer,
    finite,
    has_votes,
    intercept_of,
)
from hardlimit.classifiers.training import ARRAYS, Method, Training
from hardlimit.classifiers.votes import Votes
from hardlimit.exceptions import InputError, ModelFileError
from hardlimit.learner import EpochRecord, Outcome
from hardlimit.text import TextVectorizer
from hardlimit.theory.cycling import Cycle

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

# What reading raises where a file contradicts itself.
_CONTRADICTIONS = (KeyError, TypeError, ValueError, IndexError, OverflowError, MemoryError)
_Model = TypeVar("_Model", "LinearClassifier", "TextClassifier")


def load(
    path: str | os.PathLike[str],
) -> TextClassifier | LinearClassifier | KernelClassifier:
    """Load a classifier from a model file; nothing in it is executed.

    Raises
    ------
    FileError, ModelFileError
        A file that cannot be read, that is no model, newer, of another kind, cut off or damaged.
    """
    file = model_file.open(path)
    if file.kind == TEXT_KIND:
        return _load_text(file)
    if file.kind in (LINEAR_KIND, MANY_KIND):
        return _load_linear(file)
    if file.kind == KERNEL_KIND:
        from hardlimit.classifiers import saving_kernel

        return saving_kernel.load(file)
    raise ModelFileError(f"{file.path}: holds a '{file.kind}', wanted a classifier")


def _load_text(file: model_file.ModelFile) -> TextClassifier:
    from hardlimit.classifiers.text import TextClassifier

    clf = TextClassifier()
    if has_votes(file):
        _restore(clf, file)
        return _with_votes(clf, file)
    answer = TextAnswer(file)
    _restore(clf, file)
    clf._frozen = answer
    clf._file = file
    return clf


def _load_linear(file: model_file.ModelFile) -> LinearClassifier:
    from hardlimit.classifiers.linear import LinearClassifier

    clf = LinearClassifier()
    _restore(clf, file)
    try:
        n_columns = int(file.header["columns"])
        clf._fitted_scale = _stored_scale(file, clf.scale, n_columns)
        if has_votes(file):
            return _with_votes(clf, file)
        intercept = intercept_of(file.header)
        columns, weights = file.array("answer.columns"), file.array("answer.weights")
        require_memory(n_columns, len(intercept), file.has_state)
        answer = np.zeros((n_columns + 1, len(intercept)))
        answer[columns] = weights
        answer[-1] = np.array(intercept) / (clf._bias or 1.0)
        _require_finite("weights", answer)
    except _CONTRADICTIONS as error:
        raise ModelFileError(f"{file.path}: the answer contradicts itself ({error!r})") from None
    clf._answer = answer
    clf._file = file
    return clf


def _stored_scale(file: model_file.ModelFile, name: Any, n_columns: int) -> scaling.Scale | None:
    found = scaling.resolve(name)
    stored = {n.removeprefix(SCALE): file.array(n) for n in file.names if n.startswith(SCALE)}
    if found is not None:
        require_memory(n_columns, 1, averaged=False)
    return None if found is None else found.restored(stored, n_columns)


def _with_votes(clf: _Model, file: model_file.ModelFile) -> _Model:
    """A classifier that answers by the votes of the file."""
    arrays = {
        name.removeprefix(VOTES): file.array(name) for name in file.names if name.startswith(VOTES)
    }
    try:
        votes = Votes.restored(arrays)
        if (votes.n_columns, votes.n_outputs) != (_columns(file), len(file.header["intercept"])):
            raise ValueError("votes of another shape")
        if clf._readout != "voted" or (file.kind == TEXT_KIND and not file.has_state):
            raise ValueError("votes without what they are counted with")
    except _CONTRADICTIONS as error:
        raise ModelFileError(f"{file.path}: the votes contradict themselves ({error!r})") from None
    clf._answer, clf._file = votes, file
    return clf


def _restore(clf: Any, file: model_file.ModelFile) -> None:
    """Everything that the header holds."""
    try:
        header = file.header
        parameters = _read_parameters(header["parameters"])
        for name in ("until", "readout"):
            if parameters[name] == getattr(clf, name):
                parameters[name] = getattr(clf, name)  # a default that was not asked for stays one
        clf.set_params(**parameters)
        clf._book = _stored_book(file)
        clf._check_settings()
        clf._learnt_with = clf.get_params(deep=False)
        clf._fitted_bias = clf._given_bias
        if len(intercept_of(header)) != clf._book.n_outputs:
            raise ModelFileError(
                f"{file.path}: the header contradicts itself: {len(header['intercept'])} "
                f"intercepts of {len(clf._book)} classes"
            )
        clf._threshold = finite(float(header["threshold"]))
        clf._counts = Counts(header["counts"]["corrections"], header["counts"]["mistakes"])
        clf._training_errors = dict(header["training_errors"])
        clf.metadata = dict(header["metadata"])
        history = [
            EpochRecord(epoch, mistakes, corrections, float("nan"), float("nan"))
            for epoch, (mistakes, corrections) in enumerate(header["history"], 1)
        ]
        weighted = bool(header.get("weighted", False))
        clf._outcome = Outcome(
            header["stop_reason"], history, _cycle(header.get("cycle")), weighted
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{file.path}: the header is incomplete ({error!r})") from None


def _cycle(stored: Any) -> Cycle | None:
    if stored is None:
        return None
    epochs, corrections = stored
    if not (type(epochs) is int and type(corrections) is int):
        raise ValueError("a period is a number of epochs and one of corrections")
    return Cycle(epochs, corrections)


def _stored_book(file: model_file.ModelFile) -> LabelBook:
    labels = label_json.from_json(file.header["classes"])
    if file.kind != MANY_KIND:
        return LabelBook(labels)
    values = file.header["values"]
    if values is not None:
        values = [label_json.from_json(one) for one in values]
    return many_labels.restored(labels, values)


def _read_parameters(stored: dict[str, Any]) -> dict[str, Any]:
    params = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    rule = stored["rule"]
    known = rule["name"] in rules.names() and rule["parameters"] is not None
    params["rule"] = rules.from_json(rule) if known else rule["name"]
    if isinstance(stored.get("kernel"), dict):
        params["kernel"] = kernels.resolve(stored["kernel"])
    if stored.get("budget") is not None:
        params["budget"] = budgets.resolve(stored["budget"])
    if isinstance(stored["class_weight"], list):
        labels, weights = stored["class_weight"]
        params["class_weight"] = dict(zip(label_json.from_json(labels), weights, strict=True))
    return params


def training_of(file: model_file.ModelFile, clf: Any) -> Training:
    """The training state of an open file, for a classifier whose header was restored."""
    try:
        rows, outputs = (int(n) for n in file.array("state.shape"))
        if (rows - 1, outputs) != (_columns(file), len(file.header["intercept"])):
            raise ValueError(f"a shape of {rows} x {outputs}")
        require_memory(rows - 1, outputs, averaged=True)
        mistakes, numbers = _stored_numbers(file, (rows, outputs), clf)
        rule = _stored_rule(file)
        method = Method(rule, schedules.resolve(clf.schedule), guards.resolve(clf.guard))
        training = Training.restored(method, clf.multiclass, clf._book, mistakes, numbers)
        if "state.class_counts" in file.names:
            seen = [int(n) for n in file.array("state.class_counts")]
            training.class_counts = ClassCounts(dict(zip(clf._book.numbers, seen, strict=True)))
        return training
    except (*_CONTRADICTIONS, AttributeError, RecursionError) as error:
        if isinstance(error, ModelFileError | InputError):
            raise
        raise ModelFileError(
            f"{file.path}: the training state contradicts itself ({error!r})"
        ) from None


def _stored_numbers(
    file: model_file.ModelFile, shape: tuple[int, int], clf: Any
) -> tuple[int, dict[str, Any]]:
    """Mistakes, and what :meth:`Training.numbers` gave."""
    counts = [int(n) for n in file.array("state.counts")]
    lengths = _require_finite("lengths", file.array("state.lengths"))
    common = file.array("state.common")[0] if "state.common" in file.names else 0.0
    return counts[1], {
        "arrays": _stored_arrays(file, shape, "averaged" in clf._kept),
        "presentations": counts[0],
        "corrections": counts[2:],
        "lengths": [(float(a), float(b), int(n)) for a, b, n in lengths],
        "scales": _stored_scales(file, len(counts) - 2),
        "common": finite(float(common)),
    }


def _stored_rule(file: model_file.ModelFile) -> Any:
    try:
        return rules.from_bytes(bytes(file.memory("state.rule")))
    except InputError as error:
        raise InputError(
            f"{file.path}: learning on needs its rule ({error}); a rule of your own is known after "
            "hardlimit.rules.register(YourRule); predicting does without"
        ) from None


def _columns(file: model_file.ModelFile) -> int:
    """How many columns the header says that there are."""
    text = file.header.get("text")
    return int(file.header["columns"] if text is None else text["n_columns"])


def _stored_arrays(
    file: model_file.ModelFile, shape: tuple[int, int], averaged: bool
) -> dict[str, Any]:
    """The arrays of the state; those of another shape than the weights are stored whole."""
    places = file.array("state.places")
    arrays = {
        name: _spread(file.array(f"state.{name}"), places, *shape)
        for name in ARRAYS
        if f"state.{name}" in file.names or name == "w" or (name == "u" and averaged)
    }
    return arrays | {
        name: _require_finite(name, np.ascontiguousarray(file.array(f"state.{name}.whole")))
        for name in ARRAYS
        if f"state.{name}.whole" in file.names
    }


def _stored_scales(file: model_file.ModelFile, n_counters: int) -> list[tuple[Any, ...]]:
    if "state.scales" not in file.names:
        return [(1.0, 0.0, 0, 0)] * n_counters
    rows = _require_finite("scales", file.array("state.scales"))
    return [(float(s), float(clock), int(at), int(n)) for s, clock, at, n in rows]


def _require_finite(name: str, values: Any) -> Any:
    if not np.isfinite(values).all():
        raise ValueError(f"{name} that are not finite")
    return values


def _spread(values: Any, places: Any, rows: int, outputs: int) -> np.ndarray[Any, Any]:
    _require_finite("weights and sums", values)
    dense = np.zeros(rows * outputs)
    dense[places] = values
    return dense.reshape(rows, outputs)


def answer_of(frozen: TextAnswer) -> np.ndarray[Any, Any]:
    """The weights of a frozen answer as (n_columns + 1, n_outputs) float32, the bias last."""
    file = frozen.file
    weights = file.array("answer.weights").reshape(-1, frozen.n_outputs)
    terms: Any = np.arange(len(weights))
    for name in ("used", "columns"):
        if SECTION + name in file.names:
            terms = file.array(SECTION + name)[terms]
    require_memory(_columns(file), frozen.n_outputs, averaged=False)
    try:
        parameters = file.header["parameters"]
        answer = np.zeros((_columns(file) + 1, frozen.n_outputs), np.float32)
        answer[terms] = weights
        if parameters["fit_intercept"]:
            answer[-1] = np.array(frozen.intercept) / float(parameters["bias_feature"])
    except _CONTRADICTIONS as error:
        raise ModelFileError(f"{file.path}: the answer contradicts itself ({error!r})") from None
    return answer


def vectorizer_of(file: model_file.ModelFile) -> TextVectorizer:
    """The vectorizer of an open file with a training state."""
    tables = {
        name.removeprefix(STATE_TEXT): file.checked(name)
        for name in file.names
        if name.startswith(STATE_TEXT)
    }
    return TextVectorizer.from_frozen(file.header["text"], tables)
