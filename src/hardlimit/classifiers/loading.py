"""Model files to classifiers: nothing is executed; a file that contradicts itself is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hardlimit import budgets, kernels, model_file, rules, scaling
from hardlimit.classifiers import label_json
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.answers import Votes, Weights
from hardlimit.classifiers.model.choices import Default, resolve_choices
from hardlimit.classifiers.model.example_weights import ClassCounts
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.memory import require_memory
from hardlimit.classifiers.model.model import Counts, Model
from hardlimit.classifiers.model.text_answer import KIND as TEXT_KIND
from hardlimit.classifiers.model.text_answer import (
    VOTES,
    TextAnswer,
    finite,
    has_votes,
    intercept_of,
)
from hardlimit.classifiers.model.text_model import CONTRADICTIONS, StoredWeights, TextModel
from hardlimit.classifiers.model.training import ARRAYS, Training
from hardlimit.classifiers.saving import KERNEL_KIND, LINEAR_KIND, MANY_KIND, SCALE, STATE_TEXT
from hardlimit.exceptions import InputError, ModelFileError
from hardlimit.learner import EpochRecord, Outcome
from hardlimit.text import TextVectorizer
from hardlimit.theory.cycling import Cycle

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

_Model = TypeVar("_Model", bound=Model)


def load(
    path: str | os.PathLike[str],
) -> TextClassifier | LinearClassifier | KernelClassifier:
    """Load a classifier from a model file; nothing in it is executed.

    Raises
    ------
    FileError, ModelFileError
        A file that cannot be read, that is no model, newer, of another kind, cut off or damaged.
    """
    model = read(model_file.open(path))
    try:
        classifier = _front_of(model)(**model.choices.given)
    except TypeError as error:  # a parameter that there is not
        raise ModelFileError(
            f"the header contradicts itself ({error!r})", where=os.fsdecode(path)
        ) from None
    classifier.metadata = model.metadata
    return classifier.adopt(model)


def _front_of(model: Model) -> type[TextClassifier | LinearClassifier | KernelClassifier]:
    """Return the classifier of this kind of model, imported where it is loaded: start-up."""
    if isinstance(model, TextModel):
        from hardlimit.classifiers.text import TextClassifier

        return TextClassifier
    if model.choices.kernel is not None:
        from hardlimit.classifiers.kernel import KernelClassifier

        return KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier

    return LinearClassifier


def read(file: model_file.ModelFile) -> Model:
    """Make the model of an open file; its training state is read when it is asked for."""
    if file.kind == TEXT_KIND:
        return _read_text(file)
    if file.kind in (LINEAR_KIND, MANY_KIND):
        return _read_linear(file)
    if file.kind == KERNEL_KIND:
        from hardlimit.classifiers import saving_kernel  # start-up: kernels are loaded by few

        return saving_kernel.read(file)
    raise ModelFileError(f"holds a '{file.kind}', wanted a classifier", where=str(file.path))


class StoredState:
    """The training state in an open file."""

    def __init__(self, file: model_file.ModelFile) -> None:
        self.file = file

    @property
    def has_state(self) -> bool:
        """Whether the file was saved with it."""
        return self.file.has_state

    def restore(self, model: Model) -> Training:
        """Read it, for this model."""
        return training_of(self.file, model)

    def restore_vectorizer(self) -> TextVectorizer:
        """Read the vectorizer of a model of texts."""
        return vectorizer_of(self.file)


def _read_text(file: model_file.ModelFile) -> TextModel:
    if has_votes(file):
        model = restore_header(file, TextModel)
        model.frozen = _read_votes(file, model)
        return model
    answer = TextAnswer(file)
    model = restore_header(file, TextModel)
    model.frozen = StoredWeights(answer)
    return model


def _read_linear(file: model_file.ModelFile) -> Model:
    model = restore_header(file, Model)
    try:
        n_columns = int(file.header["columns"])
        model.scale = _stored_scale(file, model.choices.scale, n_columns)
        if has_votes(file):
            model.frozen = _read_votes(file, model)
            return model
        intercept = intercept_of(file.header)
        columns, weights = file.array("answer.columns"), file.array("answer.weights")
        require_memory(n_columns, len(intercept), file.has_state)
        answer = np.zeros((n_columns + 1, len(intercept)))
        answer[columns] = weights
        answer[-1] = np.array(intercept) / (model.choices.bias or 1.0)
        require_finite("weights", answer)
    except CONTRADICTIONS as error:
        raise ModelFileError(f"{file.path}: the answer contradicts itself ({error!r})") from None
    model.frozen = Weights(answer)
    return model


def _stored_scale(
    file: model_file.ModelFile, scale: scaling.Scaling | None, n_columns: int
) -> scaling.Scale | None:
    stored = {n.removeprefix(SCALE): file.array(n) for n in file.names if n.startswith(SCALE)}
    if scale is None:
        return None
    require_memory(n_columns, 1, averaged=False)
    return scale.restored(stored, n_columns)


def _read_votes(file: model_file.ModelFile, model: Model) -> Votes:
    """The votes that answer."""
    arrays = {
        name.removeprefix(VOTES): file.array(name) for name in file.names if name.startswith(VOTES)
    }
    try:
        votes = Votes.restored(arrays)
        if (votes.n_columns, votes.n_outputs) != (_columns(file), len(file.header["intercept"])):
            raise ValueError("votes of another shape")
        if model.choices.readout != "voted" or (file.kind == TEXT_KIND and not file.has_state):
            raise ValueError("votes without what they are counted with")
    except CONTRADICTIONS as error:
        raise ModelFileError(f"{file.path}: the votes contradict themselves ({error!r})") from None
    return votes


def restore_header(file: model_file.ModelFile, kind: type[_Model]) -> _Model:
    """Make a model of everything that the header holds; it has no answer yet."""
    try:
        header = file.header
        choices = resolve_choices(_read_parameters(file), rule_known=False)
        forms = (choices.kernel is not None, choices.text is not None)
        if forms != (file.kind == KERNEL_KIND, file.kind == TEXT_KIND):
            raise ValueError(f"parameters of another kind than a '{file.kind}'")
        book = _stored_book(file)
        if len(intercept_of(header)) != book.n_outputs:
            raise ModelFileError(
                f"{file.path}: the header contradicts itself: {len(header['intercept'])} "
                f"intercepts of {len(book)} classes"
            )
        history = [
            EpochRecord(epoch, mistakes, corrections, float("nan"), float("nan"))
            for epoch, (mistakes, corrections) in enumerate(header["history"], 1)
        ]
        weighted = bool(header.get("weighted", False))
        cycle = _cycle(header.get("cycle"))
        model = kind(choices, book, Outcome(header["stop_reason"], history, cycle, weighted))
        model.threshold = finite(float(header["threshold"]))
        model.counts = Counts(header["counts"]["corrections"], header["counts"]["mistakes"])
        model.training_errors = dict(header["training_errors"])
        model.metadata = dict(header["metadata"])
        stored: Any = StoredState(file)
        model.stored = stored
        return model
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


# Settings that a classifier has by default and a file of that kind names: not asked for.
_DEFAULTS = {
    TEXT_KIND: {"readout": "averaged"},
    LINEAR_KIND: {"readout": "averaged", "until": "separated"},
    MANY_KIND: {"readout": "averaged", "until": "separated"},
    KERNEL_KIND: {"readout": "averaged", "until": "separated"},
}


def _read_parameters(file: model_file.ModelFile) -> dict[str, Any]:
    stored = file.header["parameters"]
    params = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    for name, default in _DEFAULTS[file.kind].items():
        if params[name] == default:
            params[name] = Default(default)
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


def training_of(file: model_file.ModelFile, model: Model) -> Training:
    """The training state of an open file, for a model whose header was restored."""
    try:
        rows, outputs = (int(n) for n in file.array("state.shape"))
        if (rows - 1, outputs) != (_columns(file), len(file.header["intercept"])):
            raise ValueError(f"a shape of {rows} x {outputs}")
        require_memory(rows - 1, outputs, averaged=True)
        averaged = "averaged" in model.choices.kept
        mistakes, numbers = stored_numbers(file, (rows, outputs), averaged)
        rule, book = stored_rule(file), model.classes
        training = Training.restored(model.choices, book, mistakes, numbers, rule=rule)
        if "state.class_counts" in file.names:
            seen = [int(n) for n in file.array("state.class_counts")]
            training.class_counts = ClassCounts(dict(zip(book.numbers, seen, strict=True)))
        return training
    except (*CONTRADICTIONS, AttributeError, RecursionError) as error:
        if isinstance(error, ModelFileError | InputError):
            raise
        raise ModelFileError(
            f"{file.path}: the training state contradicts itself ({error!r})"
        ) from None


def stored_numbers(
    file: model_file.ModelFile, shape: tuple[int, int], averaged: bool
) -> tuple[int, dict[str, Any]]:
    """Mistakes, and what :meth:`Training.numbers` gave."""
    counts = [int(n) for n in file.array("state.counts")]
    lengths = require_finite("lengths", file.array("state.lengths"))
    common = file.array("state.common")[0] if "state.common" in file.names else 0.0
    return counts[1], {
        "arrays": _stored_arrays(file, shape, averaged),
        "presentations": counts[0],
        "corrections": counts[2:],
        "lengths": [(float(a), float(b), int(n)) for a, b, n in lengths],
        "scales": _stored_scales(file, len(counts) - 2),
        "common": finite(float(common)),
    }


def stored_rule(file: model_file.ModelFile) -> Any:
    """The rule that a training state goes on with."""
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
        name: require_finite(name, np.ascontiguousarray(file.array(f"state.{name}.whole")))
        for name in ARRAYS
        if f"state.{name}.whole" in file.names
    }


def _stored_scales(file: model_file.ModelFile, n_counters: int) -> list[tuple[Any, ...]]:
    if "state.scales" not in file.names:
        return [(1.0, 0.0, 0, 0)] * n_counters
    rows = require_finite("scales", file.array("state.scales"))
    return [(float(s), float(clock), int(at), int(n)) for s, clock, at, n in rows]


def require_finite(name: str, values: Any) -> Any:
    """Refuse numbers of a file that are not finite."""
    if not np.isfinite(values).all():
        raise ValueError(f"{name} that are not finite")
    return values


def _spread(values: Any, places: Any, rows: int, outputs: int) -> np.ndarray[Any, Any]:
    require_finite("weights and sums", values)
    dense = np.zeros(rows * outputs)
    dense[places] = values
    return dense.reshape(rows, outputs)


def vectorizer_of(file: model_file.ModelFile) -> TextVectorizer:
    """The vectorizer of an open file with a training state."""
    tables = {
        name.removeprefix(STATE_TEXT): file.checked(name)
        for name in file.names
        if name.startswith(STATE_TEXT)
    }
    return TextVectorizer.from_frozen(file.header["text"], tables)
