"""Labels that a model file can hold, and how it holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.decisions import (
    MANY,
    ClassDecision,
    ColumnDecision,
    SetDecision,
)
from hardlimit.exceptions import Given, InputError, KindError, ModelFileError, abbreviate
from hardlimit.foundation.names import check_text

if TYPE_CHECKING:
    from hardlimit.model_file import ModelFile

# Labels in a header are their kind and a text, so that 1, 1.0, "1", True and b"1" stay apart.
_WRITE: dict[type, Callable[[Any], str]] = {
    str: str,
    int: str,
    bool: str,
    float: float.hex,
    bytes: bytes.hex,
}
_READ: dict[str, Callable[[str], Hashable]] = {
    "str": str,
    "int": int,
    "bool": lambda text: {"True": True, "False": False}[text],
    "float": float.fromhex,
    "bytes": bytes.fromhex,
}

_MOST_OF_ONE_HASH = 100


def check_storable(labels: Iterable[Hashable]) -> None:
    """Refuse new classes that could be learnt and not be stored.

    >>> check_storable(["ham", ("a", 1)])
    Traceback (most recent call last):
    ...
    hardlimit.exceptions.KindError: labels: got ('a', 1) of type tuple, wanted str, int, float, \
bool or bytes, which a model file can hold; convert the labels, for example with str()
    """
    for label in labels:
        if type(label) is str:
            check_text(label, "labels")
        elif type(label) not in _WRITE:
            raise KindError(
                parameter="labels",
                got=Given(f"{abbreviate(label)} of type {type(label).__name__}"),
                wanted="str, int, float, bool or bytes, which a model file can hold",
                fix="convert the labels, for example with str()",
            )


def labels_to_json(labels: Iterable[Hashable]) -> list[list[str]]:
    """Return kind and text of each label.

    >>> labels_to_json(["ham", 1, True, 0.5])
    [['str', 'ham'], ['int', '1'], ['bool', 'True'], ['float', '0x1.0000000000000p-1']]
    """
    written = []
    for label in labels:
        # The exact type: a subclass would come back as something else.
        kind = type(label)
        if kind not in _WRITE:
            raise InputError(
                who="save",
                parameter="labels",
                got=Given(f"{label!r} of type {kind.__name__}"),
                wanted="str, int, float, bool and bytes, which a model file can hold",
            )
        written.append([kind.__name__, _WRITE[kind](label)])
    return written


def labels_from_json(data: Sequence[tuple[str, str]]) -> list[Hashable]:
    """Return the labels again; what no release wrote is refused.

    >>> labels_from_json([["str", "ham"], ["int", "1"]])
    ['ham', 1]
    """
    try:
        labels = [_READ[kind](text) for kind, text in data]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"labels that cannot be read ({error!r})", who="model file") from None
    # Numbers can be chosen so that all have one hash: sets would take quadratic time.
    if labels and max(Counter(map(hash, labels)).values()) > _MOST_OF_ONE_HASH:
        raise ModelFileError("labels that were chosen to collide", who="model file")
    # Two classes of one name would share a number, and all later ones be shifted.
    if len(set(labels)) != len(labels) or not labels:
        raise ModelFileError("the labels are missing or occur twice", who="model file")
    return labels


def read_decision(file: ModelFile, n_classes: int) -> ClassDecision:
    """Return how a file of a model with so many labels answers."""
    if not file.kind.endswith(MANY):
        return ClassDecision()
    if (values := file.header["values"]) is None:
        return SetDecision()
    pairs = [labels_from_json(one) for one in values]
    if list(map(len, pairs)) != [2] * n_classes:
        raise ModelFileError("the values of a label are no two", where=str(file.path))
    return ColumnDecision(pairs)
