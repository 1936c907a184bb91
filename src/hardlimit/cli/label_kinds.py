"""What commands say and count of rows with one label each, sets of labels, or columns of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.ask import COLUMNS, ONE, SETS
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.foundation.labels import sort_labels

if TYPE_CHECKING:
    from hardlimit.classifiers.model.labels import LabelBook
    from hardlimit.readers import Layout


class OneLabelRows:
    """Each row has one label, its class.

    key : of the classes in JSON.    each : what one of them is called.    neurons : what is said
    of the learning.    wrong : what an error is.    exact : what the share of right rows is called.
    targets : what an :class:`.Ask` calls it.
    advice : to whoever has a model that is hardly better than always predicting the same.
    columns : those of the labels, where there are several.
    """

    key, each = "classes", "class"
    neurons, wrong, exact = "", "predicted wrongly", "accuracy"
    targets = ONE
    advice = "this model is of little use"
    columns: tuple[str, ...] = ()

    def plural(self, n: int) -> str:
        """Return so many classes in words."""
        return plural(n, "class", "classes")

    def listed(self, labels: Sequence[Any]) -> Iterable[Any]:
        """Return the labels of all rows, as they are counted."""
        return labels

    def learnable(self, labels: Sequence[Any]) -> Any:
        """Return the labels of all rows as a classifier takes them."""
        return labels

    def by_column(self, labels: Sequence[Any]) -> dict[str | None, Sequence[Any]]:
        """Return the labels of all rows by their columns; None is the only one."""
        return {None: labels}

    def majority(
        self, counts: Mapping[Any, int], labels: Sequence[Any]
    ) -> tuple[tuple[Any, ...], int] | None:
        """Return the most frequent answer and its rows; None where nobody has kept it."""
        label = max(counts, key=lambda label: counts[label])
        return (label,), counts[label]

    def named(self, label: Any) -> Any:
        """Return the label of one row as it is shown."""
        return label

    def describe(self, counts: Mapping[Any, int]) -> str:
        """Return what was counted in words."""
        from hardlimit import describing  # late: it asks for more than other commands want

        return f"in {self.plural(len(counts))}: {describing.class_counts(counts.items())}"

    def to_json(self, counts: Mapping[Any, int]) -> Any:
        """Return what was counted as JSON."""
        return {format_label(label): n for label, n in counts.items()}

    def to_remember(self, counts: Mapping[Any, int]) -> Mapping[Any, int] | None:
        """Return what a model remembers of the rows of each label, if it does."""
        return counts

    def spellings(self, counts: Mapping[Any, int]) -> Iterable[Mapping[Any, int]]:
        """Yield labels that are compared for their spelling, with their rows."""
        yield counts

    def is_sparse(self, n_classes: int, n_rows: int) -> bool:
        """Whether most classes have a row or two, from which nothing general can be learnt."""
        return n_classes > 20 and 2 * n_classes > n_rows

    def is_known(self, label: Any, known: set[Any]) -> bool:
        """Whether a model knows the label of a row."""
        return label in known

    def unknown(self, counts: Mapping[Any, int], known: set[Any]) -> dict[Any, int]:
        """Return the labels that a report leaves out, since the model does not know them."""
        return {}

    def check(self, counts: Mapping[Any, int], where: str) -> None:
        """Each row has a label."""

    def has_threshold(self, n_classes: int) -> bool:
        """Whether one threshold decides."""
        return n_classes == 2

    def leave_known(self, labels: Sequence[Any], known: set[Any]) -> Sequence[Any]:
        """Return labels that can be compared: those that a model does not know count as wrong."""
        return labels

    def name_of_scoring(self, scoring: str) -> str:
        """Return the name of a figure, as evaluate says it."""
        return scoring


class LabelSetRows(OneLabelRows):
    """Each row has a set of labels."""

    key, each = "labels", "label"
    neurons, wrong = "; a neuron for each label", "with a label predicted wrongly"
    exact = "exact match"
    advice = "look at the figures of each label"
    targets = SETS

    def plural(self, n: int) -> str:
        """Return so many labels in words."""
        return plural(n, "label")

    def listed(self, labels: Sequence[Any]) -> Iterable[Any]:
        """Return each label of each row; a row may have none."""
        return (label for row in labels for label in row or ())

    def majority(
        self, counts: Mapping[Any, int], labels: Sequence[Any]
    ) -> tuple[tuple[Any, ...], int] | None:
        """Return the most frequent set of labels; None of rows that went by."""
        found = Counter(frozenset(self.named(row)) for row in labels).most_common(1)
        return (tuple(found[0][0]), found[0][1]) if found else None

    def is_sparse(self, n_classes: int, n_rows: int) -> bool:
        """Return False: a row adds to all of its labels."""
        return False

    def is_known(self, label: Any, known: set[Any]) -> bool:
        """Whether a model knows all labels of a row."""
        return known.issuperset(label or ())

    def unknown(self, counts: Mapping[Any, int], known: set[Any]) -> dict[Any, int]:
        """Return the labels that the model does not know."""
        return {label: n for label, n in counts.items() if label not in known}

    def check(self, counts: Mapping[Any, int], where: str) -> None:
        """Refuse rows of which none has a label."""
        if not counts:
            raise DataFormatError("no row has a label", where=where)

    def has_threshold(self, n_classes: int) -> bool:
        """Whether one threshold decides: that of all labels."""
        return True

    def by_column(self, labels: Sequence[Any]) -> dict[str | None, Sequence[Any]]:
        """Return of each label whether a row has it."""
        rows = [frozenset(row or ()) for row in labels]
        there = sort_labels(frozenset().union(*rows))
        return {str(label): [label in row for row in rows] for label in there}

    def leave_known(self, labels: Sequence[Any], known: set[Any]) -> Sequence[Any]:
        """Return the labels of each row that the model knows."""
        return [tuple(x for x in row if x in known) for row in labels]

    def name_of_scoring(self, scoring: str) -> str:
        """Return the name of a figure: accuracy is that of whole rows."""
        return self.exact if scoring == "accuracy" else scoring


class LabelColumnRows(LabelSetRows):
    """Each row has a value in every column of labels."""

    targets = COLUMNS

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)

    def listed(self, labels: Sequence[Any]) -> Iterable[Any]:
        """Return each value with the place of its column."""
        return (pair for row in labels for pair in enumerate(row))

    def learnable(self, labels: Sequence[Any]) -> Any:
        """Return a table, which a classifier takes the names of the labels from."""
        from hardlimit.classifiers.targets import LabelColumns  # start-up: texts have none

        return LabelColumns(self.columns).table(labels)

    def by_column(self, labels: Sequence[Any]) -> dict[str | None, Sequence[Any]]:
        """Return the values of each column."""
        return {name: [row[k] for row in labels] for k, name in enumerate(self.columns)}

    def named(self, label: Any) -> Any:
        """Return each column with its value."""
        pairs = zip(self.columns, label, strict=True)
        return tuple(f"{name}={format_label(value)}" for name, value in pairs)

    def describe(self, counts: Mapping[Any, int]) -> str:
        """Return the columns."""
        return f"with {self.plural(len(self.columns))}: {', '.join(self.columns)}"

    def to_json(self, counts: Mapping[Any, int]) -> Any:
        """Return the columns."""
        return list(self.columns)

    def to_remember(self, counts: Mapping[Any, int]) -> Mapping[Any, int] | None:
        """Return nothing: the model has the columns and their values."""
        return None

    def spellings(self, counts: Mapping[Any, int]) -> Iterable[Mapping[Any, int]]:
        """Yield the values of each column by themselves."""
        found: list[Counter[Any]] = [Counter() for _ in self.columns]
        for (column, value), n in counts.items():
            found[column][value] += n
        return found

    def is_known(self, label: Any, known: set[Any]) -> bool:
        """Return True: another value than those of its column is refused."""
        return True

    def unknown(self, counts: Mapping[Any, int], known: set[Any]) -> dict[Any, int]:
        """Return nothing: another value than those of its column is refused."""
        return {}

    def leave_known(self, labels: Sequence[Any], known: set[Any]) -> Sequence[Any]:
        """Return the values, which are known."""
        return labels


ONE_LABEL, LABEL_SETS = OneLabelRows(), LabelSetRows()


def kind_of_file(layout: Layout | None, columns: Sequence[str] = ()) -> OneLabelRows:
    """Return the kind of the rows of a file.

    layout : how it is read; None: of a file of numbers.    columns : of labels, where there are
    several.
    """
    if columns:
        return LabelColumnRows(columns)
    has_sets = layout is not None and layout.labels_separator is not None
    return LABEL_SETS if has_sets else ONE_LABEL


def kind_of_model(book: LabelBook) -> OneLabelRows:
    """Return the kind of the rows that a model answers, by the labels that it knows."""
    names = [str(name) for name in book.numbers]
    return book.pick(ONE_LABEL, LABEL_SETS, lambda _: LabelColumnRows(names))
