"""How answers name one label a row, or several: made of scores, weighed, counted and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.classifiers.model.ask import ONE
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.foundation.labels import abstains, chosen_class, scores_of_classes

if TYPE_CHECKING:
    from hardlimit.classifiers.model.forms import NumbersForm

SEPARATOR = ","  # between the labels of a row, of a model that was trained in Python
UNSURE = "?"  # what stands where the model abstains


class RowAnswer(NamedTuple):
    """The label of one example, and its scores.

    ``score`` is that of the answer; with two classes that of the second class against the first. Of
    several labels ``label`` is a tuple, and ``score`` the largest of all labels.
    """

    label: Any
    score: float
    known_features: int | None
    classes: Sequence[Any]
    all_scores: Sequence[float]

    def scores(self) -> Iterator[tuple[Any, float]]:
        """Yield each class with its score; of two classes, the first has the second's negative."""
        one = len(self.classes) == 1  # a single label of several a row
        wide = self.all_scores if one else scores_of_classes(self.all_scores)
        yield from zip(self.classes, wide, strict=True)


class OneLabelAnswers:
    """Each row is answered by one of the classes.

    name : of the column of labels.    slope : the name of the slope in a model file.
    """

    name = "label"
    slope = "slope"

    def answer(
        self, classes: list[Any], threshold: float, scores: Sequence[float], known: int | None
    ) -> RowAnswer:
        """Return the class that the scores choose."""
        chosen = chosen_class(scores, len(classes), threshold)
        score = scores[0] if len(scores) == 1 else scores[chosen]
        return RowAnswer(classes[chosen], score, known, classes, scores)

    def targets(self, form: NumbersForm) -> str:
        """Return what the targets are, as the table of conflicts calls them."""
        return ONE

    def layout(self, remembered: Mapping[str, Any]) -> dict[str, Any]:
        """Return what must be said of the labels in files: nothing."""
        return {}

    def centre(self, scores: Any, threshold: float) -> Any:
        """Return scores (n_rows, n_outputs) with the border between two classes at 0."""
        return scores[:, 0] - threshold if scores.shape[1] == 1 else scores

    def explained(self, label: Any) -> dict[str, Any]:
        """Return what an explanation must be told: nothing, since it is that of the answer."""
        return {}

    def told(self, answer: RowAnswer) -> list[Any]:
        """Return the labels whose terms are told; None: that of the answer."""
        return [None]

    def sure(self, answer: RowAnswer, p: Sequence[float], least: float) -> Any:
        """Return the answer if it is sure enough."""
        return UNSURE if abstains(max(p), least, answer.known_features) else answer.label

    def extra_kinds(self, least: float | None) -> set[type]:
        """Return the kinds of values beside those of the classes."""
        return set() if least is None else {str}  # for those that are not sure

    def is_below(self, answer: RowAnswer, label: Any) -> bool:
        """Whether a class comes after another one whatever its score: one that was not chosen."""
        return bool(label != answer.label)

    def to_cell(self, label: Any, separator: str) -> Any:
        """Return a label for one cell of a table."""
        return label_to_json(label)

    def each(self, label: Any) -> Sequence[Any]:
        """Return the labels that are named: one."""
        return (label,)

    def column_type(self, arrow: Any, label: Any) -> Any:
        """Return the type of a column of labels."""
        return label

    def fields_of_terms(self, label: Any) -> list[tuple[str, Any]]:
        """Return what stands beside a term: nothing."""
        return []


class LabelSetAnswers(OneLabelAnswers):
    """Each row is answered by those labels whose scores are above the threshold."""

    name = "labels"
    slope = "label_slope"

    def answer(
        self, classes: list[Any], threshold: float, scores: Sequence[float], known: int | None
    ) -> RowAnswer:
        """Return all labels that the scores choose."""
        pairs = zip(classes, scores, strict=True)
        labels = tuple([label for label, score in pairs if score > threshold])
        return RowAnswer(labels, max(scores), known, classes, scores)

    def targets(self, form: NumbersForm) -> str:
        """Return what the targets are: of numbers each label has a column."""
        return form.label_sets

    def layout(self, remembered: Mapping[str, Any]) -> dict[str, Any]:
        """Return what stands between the labels of a row."""
        return {"labels_separator": remembered.get("labels_separator") or SEPARATOR}

    def centre(self, scores: Any, threshold: float) -> Any:
        """Return a score for each label, which its slope is about."""
        return scores

    def explained(self, label: Any) -> dict[str, Any]:
        """Return the label whose answer is explained."""
        return {"label": label}

    def told(self, answer: RowAnswer) -> list[Any]:
        """Return the labels that are predicted."""
        return list(answer.label)

    def sure(self, answer: RowAnswer, p: Sequence[float], least: float) -> Any:
        """Return the labels that are probable enough."""
        pairs = zip(answer.classes, p, strict=True)
        return tuple([label for label, one in pairs if one >= least])

    def extra_kinds(self, least: float | None) -> set[type]:
        """Return nothing: a label that is not sure is not named."""
        return set()

    def is_below(self, answer: RowAnswer, label: Any) -> bool:
        """Return False: labels stand by their scores alone."""
        return False

    def to_cell(self, label: Any, separator: str) -> Any:
        """Return all labels as one text."""
        return separator.join(map(format_label, label))

    def each(self, label: Any) -> Sequence[Any]:
        """Return the labels that are named, perhaps none."""
        labels: Sequence[Any] = label
        return labels

    def column_type(self, arrow: Any, label: Any) -> Any:
        """Return the type of a column of lists of labels."""
        return arrow.list_(label)

    def fields_of_terms(self, label: Any) -> list[tuple[str, Any]]:
        """Return the label that a term tells for."""
        return [("label", label)]


ONE_LABEL, LABEL_SETS = OneLabelAnswers(), LabelSetAnswers()


def answers_of(many: bool) -> OneLabelAnswers:
    """Return how a model answers, by whether its rows have several labels."""
    return LABEL_SETS if many else ONE_LABEL
