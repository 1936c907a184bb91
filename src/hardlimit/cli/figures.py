"""Measuring a model on labelled texts, and showing what came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import models, scoring, terminal

if TYPE_CHECKING:
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.reading import Labelled
    from hardlimit.cli.scoring import Judge
    from hardlimit.evaluation import Figures, ThresholdChoice, ThresholdPoint

CLASSES_SHOWN = 40
PAIRS_SHOWN = 5


@dataclass
class Report:
    """Figures of a model on some texts; with two classes the precision-recall table too."""

    figures: Figures
    unknown: int
    positive: Any = None
    points: Sequence[ThresholdPoint] = ()
    threshold: float = 0.0
    things: str = "text"

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return self.figures.accuracy


@dataclass
class Threshold:
    """A decision threshold that was chosen on held-out texts."""

    choice: ThresholdChoice
    positive: Any


def split(data: Labelled, part: float) -> tuple[Labelled, Labelled]:
    """Hold out a part, stratified and with equal examples on one side."""
    from hardlimit.evaluation import stratified_holdout

    kept, held_out = stratified_holdout(data.keys(), data.labels, part)
    return data.take(kept), data.take(held_out)


def measure(judge: Judge, data: Labelled, positive: str | None) -> Report:
    """Predict the examples and compare with their labels."""
    from hardlimit import evaluation

    classes = judge.classes
    labels = evaluation.match_labels(data.labels, classes)
    found = judge.answers(data.examples)
    trained = judge.metadata.get(models.COUNTS) or [[None, 0]]
    figures = evaluation.figures(
        labels,
        [answer.label for answer in found],
        classes=classes,
        majority=max(trained, key=lambda pair: pair[1])[0],
    )
    report = Report(figures, sum(answer.known_features == 0 for answer in found))
    report.things = "row" if hasattr(data.examples, "shape") else "text"
    if len(classes) == 2:
        report.positive = _positive(classes, positive or judge.metadata.get(models.POSITIVE))
        scores, truth = _sides(classes, found, labels, report.positive)
        if any(truth) and not all(truth):
            report.threshold = evaluation.orient_threshold(
                report.positive == classes[1], judge.threshold
            )
            report.points = evaluation.threshold_table(scores, truth, chosen=report.threshold)
    elif positive is not None:
        raise click.UsageError(f"--positive: only with two classes; the model has {len(classes)}")
    return report


def _positive(classes: Sequence[Any], asked: str | None) -> Any:
    """Return the positive class: the one asked for, else the second."""
    if asked is None:
        return classes[1]
    for label in classes:
        if models.format_label(label) == asked:
            return label
    there = " and ".join(repr(models.format_label(label)) for label in classes)
    raise click.UsageError(f"--positive: no class {asked!r}; the model has {there}")


def _sides(
    classes: Sequence[Any], found: Sequence[scoring.Answer], labels: Sequence[Any], positive: Any
) -> tuple[list[float], list[bool]]:
    """Return scores that grow towards the positive class, and which texts belong to it."""
    sign = 1 if positive == classes[1] else -1
    pairs = [(a.score, x == positive) for a, x in zip(found, labels, strict=True) if x in classes]
    return [sign * score for score, _ in pairs], [truth for _, truth in pairs]


def choose_threshold(
    classifier: TextClassifier, data: Labelled, rate: float, positive: str | None
) -> Threshold:
    """Set the classifier's threshold so that at most ``rate`` of the negatives pass it."""
    from hardlimit import evaluation

    judge = scoring.Fitted(classifier)
    classes = judge.classes
    if len(classes) != 2:
        raise click.UsageError(
            f"--max-false-positive: only with two classes; there are {len(classes)}"
        )
    label = _positive(classes, positive)
    found = judge.answers(data.examples)
    scores, truth = _sides(classes, found, data.labels, label)
    choice = evaluation.threshold_for_false_positives(scores, truth, rate)
    classifier.threshold_ = evaluation.orient_threshold(label == classes[1], choice.threshold)
    if choice.warning:
        terminal.remark(choice.warning)
    return Threshold(choice, label)


def show(report: Report, title: str | None = None, *, over_thresholds: bool = True) -> None:
    """Print the figures: overall, per class, and for two classes over thresholds."""
    found = report.figures
    if title:
        terminal.heading(title)
    low, high = found.interval
    terminal.facts(
        [
            ("rows", f"{found.n:,}, of which {found.right:,} were answered rightly"),
            ("accuracy", f"{found.accuracy:.4f}   95 % sure to lie in {low:.4f} to {high:.4f}"),
            (
                "baseline",
                f"{found.baseline:.4f}   always saying '{models.format_label(found.majority)}'",
            ),
            ("macro-F1", f"{found.macro_f1:.4f}   mean F1 of the classes, each counted alike"),
        ]
    )
    terminal.say()
    _show_classes(found)
    if len(found.classes) > 2:
        _show_mixed_up(found)
    if report.points and over_thresholds:
        _show_points(report)
    if found.unseen:
        named = ", ".join(f"{models.format_label(x)} ({n:,})" for x, n in found.unseen.items())
        terminal.remark(f"labels that the model does not know, counted as mistakes: {named}")
    if report.unknown:
        texts = terminal.plural(report.unknown, "text has", "texts have")
        terminal.remark(f"{texts} no term that the model knows: answered by default")


