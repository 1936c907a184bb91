"""How good answers are: counted batch by batch, and batches of later rows added.

Counts suffice for accuracy, F1 and confusions. Curves over thresholds take the score of each row,
and figures of probabilities four numbers a row, whatever the number of classes: sums of parts would
differ from the sum of all in the last bits.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit import describing, evaluation
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import format_label
from hardlimit.foundation.labels import abstains
from hardlimit.predictions import answerers
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import RowAnswer

if TYPE_CHECKING:
    from hardlimit.evaluation import Figures, ThresholdPoint
    from hardlimit.evaluation.calibration import ProbabilityFigures


class Confident(NamedTuple):
    """The answers whose probability is at least ``least``: how many of ``of``, how many correct."""

    least: float
    n: int
    right: int
    of: int


@dataclass
class Report:
    """Figures of a model on labelled rows.

    Attributes
    ----------
    figures : Figures
        Accuracy, F1 and confusions.
    unknown : int
        Texts none of whose terms the model knows.
    positive, points, threshold
        Of two classes: the positive one, precision and recall over thresholds, and the model's
        own threshold; no points where one of the two classes is missing. They are thresholds of
        scores that grow towards the positive class; ``is_second``: as those of the model do.
    probabilities : ProbabilityFigures or None
        Of a model that has probabilities.
    confident : Confident or None
        Of the answers that are sure enough, where that was asked.
    """

    figures: Figures
    unknown: int
    positive: Any = None
    points: Sequence[ThresholdPoint] = ()
    threshold: float = 0.0
    is_second: bool = True
    things: str = "text"
    probabilities: ProbabilityFigures | None = None
    confident: Confident | None = None

    @property
    def accuracy(self) -> float:
        """Share of correct answers."""
        return self.figures.accuracy


@dataclass
class MeasuredTally:
    """What was counted so far; it can be pickled.

    pairs : rows by their label, as the model knows it, and the answer.    labels : rows by the
    label as it stands in the file.    scores, second : of two classes the score of each row whose
    class is known, and whether that is the second.    errors : of probabilities, a column a figure,
    of :class:`~hardlimit.evaluation.calibration.CalibrationErrors`.    sure, right : rows that are
    sure enough, and those of them that are right.
    """

    pairs: Counter[tuple[Any, Any]] = field(default_factory=Counter)
    labels: Counter[Any] = field(default_factory=Counter)
    unknown: int = 0
    scores: array[float] = field(default_factory=lambda: array("d"))
    second: bytearray = field(default_factory=bytearray)
    errors: tuple[array[float], ...] = field(
        default_factory=lambda: tuple(array("d") for _ in range(3))
    )
    right_of_top: bytearray = field(default_factory=bytearray)
    sure: int = 0
    right: int = 0

    def extend(self, later: MeasuredTally) -> None:
        """Add what was counted of later rows."""
        self.pairs.update(later.pairs)
        self.labels.update(later.labels)
        self.unknown += later.unknown
        self.scores.extend(later.scores)
        self.second += later.second
        for own, other in zip(self.errors, later.errors, strict=True):
            own.extend(other)
        self.right_of_top += later.right_of_top
        self.sure += later.sure
        self.right += later.right


class Counting:
    """Counts the answers of a model, batch by batch.

    least : a probability; what is at least as sure is counted too.
    """

    def __init__(self, answerer: Answerer, least: float | None = None) -> None:
        self._answerer, self._least = answerer, least
        self._classes = list(answerer.classes)
        self._numbers = {label: number for number, label in enumerate(self._classes)}
        self._is_likely = answerer.slope is not None
        self.tally = MeasuredTally()

    def take(self, answers: Sequence[RowAnswer], given: Sequence[Any]) -> None:
        """Count answers, which have all their scores, of rows with these labels."""
        labels, tally = evaluation.match_labels(given, self._classes), self.tally
        tally.labels.update(given)
        said = [answer.label for answer in answers]
        tally.pairs.update(zip(labels, said, strict=True))
        tally.unknown += sum(answer.known_features == 0 for answer in answers)
        if len(self._classes) == 2:
            # Labels that the model does not know have no side, and count in neither.
            sides = [self._numbers.get(label) for label in labels]
            pairs = [
                (answer.score, side)
                for answer, side in zip(answers, sides, strict=True)
                if side is not None
            ]
            tally.scores.extend(score for score, _ in pairs)
            tally.second += bytes(side for _, side in pairs)
        if self._is_likely:
            self._take_probabilities(answers, labels)

    def _take_probabilities(self, answers: Sequence[RowAnswer], labels: Sequence[Any]) -> None:
        import numpy as np  # late: labels alone do without

        from hardlimit.evaluation.calibration import find_errors

        tally, rows, targets = self.tally, [], []
        found = answerers.probabilities(self._answerer, answers)
        for answer, label, p in zip(answers, labels, found, strict=True):
            sure = not abstains(max(p), self._least, answer.known_features)
            if self._least is not None and sure:
                tally.sure += 1
                tally.right += bool(answer.label == label)
            # Labels that the model does not know have no probability.
            if label in self._numbers:
                rows.append(p)
                targets.append(self._numbers[label])
        if rows:
            *errors, right = find_errors(np.array(rows), np.array(targets))
            for own, new in zip(tally.errors, errors, strict=True):
                own.frombytes(new.tobytes())
            tally.right_of_top += right.tobytes()


def report_of(
    answerer: Answerer,
    tally: MeasuredTally,
    positive: Hashable | None = None,
    least: float | None = None,
) -> Report:
    """Return the figures of what was counted.

    Raises
    ------
    InputError
        No rows; a positive class that there is not, or of more than two.
    """
    classes = answerer.classes
    # The baseline predicts what was frequent in training: that of the test rows is not known.
    trained = answerer.metadata.get(describing.COUNTS) or [[None, 0]]
    majority = max(trained, key=lambda pair: pair[1])[0]
    figures = evaluation.figures_of_counts(tally.pairs, classes=classes, majority=majority)
    report = Report(figures, tally.unknown)
    if answerer.slope is not None:
        report.probabilities = _figures_of_probabilities(tally)
        if least is not None:
            report.confident = Confident(least, tally.sure, tally.right, figures.n)
    report.positive = find_positive(
        classes, positive if positive is not None else answerer.metadata.get(describing.POSITIVE)
    )
    if len(classes) == 2:
        # A model's score grows towards its second class.
        is_second = report.is_second = bool(report.positive == classes[1])
        truth = [bool(side) is is_second for side in tally.second]
        # Precision and recall over thresholds need rows of both classes.
        if any(truth) and not all(truth):
            sign = 1 if is_second else -1
            scores = [sign * score for score in tally.scores]
            report.threshold = evaluation.orient_threshold(is_second, answerer.threshold)
            report.points = evaluation.threshold_table(scores, truth, chosen=report.threshold)
    return report


def _figures_of_probabilities(tally: MeasuredTally) -> ProbabilityFigures | None:
    if not tally.right_of_top:
        return None  # no row has a known class
    import numpy as np

    from hardlimit.evaluation.calibration import CalibrationErrors, figures_of_errors

    true, squared, top = (np.array(column) for column in tally.errors)
    right = np.frombuffer(tally.right_of_top, bool)
    return figures_of_errors(CalibrationErrors(true, squared, top, right))


def find_positive(classes: Sequence[Any], asked: object) -> Any:
    """Return the positive class of two: the one asked for, else the second; None of more."""
    if len(classes) != 2:
        return None
    if asked is None:
        return classes[1]
    for label in classes:
        if label == asked or format_label(label) == asked:
            return label
    there = " and ".join(repr(format_label(label)) for label in classes)
    raise InputError(f"no class {asked!r}; the model has {there}", parameter="positive")
