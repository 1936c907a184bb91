"""Labels in, class numbers out, and back."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.types import Array

PLAIN = frozenset({str, int, bool, bytes})  # kinds of which every value is a label


def plain(label: object) -> Hashable:
    """A Python value for a label: numpy's scalars are unwrapped."""
    if type(label) in PLAIN:
        known: Hashable = label
        return known
    value = label.item() if isinstance(label, np.generic) else label
    if not isinstance(value, Hashable):
        raise KindError(
            parameter="labels",
            got=value,
            wanted="str, int, float, bool, bytes or a hashable",
        )
    if value != value:  # NaN, the one value that differs from itself
        _refuse_missing("NaN")
    if value is None:
        _refuse_missing("None")
    return value


def _refuse_missing(missing: str) -> NoReturn:
    raise InputError(
        parameter="labels",
        got=Given(missing),
        wanted="a label for every example",
        fix="drop those rows first",
    )


def single(y: object) -> list[Hashable] | None:
    """The one label of a correction, which costs microseconds; None: look closer.

    >>> single(np.array([3])), single([np.str_("spam")]), single(["a", "b"]), single([{"a"}])
    ([3], ['spam'], None, None)
    """
    if type(y) is np.ndarray:
        return y.tolist() if y.shape == (1,) and y.dtype.kind in "biuUS" else None
    if type(y) is not list or len(y) != 1:
        return None
    label = y[0].item() if isinstance(y[0], np.generic) else y[0]
    return [label] if type(label) in PLAIN else None


def kind_of(label: Hashable) -> str:
    """What kind of thing names a class: a number and its text are two.

    >>> kind_of(1), kind_of(1.0), kind_of("1"), kind_of((1, "a"))
    ('number', 'number', 'text', 'tuple')
    """
    if isinstance(label, bool):
        return "truth value"
    if isinstance(label, numbers.Number):
        return "number"
    return "text" if isinstance(label, str) else type(label).__name__


def as_list(labels: object) -> list[Hashable]:
    """One plain label an example, from a list, an array or a column of a table."""
    if isinstance(labels, str | bytes):
        raise KindError(
            parameter="labels",
            got=Given("one string"),
            wanted="a list of labels, one an example",
        )
    if isinstance(labels, np.ndarray):
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        if labels.ndim != 1:
            raise InputError(
                parameter="labels",
                got=Given(f"shape {labels.shape}"),
                wanted="one label an example",
                fix="several an example are for LinearClassifier, as (n, M) or as sets",
            )
        if labels.dtype.kind in "US" or labels.dtype.kind in "biu":
            return list(labels.tolist())
    if type(labels) is list and set(map(type, labels)) <= PLAIN:
        return labels.copy()
    if not isinstance(labels, Iterable):
        raise KindError(parameter="labels", got=labels, wanted="a list of labels, one an example")
    return [plain(label) for label in labels]


def scheme(multiclass: str, n_classes: int) -> str:
    """How presentations work for so many classes."""
    if n_classes == 2:
        return "single"
    return "coupled" if multiclass == "coupled" or n_classes < 2 else "independent"


def n_outputs(n_classes: int) -> int:
    """Rows of weights: one for two classes."""
    return n_classes if n_classes > 2 else 1