def _show_classes(found: Figures) -> None:
    """Print a line a class, the most frequent first; of too many those in most trouble."""
    ordered = sorted(found.classes, key=lambda one: -one.support)
    if len(ordered) > CLASSES_SHOWN:
        ordered.sort(key=lambda one: (not one.support, one.f1))
    rows = [
        (
            models.format_label(one.label),
            f"{one.support:,}",
            f"{one.precision:.4f}" if one.predicted else "-",
            f"{one.recall:.4f}" if one.support else "-",
            f"{one.f1:.4f}" if one.support else "-",
        )
        for one in ordered[:CLASSES_SHOWN]
    ]
    for line in terminal.table(("class", ">rows", ">precision", ">recall", ">F1"), rows):
        terminal.say(line)
    if len(ordered) > CLASSES_SHOWN:
        left = len(ordered) - CLASSES_SHOWN
        terminal.say(f"  ... and {left} more classes, with a better F1 (--json has all)")


def _show_mixed_up(found: Figures) -> None:
    """Name the pairs of classes that are mixed up most."""
    wrong = [(n, true, said) for (true, said), n in found.confusion.items() if true != said]
    if not wrong:
        return
    wrong.sort(key=lambda one: -one[0])
    terminal.heading("Most often mixed up")
    rows = [
        (models.format_label(true), models.format_label(said), f"{n:,}")
        for n, true, said in wrong[:PAIRS_SHOWN]
    ]
    for line in terminal.table(("class", "taken for", ">rows"), rows):
        terminal.say(line)


def _show_points(report: Report) -> None:
    positive = models.format_label(report.positive)
    terminal.heading(f"Calling a {report.things} '{positive}' above another threshold would give")
    places = _places([point.threshold for point in report.points])
    rows = [
        (
            f"{point.threshold:.{places}f}",
            f"{point.precision:.4f}",
            f"{point.recall:.4f}",
            f"{point.false_positives:,}",
            f"{point.false_positive_rate:.2%}",
            "<- the model's" if point.threshold == report.threshold else "",
        )
        for point in report.points
        if point.recall or point.threshold == report.threshold
    ]
    header = (">threshold", ">precision", ">recall", ">false positives", ">rate", "")
    for line in terminal.table(header, rows):
        terminal.say(line)


def _places(numbers: Sequence[float]) -> int:
    """Return how many places tell different numbers apart, four at least.

    >>> _places([0.5, -0.99994, -0.99993, 0.5])
    5
    """
    different = len(set(numbers))
    enough = (p for p in range(4, 17) if len({f"{x:.{p}f}" for x in numbers}) == different)
    return next(enough, 17)


def show_threshold(threshold: Threshold) -> None:
    """Print how the decision threshold was chosen."""
    choice, positive = threshold.choice, models.format_label(threshold.positive)
    point = choice.point
    terminal.heading("Decision threshold, chosen on the held-out rows and kept in the model")
    terminal.facts(
        [
            ("asked for", f"at most {choice.max_rate:.3%} of the others called '{positive}'"),
            (
                "found",
                f"{point.false_positives:,} of {choice.negatives:,} others "
                f"({point.false_positive_rate:.2%}); '{positive}' above {choice.threshold:.4g}",
            ),
            ("finds", f"{point.recall:.2%} of the {choice.positives:,} '{positive}'"),
            (
                "beware",
                "the figures above are of the same rows, with this threshold: somewhat too good; "
                "measure on other rows with 'hardlimit evaluate'",
            ),
        ]
    )


def plain(report: Report) -> dict[str, Any]:
    """Return a report as plain JSON."""
    return {
        **report.figures.to_json(),
        "without_known_features": report.unknown,
        "positive": report.positive,
        "thresholds": [
            {**_plain_point(point), "chosen": point.threshold == report.threshold}
            for point in report.points
        ],
    }


def plain_threshold(threshold: Threshold) -> dict[str, Any]:
    """Return a chosen threshold as plain JSON."""
    choice = threshold.choice
    return {
        "positive": threshold.positive,
        "max_false_positive": choice.max_rate,
        "negatives": choice.negatives,
        "positives": choice.positives,
        "warning": choice.warning,
        **_plain_point(choice.point),
    }


def _plain_point(point: ThresholdPoint) -> dict[str, Any]:
    return {name: getattr(point, name) for name in type(point).__slots__}
