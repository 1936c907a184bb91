"""Checks of the labels that are handed in, whatever kind they are of."""

from __future__ import annotations

from collections.abc import Hashable

from hardlimit.classifiers.model.choices import Choices
from hardlimit.exceptions import Given, InputError, KindError

# Among the counts of labels, the number of examples; no label is None.
ROWS = None


def require_rows(n_rows: int, rows_name: str) -> None:
    """Refuse an empty batch."""
    if n_rows == 0:
        raise InputError(parameter=rows_name, got=Given("nothing"), wanted="at least one example")


def require_length(n_labels: int, n_rows: int, rows_name: str) -> None:
    """Refuse labels that are not one for each row."""
    if n_labels != n_rows:
        raise InputError(
            parameter="labels",
            got=n_labels,
            wanted=f"{n_rows}, one for each example of {rows_name}",
        )


def mixed_batches(got: str, wanted: str) -> KindError:
    """Return the error of a batch whose labels are of another kind than those before."""
    return KindError(parameter="labels", got=Given(got), wanted=wanted)


def absent_classes(choices: Choices) -> set[Hashable]:
    """Return the classes whose examples weigh 0."""
    weights = choices.class_weight
    if weights is None or isinstance(weights, str):
        return set()
    return {label for label, weight in weights.items() if weight == 0}


def refuse_class_weight(choices: Choices) -> None:
    """Refuse weights of classes where each neuron has classes of its own."""
    if choices.class_weight is not None:
        raise InputError(
            "each neuron has classes of its own",
            parameter="class_weight",
            got=Given(f"{choices.class_weight!r} with several labels an example"),
            wanted="None",
            fix="use sample_weight, or a fit a label",
        )


def no_threshold(name: str, what: str) -> InputError:
    """Return the error of a goal, or a class, that a model cannot have a threshold for."""
    return InputError(
        who="choose_threshold",
        parameter=name,
        got=Given(f"a model of {what}"),
        wanted="two classes",
    )