class LabelBook:
    """The classes that are known, in their order, and the number of each."""

    many: ClassVar[bool] = False  # whether an example has several labels

    def __init__(self, labels: Iterable[Hashable] = ()) -> None:
        self.numbers: dict[Hashable, int] = {}
        self._kinds: set[bool] = set()
        self._checked: set[type] = set()  # types of labels that check_kinds let pass
        self._array: np.ndarray[Any, Any] | None = None
        self._single: dict[Hashable, np.ndarray[Any, Any]] = {}
        for label in labels:
            self.add(label)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_single": {}, "_array": None}

    def add(self, label: Hashable) -> None:
        """Append a class; a mix of 1 and True, which are equal to Python, is refused."""
        if isinstance(label, bool | int | float):
            self._check_kind(label)
        self.numbers.setdefault(label, len(self.numbers))

    def _check_kind(self, label: object) -> None:
        kinds = self._kinds | {isinstance(label, bool)}
        if len(kinds) > 1:
            raise KindError(
                "Python holds 1 and True to be equal",
                parameter="labels",
                got=Given("both truth values and numbers"),
                wanted="one kind",
                fix="convert them, for example with int()",
            )
        self._kinds = kinds

    def check_kinds(self, labels: Sequence[Hashable]) -> None:
        """Look at known labels too: True finds the number of 1."""
        if len(labels) == 1 and type(labels[0]) in self._checked:  # a stream of single rows
            return
        types = {type(label) for label in labels}
        if types <= self._checked:
            return
        before = self._kinds
        try:
            for kind in types:
                if issubclass(kind, bool | int | float):
                    self._check_kind(kind())
        except KindError:
            self._kinds = before
            raise
        self._checked |= types

    def check_alike(self, labels: Iterable[Hashable]) -> None:
        """Refuse new classes of another kind than those known: 1 beside "1" is a slip."""
        known = {kind_of(label) for label in self.numbers}
        for label in labels:
            if kind_of(label) not in known:
                raise KindError(
                    parameter="labels",
                    got=Given(f"{label!r} ({kind_of(label)})"),
                    wanted="one of the kind of the classes so far: "
                    f"{', '.join(map(repr, list(self.numbers)[:3]))} ({', '.join(sorted(known))})",
                    fix="convert the labels, for example with str()",
                )

    def knows(self, labels: Sequence[Hashable]) -> bool:
        """Whether none of the labels is new."""
        if len(labels) == 1:
            return labels[0] in self.numbers
        return all(map(self.numbers.__contains__, labels))

    def codes(self, labels: Sequence[Hashable]) -> np.ndarray[Any, Any]:
        """The numbers of known labels (int32)."""
        if len(labels) == 1 and labels[0] in self._single:  # a stream of single rows
            return self._single[labels[0]]
        numbers = self.numbers
        try:
            codes = np.array([numbers[label] for label in labels], np.int32)
        except KeyError as error:
            known = ", ".join(map(repr, self.numbers))
            raise InputError(
                parameter="labels",
                got=Given(f"{error.args[0]!r}, which is none of the classes {known}"),
            ) from None
        if len(labels) == 1:
            self._single[labels[0]] = codes
        return codes

    @property
    def n_outputs(self) -> int:
        """Rows of weights: one for two classes."""
        return n_outputs(len(self.numbers))

    def scheme(self, multiclass: str) -> str:
        """How presentations work."""
        return scheme(multiclass, len(self.numbers))

    def choose(self, scores: Array, threshold: float) -> np.ndarray[Any, Any]:
        """The class number of each row; a tie goes to the first."""
        if scores.shape[1] > 1:
            best: np.ndarray[Any, Any] = scores.argmax(1)
            return best
        if len(self) < 2:
            return np.zeros(len(scores), np.intp)
        second: np.ndarray[Any, Any] = (scores[:, 0] > threshold).astype(np.intp)
        return second

    def decide(self, scores: Array, threshold: float) -> np.ndarray[Any, Any]:
        """The class of each row."""
        classes: np.ndarray[Any, Any] = self.array[self.choose(scores, threshold)]
        return classes

    def find_errors(self, scores: Array, threshold: float, targets: Array) -> np.ndarray[Any, Any]:
        """Rows whose class is not the one wanted."""
        found: np.ndarray[Any, Any] = self.choose(scores, threshold) != targets
        return found

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The classes as an array: of strings or numbers where they are of one kind."""
        if self._array is None or len(self._array) != len(self.numbers):
            self._array = as_array(list(self.numbers))
            self._array.flags.writeable = False  # every caller gets the same one
        return self._array


def as_array(values: list[Any]) -> np.ndarray[Any, Any]:
    """An array of strings or numbers where they are of one kind, else of objects."""
    if all(type(v) is str and not v.endswith("\0") for v in values):
        return np.array(values)
    if all(type(v) is bool for v in values) or all(type(v) is float for v in values):
        return np.array(values)
    if all(type(v) is int and -(1 << 63) <= v < 1 << 63 for v in values):
        return np.array(values)
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects


def sorted_book(labels: Sequence[Hashable]) -> LabelBook:
    """The book of a fit: classes sorted, by kind first where kinds are mixed."""
    distinct = set(labels)
    book = LabelBook()
    book.check_kinds(labels)
    try:
        ordered = sorted(distinct)  # type: ignore[type-var]
    except TypeError:
        ordered = sorted(distinct, key=lambda v: (type(v).__name__, repr(v)))
    book.numbers = dict(zip(ordered, range(len(ordered)), strict=True))  # of kinds that go together
    return book
