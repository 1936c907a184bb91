"""How answers name one label a row, a set of labels, or a value in each column of labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.classifiers.model.decisions import ClassDecision, ColumnDecision, SetDecision
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.foundation.labels import abstains, scores_of_classes

if TYPE_CHECKING:
    from types import ModuleType


SEPARATOR = ","  # between the labels of a row, of a model that was trained in Python
UNSURE = "?"  # what stands where the model abstains


class RowAnswer(NamedTuple):
    """The label of one example, and its scores.

    ``score`` is that of the answer; with two classes that of the second class against the first. Of
    a set of labels ``label`` is a tuple, of columns of labels a tuple of their values; ``score`` is
    then the largest of all labels.
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


class OneLabelAnswers(ClassDecision):
    """Each row is answered by one of the classes."""

    def answer(
        self, classes: list[Any], threshold: float, scores: Sequence[float], known: int | None
    ) -> RowAnswer:
        """Return what the scores choose."""
        chosen = self.answer_row(classes, scores, threshold)
        return RowAnswer(chosen, max(scores), known, classes, scores)

    def layout(self, remembered: Mapping[str, Any]) -> dict[str, Any]:
        """Return what must be said of the labels in files: nothing."""
        return {}

    def explained(self, label: Hashable) -> dict[str, Any]:
        """Return what an explanation must be told: nothing, since it is that of the answer."""
        return {}

    def told(self, answer: RowAnswer) -> list[Any]:
        """Return the labels whose terms are told; None: that of the answer."""
        return [None]

    def explained_alone(self, answer: RowAnswer) -> list[Any]:
        """Return the labels that are explained where nothing else is asked; one at least."""
        return self.told(answer)

    def title(self, answer: RowAnswer, label: Any) -> str:
        """Return what the explanation of a label answers."""
        return f"Why {format_label(answer.label)}"

    def sure(self, answer: RowAnswer, p: Sequence[float], least: float) -> Any:
        """Return the answer if it is sure enough."""
        return UNSURE if abstains(max(p), least, answer.known_features) else answer.label

    def probabilities(self, answer: RowAnswer, p: Sequence[float]) -> list[float]:
        """Return how probable the answer is, of columns of labels each of its values."""
        return [max(p)]

    def possible(self, classes: Sequence[Any], least: float | None) -> list[Any]:
        """Return what :meth:`each` may name."""
        return [*classes] if least is None else [*classes, UNSURE]

    def is_below(self, answer: RowAnswer, label: Hashable) -> bool:
        """Whether a class comes after another one whatever its score: one that was not chosen."""
        return bool(label != answer.label)

    def each(self, answer: RowAnswer, label: Any) -> Sequence[Any]:
        """Return the labels that are named: one."""
        return (label,)

    def columns(self, classes: Sequence[Any]) -> tuple[str, ...]:
        """Return the columns of labels in a file, where there are several."""
        return ()

    # In a line of text, in JSON, and in the columns of a table.

    def words(self, answer: RowAnswer, label: Any, separator: str) -> list[str]:
        """Return the label and its score for a line of text."""
        return [format_label(label), f"{answer.score:.4f}"]

    def name_score(self, label: Any, name: str) -> str:
        """Return what stands before the score of a class in a line of text."""
        return format_label(label)

    def to_json(self, answer: RowAnswer, label: Any, p: Sequence[float]) -> dict[str, Any]:
        """Return the answer as JSON has it.

        p : of :meth:`probabilities`, empty where none are asked for.
        """
        found = {"label": label, "score": answer.score}
        return {**found, "probability": p[0]} if p else found

    def names(self, classes: Sequence[Any]) -> list[str]:
        """Return the names of the columns of labels."""
        return ["label"]

    def names_of_scores(self) -> list[str]:
        """Return the name of the column of the score of the answer."""
        return ["score"]

    def names_of_probabilities(self, classes: Sequence[Any]) -> list[str]:
        """Return the names of the columns of :meth:`probabilities`."""
        return ["probability"]

    def cells(self, label: Any, separator: str | None) -> list[Any]:
        """Return a value for each column of labels.

        separator : of several labels as one text; None: as JSON has them.
        """
        return [label_to_json(label)]

    def values(self, classes: Sequence[Any], least: float | None) -> list[list[Any]]:
        """Return what may stand in each column of labels."""
        return [self.possible(classes, least)]

    def column_type(self, arrow: ModuleType, label: Any) -> Any:
        """Return the type of a column of labels."""
        return label

    def fields_of_terms(self, label: Hashable) -> list[tuple[str, Any]]:
        """Return what stands beside a term: nothing."""
        return []


