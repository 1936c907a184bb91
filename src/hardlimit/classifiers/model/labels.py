"""Labels in, class numbers out, and back; and what each class and each example weighs."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.model.compatibility import Combination, check_weighted
from hardlimit.classifiers.model.decisions import ClassDecision
from hardlimit.classifiers.model.storable_labels import check_storable, labels_to_json
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import refuse_masked, unreadable
from hardlimit.foundation.labels import abstains, sort_labels
from hardlimit.foundation.tables import as_column
from hardlimit.foundation.types import Array, SampleWeight

PLAIN = frozenset({str, int, bool, bytes})  # kinds of which every value is a label


def unwrap_label(label: object) -> Hashable:
    """A Python value for a label: numpy's scalars are unwrapped."""
    if type(label) in PLAIN:
        known: Hashable = label
        return known
    value = label.item() if isinstance(label, np.generic) else label
    # A tuple of lists says that it is hashable, and is not.
    if not isinstance(value, Hashable) or not _has_hash(value):
        raise KindError(
            parameter="labels",
            got=value,
            wanted="str, int, float, bool or bytes",
        )
    if value != value:  # NaN, the one value that differs from itself
        _refuse_missing("NaN")
    if value is None:
        _refuse_missing("None")
    return value


def _has_hash(value: object) -> bool:
    try:
        {value: None}  # noqa: B018  (a key needs a hash)
    except Exception:
        return False
    return True


def _refuse_missing(missing: str) -> NoReturn:
    raise InputError(
        parameter="labels",
        got=Given(missing),
        wanted="a label for every example",
        fix="drop those rows first",
    )


