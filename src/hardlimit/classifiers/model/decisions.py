"""From the scores of an example to its answer, by how it is labelled; without numpy.

An example is of one class, or has a set of labels, or one of two values in each column of labels.
Books of labels, answers in files and the answers to the rows of files are each of one of these
kinds, and whatever else depends on the kind is picked from three values by :meth:`pick`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from hardlimit.classifiers.model.ask import COLUMNS, ONE, SETS
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.labels import best_rival, chosen_class

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array

MANY = " of many labels"  # behind the kind of a model file whose examples have several labels
_LISTED = 20  # classes that an error names
Pairs = Sequence[Sequence[Any]]  # the two values of each column of labels
_Picked = TypeVar("_Picked")


class Opposed(NamedTuple):
    """The answer to an example and its rival, which an explanation sets against each other.

    answers : all answers, of which ``chosen`` and ``rival`` are places.      outputs : those whose
    weights tell them apart.
    """

    answers: Sequence[Hashable]
    chosen: int
    rival: int
    outputs: slice = slice(None)

    @property
    def labels(self) -> tuple[Hashable, Hashable]:
        """The answer and its rival."""
        return self.answers[self.chosen], self.answers[self.rival]

    def toward(self, own: Any) -> Any:
        """Return what counts for the answer against its rival, of the weights of `outputs`."""
        # Two answers share one output: towards the second, and turned round for the first.
        if len(own) == 1:
            return own[0] if self.chosen == 1 else -own[0]
        return own[self.chosen] - own[self.rival]


class ClassDecision:
    """Each example is of one class, that of the largest score.

    targets : what an :class:`.Ask` calls it.
    """

    targets: ClassVar[str] = ONE
    slope_name: ClassVar[str] = "slope"  # of probabilities, in a model file

    def pick(self, one: _Picked, sets: _Picked, columns: Callable[[Pairs], _Picked]) -> _Picked:
        """Return the first of what one label, sets and columns of labels call for."""
        return one

    def count_outputs(self, n_classes: int) -> int:
        """Return the rows of weights: one for two classes."""
        return n_classes if n_classes > 2 else 1

    def scheme_of(self, n_classes: int, multiclass: str) -> str:
        """Return how presentations work for so many classes."""
        if n_classes == 2:
            return "single"
        return "coupled" if multiclass == "coupled" or n_classes < 2 else "independent"

    def answer_row(self, classes: Sequence[Any], scores: Sequence[float], threshold: float) -> Any:
        """Return the class that these scores choose; a tie goes to the first."""
        return classes[chosen_class(scores, len(classes), threshold)]

    def oppose(
        self,
        classes: Sequence[Hashable],
        scores: Sequence[float],
        threshold: float,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Opposed:
        """Return the class of these scores and its best rival, or the class ``against``.

        >>> ClassDecision().oppose("abc", [1.0, 3.0, 2.0], 0.0).labels
        ('b', 'c')
        >>> ClassDecision().oppose("abc", [1.0, 3.0, 2.0], 0.0, "a").labels
        ('b', 'a')
        """
        if label is not None:
            raise InputError(
                who="explain",
                parameter="label",
                got=label,
                wanted="None of a model of one label an example",
                fix=("to name the other class, say ", Setting("against", label)),
            )
        if len(classes) < 2:
            raise InputError(
                "the model knows one class only, and there is no rival to explain against"
            )
        chosen = chosen_class(scores, len(classes), threshold)
        if against is None:
            return Opposed(classes, chosen, best_rival(scores, chosen))
        rivals = [one for number, one in enumerate(classes) if number != chosen]
        if against not in rivals:
            predicted = f"; {classes[chosen]!r} is what is predicted" if against in classes else ""
            raise InputError(
                who="explain",
                parameter="against",
                got=against,
                wanted=f"another class that the model knows: {_list(rivals)}{predicted}",
            )
        return Opposed(classes, chosen, list(classes).index(against))

    def require_several(self, who: str, instead: str) -> None:
        """Refuse what is about several labels an example."""
        got = Given("a model of one label an example")
        raise InputError(who=who, got=got, fix=f"use {instead}")

    def require_one(self, who: str, reason: str) -> None:
        """Say nothing: an example has one label."""

    def centre(self, scores: Array, threshold: float) -> Array:
        """Return scores (n_rows, n_outputs) with the border between two classes at 0, (n_rows,)."""
        return scores[:, 0] - threshold if scores.shape[1] == 1 else scores

    def squeeze(self, scores: Array) -> Array:
        """Return scores (n_rows, n_outputs) as they are handed out: of two classes (n_rows,)."""
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def has_threshold(self, n_classes: int) -> bool:
        """Return whether a threshold decides: between two classes."""
        return n_classes == 2


class SetDecision(ClassDecision):
    """Each example has those labels whose scores are above the threshold."""

    targets: ClassVar[str] = SETS
    slope_name: ClassVar[str] = "label_slope"

    def pick(self, one: _Picked, sets: _Picked, columns: Callable[[Pairs], _Picked]) -> _Picked:
        """Return the second."""
        return sets

    def count_outputs(self, n_classes: int) -> int:
        """Return the rows of weights: one a label."""
        return n_classes

    def scheme_of(self, n_classes: int, multiclass: str) -> str:
        """Return that each neuron learns by itself, whatever is said of classes."""
        return "single" if n_classes == 1 else "independent"

    def answer_row(self, classes: Sequence[Any], scores: Sequence[float], threshold: float) -> Any:
        """Return the labels that these scores choose."""
        pairs = zip(classes, scores, strict=True)
        return tuple([label for label, score in pairs if score > threshold])

    def answers_of(self, number: int) -> Sequence[Any]:
        """Return the two answers of a neuron: that its label is there or not."""
        return False, True

    def oppose(
        self,
        classes: Sequence[Hashable],
        scores: Sequence[float],
        threshold: float,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Opposed:
        """Return the answer of the neuron of one label, which alone decides, and its other one.

        >>> SetDecision().oppose(["price", "sport"], [1.0, -1.0], 0.0, label="sport").labels
        (False, True)
        """
        if against is not None:
            raise InputError(
                "each label is learnt by itself and has no rival",
                who="explain",
                parameter="against",
                got=against,
                wanted="None of a model of several labels",
            )
        if label not in classes:
            raise InputError(
                "of several labels the answer of one is explained",
                who="explain",
                parameter="label",
                got=label,
                wanted=f"one of {_list(classes)}",
            )
        own = list(classes).index(label)
        chosen = int(scores[own] > threshold)
        return Opposed(self.answers_of(own), chosen, 1 - chosen, slice(own, own + 1))

    def require_several(self, who: str, instead: str) -> None:
        """Say nothing: there are several."""

    def require_one(self, who: str, reason: str) -> None:
        """Refuse what is about one label an example."""
        raise InputError(
            f"the neurons of a model of several labels an example {reason}",
            who=who,
            fix="fit one label at a time",
        )

    def centre(self, scores: Array, threshold: float) -> Array:
        """Return a score for each label, which its slope is about."""
        return scores

    def squeeze(self, scores: Array) -> Array:
        """Return a score for each label."""
        return scores

    def has_threshold(self, n_classes: int) -> bool:
        """Return True: the threshold is that of each label."""
        return True


class ColumnDecision(SetDecision):
    """Each example has one of two values in every column of labels.

    pairs : the two values of each column: for scores of at most the threshold, and above.
    """

    targets: ClassVar[str] = COLUMNS

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def pick(self, one: _Picked, sets: _Picked, columns: Callable[[Pairs], _Picked]) -> _Picked:
        """Return what the third makes of the values of the columns."""
        return columns(self.pairs)

    def answer_row(self, classes: Sequence[Any], scores: Sequence[float], threshold: float) -> Any:
        """Return the value of each column that its score chooses."""
        pairs = zip(self.pairs, scores, strict=True)
        return tuple([values[score > threshold] for values, score in pairs])

    def answers_of(self, number: int) -> Sequence[Any]:
        """Return the two values of a column."""
        return self.pairs[number]


def _list(labels: Sequence[Hashable]) -> str:
    return ", ".join(map(repr, labels[:_LISTED])) + (", ..." if len(labels) > _LISTED else "")
