"""What commands say and count of rows with one label each, or with sets of labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.ask import ONE, SETS
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.readers import Layout


class OneLabelRows:
    """Each row has one label, its class.

    key : of the classes in JSON.    each : what one of them is called.    neurons : what is said
    of the learning.    wrong : what an error is.    exact : what the share of right rows is called.
    targets : what an :class:`.Ask` calls it.
    has_majority : whether always predicting the most frequent label is an answer.
    """

    key, each = "classes", "class"
    neurons, wrong, exact = "", "predicted wrongly", "accuracy"
    targets = ONE
    has_majority = True

    def plural(self, n: int) -> str:
        """Return so many classes in words."""
        return plural(n, "class", "classes")

    def listed(self, labels: Sequence[Any]) -> Iterable[Any]:
        """Return the labels of all rows."""
        return labels

    def is_sparse(self, n_classes: int, n_rows: int) -> bool:
        """Whether most classes have a row or two, from which nothing general can be learnt."""
        return n_classes > 20 and 2 * n_classes > n_rows

    def halve(
        self, keys: Sequence[str | bytes], labels: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Return the rows to learn from and those held out, each class with its part."""
        from hardlimit import evaluation  # start-up: few hold rows out

        return evaluation.stratified_holdout(keys, labels, part)

    def is_known(self, label: Any, known: set[Any]) -> bool:
        """Whether a model knows the label of a row."""
        return label in known

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
    has_majority = False
    targets = SETS

    def plural(self, n: int) -> str:
        """Return so many labels in words."""
        return plural(n, "label")

    def listed(self, labels: Sequence[Any]) -> Iterable[Any]:
        """Return each label of each row; a row may have none."""
        return (label for row in labels for label in row or ())

    def is_sparse(self, n_classes: int, n_rows: int) -> bool:
        """Return False: a row adds to all of its labels."""
        return False

    def halve(
        self, keys: Sequence[str | bytes], labels: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Return the rows to learn from and those held out, each label with its part."""
        from hardlimit import evaluation

        return evaluation.label_holdout(keys, labels, part)

    def is_known(self, label: Any, known: set[Any]) -> bool:
        """Whether a model knows all labels of a row."""
        return known.issuperset(label or ())

    def check(self, counts: Mapping[Any, int], where: str) -> None:
        """Refuse rows of which none has a label."""
        if not counts:
            raise DataFormatError("no row has a label", where=where)

    def has_threshold(self, n_classes: int) -> bool:
        """Whether one threshold decides: that of all labels."""
        return True

    def leave_known(self, labels: Sequence[Any], known: set[Any]) -> Sequence[Any]:
        """Return the labels of each row that the model knows."""
        return [tuple(x for x in row if x in known) for row in labels]

    def name_of_scoring(self, scoring: str) -> str:
        """Return the name of a figure: accuracy is that of whole rows."""
        return self.exact if scoring == "accuracy" else scoring


ONE_LABEL, LABEL_SETS = OneLabelRows(), LabelSetRows()


def kind_of_file(layout: Layout | None) -> OneLabelRows:
    """Return the kind of the rows of a file that is read so; None: of a file of numbers."""
    has_sets = layout is not None and layout.labels_separator is not None
    return LABEL_SETS if has_sets else ONE_LABEL


def kind_of_model(many: bool) -> OneLabelRows:
    """Return the kind of the rows that a model answers."""
    return LABEL_SETS if many else ONE_LABEL