def read_single_label(y: object) -> list[Hashable] | None:
    """The one label of a correction, which costs microseconds; None: look closer.

    >>> [read_single_label(y) for y in (np.array([3]), [np.str_("spam")], ["a", "b"], [{"a"}])]
    [[3], ['spam'], None, None]
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
    # Before numbers, since True is an int to Python.
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
    labels = as_column(labels, "labels", "labels")
    if isinstance(labels, np.ndarray):
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        if labels.ndim != 1:
            raise InputError(
                parameter="labels",
                got=Given(f"shape {labels.shape}"),
                wanted="one label an example",
                fix="LinearClassifier and TextClassifier take several, as (n, M) or as sets",
            )
        # Arrays of these kinds hold plain values only; floats may hold NaN.
        if dtypes.is_text(labels.dtype) or dtypes.is_whole(labels.dtype):
            return list(labels.tolist())
    if type(labels) is list and set(map(type, labels)) <= PLAIN:
        # A copy: the caller may change the list while texts are still being read.
        return labels.copy()
    if not isinstance(labels, Iterable):
        raise KindError(parameter="labels", got=labels, wanted="a list of labels, one an example")
    refuse_masked(labels, "labels")
    try:
        return [unwrap_label(label) for label in labels]
    except Exception as error:
        raise unreadable(error, "labels") from error


class LabelBook(ClassDecision):
    """The classes that are known, in their order, and the number of each."""

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
        # Copies: another thread may add a class while a pickle goes on.
        grows = {
            "numbers": dict(self.numbers),
            "_kinds": set(self._kinds),
            "_checked": set(self._checked),
        }
        # Made anew when asked for: a cached array would be stored with every pickle.
        return self.__dict__ | grows | {"_single": {}, "_array": None}

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
        types = set(map(type, labels))
        if types <= self._checked:
            return
        # A refused batch must not forbid the kinds that it mixed.
        before = self._kinds
        try:
            for kind in types:
                if issubclass(kind, bool | int | float):
                    self._check_kind(kind())
        except KindError:
            self._kinds = before
            raise
        self._checked |= types

    def check_alike(self, labels: Collection[Hashable]) -> None:
        """Refuse new classes of another kind than those known: 1 beside "1" is a slip."""
        check_storable(labels)
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
            codes = np.array(list(map(numbers.__getitem__, labels)), np.int32)
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
        return self.count_outputs(len(self.numbers))

    @property
    def output_labels(self) -> list[Any]:
        """The label that each row of weights speaks for: of two classes the second."""
        labels = list(self.numbers)
        return labels[1:] if len(labels) == 2 else labels

    @property
    def competing(self) -> bool:
        """Whether more than two classes compete for an example."""
        return len(self.numbers) > 2

    def scheme(self, multiclass: str) -> str:
        """How presentations work."""
        return self.scheme_of(len(self.numbers), multiclass)

    # The one label of a stream of single rows; None: look closer.
    read_single = staticmethod(read_single_label)

    def write(self) -> dict[str, object]:
        """Return what the header of a model file says of the labels."""
        return {"classes": labels_to_json(self.numbers)}

    def weights_of(self, weights: Array, number: int) -> Array:
        """Return what speaks for a class, of weights (n, n_outputs)."""
        # The one output of two classes speaks for the second, and negated for the first.
        return weights[:, 0] * (2 * number - 1) if weights.shape[1] == 1 else weights[:, number]

    def choose(self, scores: Array, threshold: float) -> np.ndarray[Any, Any]:
        """The class number of each row; a tie goes to the first."""
        if scores.shape[1] > 1:
            best: np.ndarray[Any, Any] = scores.argmax(1)
            return best
        # A stream that has seen one class can only answer that.
        if len(self) < 2:
            return np.zeros(len(scores), np.intp)
        second: np.ndarray[Any, Any] = (scores[:, 0] > threshold).astype(np.intp)
        return second

    def widen(self, scores: Array) -> Array:
        """A score for each class: of two, the first has the negative of the second's."""
        return np.column_stack([0.0 - scores, scores]) if scores.shape[1] == 1 else scores

    def decide(self, scores: Array, threshold: float) -> np.ndarray[Any, Any]:
        """The class of each row."""
        classes: np.ndarray[Any, Any] = self.array[self.choose(scores, threshold)]
        return classes

    def name_confident(
        self, p: Array, least: float, unsure: object, known: Iterable[int | None]
    ) -> np.ndarray[Any, Any]:
        """The most probable class of each row, and ``unsure`` where the model abstains."""
        labels = list(self.numbers)
        answers = np.empty(len(p), dtype=object)
        found = zip(p.max(1).tolist(), p.argmax(1).tolist(), known, strict=True)
        for row, (best, number, count) in enumerate(found):
            answers[row] = unsure if abstains(best, least, count) else labels[number]
        return answers

    def find_errors(self, scores: Array, threshold: float, targets: Array) -> np.ndarray[Any, Any]:
        """Rows whose class is not the one wanted."""
        wrong: np.ndarray[Any, Any] = self.choose(scores, threshold) != targets
        return wrong

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The classes as an array: of strings or numbers where they are of one kind."""
        array = self._array
        if array is None or len(array) != len(self.numbers):
            array = as_array(list(self.numbers))
            array.flags.writeable = False  # every caller gets the same one
            self._array = array
        return array


def as_array(values: list[Any]) -> np.ndarray[Any, Any]:
    """An array of strings or numbers where they are of one kind, else of objects."""
    # numpy drops trailing zero characters, and two labels could become one.
    if all(type(v) is str and not v.endswith("\0") for v in values):
        return np.array(values)
    if all(type(v) is bool for v in values) or all(type(v) is float for v in values):
        return np.array(values)
    # Larger integers do not fit into an array of numbers.
    if all(type(v) is int and -(1 << 63) <= v < 1 << 63 for v in values):
        return np.array(values)
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects


def sorted_book(labels: Sequence[Hashable]) -> LabelBook:
    """The book of a fit: classes sorted, by kind first where kinds are mixed."""
    book = LabelBook()
    book.check_kinds(labels)
    ordered = sort_labels(labels)
    check_storable(ordered)
    # Not one by one: the kinds were checked together, and a fit may have a million classes.
    book.numbers = dict(zip(ordered, range(len(ordered)), strict=True))
    return book


# Weights of examples and of classes, by the rule's own meaning.


def refuse_continuous(labels: Collection[Hashable], known: Collection[Hashable] = ()) -> None:
    """Refuse the targets of a regression, of which each would become a class of its own.

    As in scikit-learn these are numbers of which some have a fraction; beside names a fraction is a
    name too. ``known`` are the classes so far.
    """
    fractions = list(filter(_has_fraction, labels))
    if not fractions or not all(isinstance(one, int | float) for one in (*labels, *known)):
        return
    if any(map(_has_fraction, known)):  # a model of an earlier release, which took them
        return
    raise InputError(
        "these are targets of a regression",
        parameter="labels",
        got=Given(f"numbers with a fraction, such as {', '.join(map(repr, fractions[:3]))}"),
        wanted="classes: names or whole numbers",
        fix="make classes of them, such as y > 0.5; where they are names, give texts",
        topic="continuous",
    )


def _has_fraction(label: Hashable) -> bool:
    return isinstance(label, float) and not label.is_integer()


def book_of_fit(present: Sequence[Hashable]) -> LabelBook:
    """Return the classes of these labels, of which there must be two."""
    book = sorted_book(present)
    refuse_continuous(book.numbers)
    if len(book.numbers) < 2:
        known = ", ".join(map(repr, book.numbers))
        raise InputError(
            parameter="labels",
            got=Given(f"{plural(len(book), 'class', 'classes')} ({known})"),
            wanted="at least two",
            fix="a stream whose second class comes later starts with partial_fit",
            topic="one-class",
        )
    return book


def example_weights(
    rule: rules.Rule,
    sample_weight: SampleWeight,
    class_weight: Mapping[Any, float] | str | None,
    targets: Array | Sequence[Hashable],
    book: LabelBook,
    labels: Sequence[Hashable],
) -> np.ndarray[Any, Any] | None:
    """One weight an example (float64), or None where all are 1.

    Raises
    ------
    InputError
        Negative or not finite; not one an example; or other than 0 and 1 where the rule has no
        meaning for them.
    """
    if sample_weight is None and class_weight is None:
        return None
    n = len(targets)
    weights = np.ones(n)
    if sample_weight is not None:
        weights = read_weights(sample_weight, n)
    if class_weight is not None:
        codes = np.asarray(targets)
        weights = weights * _by_class(class_weight, codes, book, weights)[codes]
    absent = [i for i, label in enumerate(labels) if label not in book.numbers]
    if absent:
        # The array may be the user's own.
        weights = weights.copy()
        weights[absent] = 0.0
    # Weights of 0 and 1 say who is present, which every rule understands.
    if not ((weights == 0) | (weights == 1)).all():
        check_weighed(rule)
    return weights


def check_weighed(rule: rules.Rule, parameter: str = "sample_weight") -> None:
    """Refuse a rule for which an example's weight has no meaning."""
    check_weighted(Combination(rule), parameter)