class LabelSetAnswers(SetDecision, OneLabelAnswers):
    """Each row is answered by those labels whose scores are above the threshold."""

    def layout(self, remembered: Mapping[str, Any]) -> dict[str, Any]:
        """Return what stands between the labels of a row."""
        return {"labels_separator": remembered.get("labels_separator") or SEPARATOR}

    def explained(self, label: Hashable) -> dict[str, Any]:
        """Return the label whose answer is explained."""
        return {"label": label}

    def told(self, answer: RowAnswer) -> list[Any]:
        """Return the labels that are predicted."""
        return list(answer.label)

    def explained_alone(self, answer: RowAnswer) -> list[Any]:
        """Return the labels that are predicted; of none the best, which is missing."""
        best = max(zip(answer.all_scores, answer.classes, strict=True), key=lambda pair: pair[0])
        return self.told(answer) or [best[1]]

    def title(self, answer: RowAnswer, label: Any) -> str:
        """Return whether it is why a label is there, or why not."""
        return ("Why " if label in answer.label else "Why not ") + format_label(label)

    def sure(self, answer: RowAnswer, p: Sequence[float], least: float) -> Any:
        """Return the labels that are probable enough."""
        pairs = zip(answer.classes, p, strict=True)
        return tuple([label for label, one in pairs if one >= least])

    def possible(self, classes: Sequence[Any], least: float | None) -> list[Any]:
        """Return the labels: one that is not sure is not named."""
        return [*classes]

    def is_below(self, answer: RowAnswer, label: Hashable) -> bool:
        """Return False: labels stand by their scores alone."""
        return False

    def each(self, answer: RowAnswer, label: Any) -> Sequence[Any]:
        """Return the labels that are named, perhaps none."""
        labels: Sequence[Any] = label
        return labels

    def words(self, answer: RowAnswer, label: Any, separator: str) -> list[str]:
        """Return the labels, and the largest score, for a line of text."""
        return [separator.join(map(format_label, label)), f"{answer.score:.4f}"]

    def to_json(self, answer: RowAnswer, label: Any, p: Sequence[float]) -> dict[str, Any]:
        """Return the labels as a list."""
        found = super().to_json(answer, label, p)
        return {"labels": found.pop("label"), **found}

    def names(self, classes: Sequence[Any]) -> list[str]:
        """Return the name of the one column of labels."""
        return ["labels"]

    def cells(self, label: Any, separator: str | None) -> list[Any]:
        """Return all labels as one text, or as a list."""
        if separator is None:
            return [[label_to_json(one) for one in label]]
        return [separator.join(map(format_label, label))]

    def column_type(self, arrow: ModuleType, label: Any) -> Any:
        """Return the type of a column of lists of labels."""
        return arrow.list_(label)

    def fields_of_terms(self, label: Hashable) -> list[tuple[str, Any]]:
        """Return the label that a term tells for."""
        return [("label", label)]


class LabelColumnAnswers(ColumnDecision, LabelSetAnswers):
    """Each row is answered by one of two values in every column of labels."""

    def told(self, answer: RowAnswer) -> list[Any]:
        """Return the columns, each of which has an answer."""
        return list(answer.classes)

    def title(self, answer: RowAnswer, label: Any) -> str:
        """Return the column and its value."""
        return f"Why {_name_value(label, answer.label[answer.classes.index(label)])}"

    def sure(self, answer: RowAnswer, p: Sequence[float], least: float) -> Any:
        """Return the values, and `UNSURE` for those that are less probable."""
        pairs = zip(answer.label, self.probabilities(answer, p), strict=True)
        return tuple([value if own >= least else UNSURE for value, own in pairs])

    def probabilities(self, answer: RowAnswer, p: Sequence[float]) -> list[float]:
        """Return how probable the value of each column is."""
        chosen = zip(p, answer.label, self.pairs, strict=True)
        return [own if value == pair[1] else 1 - own for own, value, pair in chosen]

    def possible(self, classes: Sequence[Any], least: float | None) -> list[Any]:
        """Return each column with each of its values."""
        columns = zip(classes, self.values(classes, least), strict=True)
        return [_name_value(name, value) for name, values in columns for value in values]

    def each(self, answer: RowAnswer, label: Any) -> Sequence[Any]:
        """Return each column with its value."""
        return list(map(_name_value, answer.classes, label))

    def words(self, answer: RowAnswer, label: Any, separator: str) -> list[str]:
        """Return each column with its value for a line of text."""
        return list(map(_name_value, answer.classes, label))

    def name_score(self, label: Any, name: str) -> str:
        """Return the column and what is said of it: its value stands in the line too."""
        return f"{name}_{format_label(label)}"

    def to_json(self, answer: RowAnswer, label: Any, p: Sequence[float]) -> dict[str, Any]:
        """Return the values by their columns."""
        names = list(map(format_label, answer.classes))
        labels = dict(zip(names, map(label_to_json, label), strict=True))
        found: dict[str, Any] = {"labels": labels}
        return {**found, "probabilities": dict(zip(names, p, strict=True))} if p else found

    def columns(self, classes: Sequence[Any]) -> tuple[str, ...]:
        """Return the columns of labels in a file."""
        return tuple(map(str, classes))

    def names(self, classes: Sequence[Any]) -> list[str]:
        """Return the columns."""
        return list(map(format_label, classes))

    def names_of_scores(self) -> list[str]:
        """Return nothing: no score is that of all columns."""
        return []

    def names_of_probabilities(self, classes: Sequence[Any]) -> list[str]:
        """Return a name for each column."""
        return [f"probability_{format_label(label)}" for label in classes]

    def cells(self, label: Any, separator: str | None) -> list[Any]:
        """Return the value of each column."""
        return list(map(label_to_json, label))

    def values(self, classes: Sequence[Any], least: float | None) -> list[list[Any]]:
        """Return the values of each column."""
        return [[*pair] if least is None else [*pair, UNSURE] for pair in self.pairs]

    def column_type(self, arrow: ModuleType, label: Any) -> Any:
        """Return the type of a column of values."""
        return label


def _name_value(name: Any, value: Any) -> str:
    return f"{format_label(name)}={format_label(value)}"


ONE_LABEL, LABEL_SETS = OneLabelAnswers(), LabelSetAnswers()


def answers_of(decision: ClassDecision) -> OneLabelAnswers:
    """Return how a model answers the rows of files."""
    return decision.pick(ONE_LABEL, LABEL_SETS, LabelColumnAnswers)