def present_labels(
    labels: Sequence[Hashable],
    sample_weight: SampleWeight,
    class_weight: Mapping[Any, float] | str | None,
) -> list[Hashable]:
    """Labels of the examples that are there: one of weight 0 is absent, its class included."""
    present = list(labels)
    if sample_weight is not None:
        weights = read_weights(sample_weight, len(labels))
        present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
        if not present:
            raise InputError(
                parameter="sample_weight",
                got=Given("zero for every example"),
                wanted="a weight above 0",
            )
    if class_weight is not None and isinstance(class_weight, Mapping):
        present = [label for label in present if class_weight.get(label, 1) != 0]
    return present


def read_weights(sample_weight: SampleWeight, n: int) -> np.ndarray[Any, Any]:
    """Return one weight an example, finite and not negative (float64)."""
    try:
        refuse_masked(sample_weight, "sample_weight")
        weights = np.ascontiguousarray(sample_weight, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(str(error), parameter="sample_weight", wanted="numbers") from None
    except Exception as error:
        raise unreadable(error, "sample_weight") from error
    if weights.shape != (n,):
        raise InputError(
            parameter="sample_weight", got=Given(f"shape {weights.shape}"), wanted=f"({n},)"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(parameter="sample_weight", wanted="finite numbers >= 0")
    return weights


def _by_class(
    class_weight: Mapping[Any, float] | str,
    targets: Array,
    book: LabelBook,
    sample_weight: Array,
) -> np.ndarray[Any, Any]:
    if isinstance(class_weight, str):  # balanced
        present = targets[sample_weight > 0]
        # At least 1 below: a class without examples weighs nothing anyway.
        counts = np.bincount(present, minlength=len(book))
        return len(present) / (len(book) * np.maximum(counts, 1).astype(np.float64))
    weights = np.ones(len(book))
    for label, weight in class_weight.items():
        if label not in book.numbers:
            if weight == 0:  # a class that is absent
                continue
            known = ", ".join(map(repr, book.numbers))
            raise InputError(
                parameter="class_weight",
                got=Given(f"{label!r}, which is none of the classes {known}"),
            )
        weights[book.numbers[label]] = weight
    return weights
