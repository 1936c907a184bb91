"""Figures of a model on labelled rows: measured, printed, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from hardlimit.cli import invocation, terminal
from hardlimit.cli.json_output import Json
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions import answerers
from hardlimit.predictions.examinations import examination_of
from hardlimit.predictions.measuring import Confident, Report, find_positive

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.evaluation import ClassFigures, Figures, ThresholdPoint
    from hardlimit.evaluation.calibration import ProbabilityFigures
    from hardlimit.predictions.answerers import Answerer

PAIRS_SHOWN = 5
R = TypeVar("R")


def split(data: Labelled, part: float) -> tuple[Labelled, Labelled]:
    """Hold out a part, stratified and with equal examples on one side."""
    from hardlimit.classifiers.targets import of_file  # start-up: few hold rows out
    from hardlimit.evaluation.holdout import row_digest

    separator = None if data.layout is None else data.layout.labels_separator
    # Equal texts on both sides would measure memory, not learning.
    digests = [row_digest(key) for key in data.examples.hold_out_keys()]
    kept, held_out = of_file(separator, data.label_columns).split(digests, data.labels, part)
    return data.take(kept), data.take(held_out)


class Reports(Generic[R]):
    """Figures of models on labelled rows: measured, printed, and as JSON.

    each : what a class is called.    shown : so many of them are printed; more would hide the
    figures above, and --all-classes and --json have all.
    """

    each = ("class", "classes")
    shown = 20

    def check_positive(self, answerer: Answerer, positive: str | None) -> None:
        """Refuse a positive class that there is not, or of more than two."""

    def positive_of(self, classes: Sequence[Any], asked: str | None) -> Any:
        """Return the class that is predicted above a threshold; None of several labels."""

    def measure(
        self, answerer: Answerer, data: Labelled, positive: str | None, least: float | None = None
    ) -> R:
        """Answer the rows and compare.

        least : a probability; what is at least as sure is measured too.
        """
        self.check_positive(answerer, positive)
        examination = examination_of(answerer)
        counting, seen = examination.counting(answerer, least), 0
        for answers in answerers.answer_blocks(answerer, data.examples):
            counting.take(answers, data.labels[seen : seen + len(answers)])
            seen += len(answers)
        report: Any = examination.report(answerer, counting.tally, positive, least)
        found: R = report
        return found

    def show(
        self,
        report: R,
        title: str | None = None,
        *,
        over_thresholds: bool = True,
        all_classes: bool = False,
        model: str = "",
    ) -> None:
        """Print the figures, the worst classes first.

        over_thresholds : of two classes, whether those of other thresholds too.
        model : the file, which the command that applies another threshold names.
        """
        raise NotImplementedError

    def to_json(self, report: R) -> Json:
        """Return a report as JSON."""
        raise NotImplementedError

    def show_classes(
        self, classes: Sequence[ClassFigures], all_classes: bool, *, predicted: bool
    ) -> None:
        """Print a line a class, the lowest F1 first; of too many only those.

        predicted : whether it says how often a class was predicted.
        """
        # The worst are what to look at; classes without rows have no F1 and come last.
        ordered = sorted(classes, key=lambda one: (not one.support, one.f1, -one.support))
        most = len(ordered) if all_classes else self.shown
        rows = [
            (
                format_label(one.label),
                f"{one.support:,}",
                *([f"{one.predicted:,}"] if predicted else []),
                f"{one.precision:.4f}" if one.predicted else "-",
                f"{one.recall:.4f}" if one.support else "-",
                f"{one.f1:.4f}" if one.support else "-",
            )
            for one in ordered[:most]
        ]
        beside = [">predicted"] if predicted else []
        head = (self.each[0], ">rows", *beside, ">precision", ">recall", ">F1")
        for line in terminal.table(head, rows):
            terminal.say(line)
        if len(ordered) > most:
            left = plural(len(ordered) - most, *(f"more {name}" for name in self.each))
            terminal.say(f"  ... and {left} with a higher F1 ('evaluate --all-classes' shows all)")


class OneLabelReports(Reports[Report]):
    """Figures of models of one label a row."""

    def check_positive(self, answerer: Answerer, positive: str | None) -> None:
        """Refuse a positive class that there is not, or of more than two."""
        # Refused, since with more classes no figure would change.
        if positive is not None and len(answerer.classes) != 2:
            raise click.UsageError(
                f"--positive: only with two classes; the model has {len(answerer.classes)}"
            )
        self.positive_of(answerer.classes, positive)

    def positive_of(self, classes: Sequence[Any], asked: str | None) -> Any:
        """Return the positive class: the one asked for, else the second."""
        try:
            return find_positive(classes, asked)
        except InputError as error:
            raise click.UsageError(f"--positive: {error.reason}") from None

    def show(
        self,
        report: Report,
        title: str | None = None,
        *,
        over_thresholds: bool = True,
        all_classes: bool = False,
        model: str = "",
    ) -> None:
        """Print the figures: overall, per class, and for two classes over thresholds."""
        found = report.figures
        if title:
            terminal.heading(title)
        terminal.facts(
            [
                ("rows", f"{found.n:,}, of which {found.right:,} correct"),
                ("accuracy", f"{found.accuracy:.4f}   {confidence_interval(found)}"),
                (
                    "baseline",
                    f"{found.baseline:.4f}   always predicting '{format_label(found.majority)}'",
                ),
                (
                    "macro-F1",
                    f"{found.macro_f1:.4f}   mean F1 of the classes, each with equal weight",
                ),
            ]
        )
        terminal.say()
        self.show_classes(found.classes, all_classes, predicted=False)
        # With two classes the table of classes tells the confusions already.
        if len(found.classes) > 2:
            _show_confusion(found)
        if report.points and over_thresholds:
            _show_points(report)
            if model:
                _show_command(report, model)
        if report.probabilities is not None:
            _show_probabilities(report.probabilities)
        if report.confident is not None:
            _show_confident(report.confident)
        if found.unseen:
            remark_unseen(found.unseen)
        if report.unknown:
            whose = "its" if report.unknown == 1 else "their"
            remark_unknown(report.unknown, f"{whose} label is the default")

    def to_json(self, report: Report) -> Json:
        """Return a report as JSON."""
        return {
            **report.figures.to_json(),
            "without_known_features": report.unknown,
            "positive": report.positive,
            "thresholds": [
                {**_point_to_json(point), "chosen": point.threshold == report.threshold}
                for point in report.points
            ],
            **_probabilities_to_json(report),
        }


ONE_LABEL = OneLabelReports()


def name_counts(counts: Mapping[Any, int]) -> str:
    """Return some labels with their rows, for a note.

    >>> name_counts({"spam": 1200, "ham": 1})
    'spam (1,200), ham (1)'
    """
    named = ", ".join(f"{format_label(label)} ({n:,})" for label, n in [*counts.items()][:20])
    return named + (", ..." if len(counts) > 20 else "")


def remark_unseen(counts: Mapping[Any, int]) -> None:
    """Note labels that the model does not know."""
    terminal.remark(
        f"labels that the model does not know, counted as errors: {name_counts(counts)}"
    )


def remark_unknown(n_texts: int, why: str) -> None:
    """Note texts of which the model knows nothing; ``why``: what answers then."""
    texts = plural(n_texts, "text has", "texts have")
    terminal.remark(f"{texts} no term that the model knows: {why}")


def confidence_interval(found: Figures) -> str:
    """Return the confidence interval of the accuracy, in words."""
    low, high = found.interval
    return f"95 % confidence interval {low:.4f} to {high:.4f}"


def _show_confusion(found: Figures) -> None:
    """Print the largest entries of the confusion matrix off its diagonal."""
    wrong = [(n, true, said) for (true, said), n in found.confusion.items() if true != said]
    if not wrong:
        return
    wrong.sort(key=lambda one: -one[0])
    terminal.heading("Most frequent confusions")
    rows = [
        (format_label(true), format_label(said), f"{n:,}") for n, true, said in wrong[:PAIRS_SHOWN]
    ]
    for line in terminal.table(("class", "predicted", ">rows"), rows):
        terminal.say(line)


def _show_points(report: Report) -> None:
    positive = format_label(report.positive)
    terminal.heading(
        f"Predicting '{positive}' for a {report.things} above another threshold would give"
    )
    places = _places([point.threshold for point in report.points])
    rows = [
        (
            _round_up(point.threshold, places),
            f"{point.precision:.4f}",
            f"{point.recall:.4f}",
            f"{point.false_positives:,}",
            f"{point.false_positive_rate:.2%}",
            "<- in use" if point.threshold == report.threshold else "",
        )
        for point in report.points
        # Thresholds above every positive find nothing, but the model's own is always shown.
        if point.recall or point.threshold == report.threshold
    ]
    header = (">threshold", ">precision", ">recall", ">false positives", ">rate", "")
    for line in terminal.table(header, rows):
        terminal.say(line)


def _show_command(report: Report, model: str) -> None:
    """Name the command that decides by another threshold of the table: that of the largest F1."""

    def f1(point: ThresholdPoint) -> float:
        both = point.precision + point.recall
        return 2 * point.precision * point.recall / both if both else 0.0

    best = max(report.points, key=lambda point: (f1(point), point.threshold == report.threshold))
    typed, why = "T", "To decide by another threshold T"
    if best.threshold != report.threshold:
        typed = _round_up(best.threshold, _places([point.threshold for point in report.points]))
        why = f"To decide by the largest F1 of these ({f1(best):.4f})"
    if not report.is_second:
        # The model's score grows towards the other class.
        typed = typed.removeprefix("-") if typed.startswith("-") else f"-{typed}"
        why += " (--threshold has the other sign: it is of the other class)"
    terminal.say()
    terminal.say(f"{why}:")
    command = f"{invocation.program()} bake {invocation.quoted(model)}"
    terminal.say(f"  {command} --threshold {typed} -o NEW-MODEL")
    terminal.say("--threshold goes with predict, explain, evaluate, report and serve too.")


def _show_probabilities(found: ProbabilityFigures) -> None:
    terminal.heading("Probabilities")
    terminal.facts(
        [
            ("log loss", f"{found.log_loss:.4f}   mean of -log of the true class, 0 is perfect"),
            ("Brier", f"{found.brier:.4f}   mean squared error of the probabilities"),
            ("calibration", f"{found.expected_error:.4f}   mean gap of the two columns below"),
        ]
    )
    terminal.say()
    rows = [
        (
            f"{one.probability:.4f}",
            f"{one.correct:.4f}",
            f"{one.n:,}",
            "#" * round(20 * one.correct) + ("" if one.correct >= 0.025 else "."),
        )
        for one in found.bins
    ]
    for line in terminal.table((">probability", ">correct", ">rows", ""), rows):
        terminal.say(line)


def _show_confident(found: Confident) -> None:
    share = f" ({found.n / found.of:.2%})" if found.of else ""
    right = f", of which {found.right:,} correct ({found.right / found.n:.4f})" if found.n else ""
    terminal.heading(f"Answers of a probability of at least {found.least:g}")
    left = plural(found.of - found.n, "row")
    terminal.facts(
        [
            ("coverage", f"{found.n:,} of {plural(found.of, 'row')}{share}"),
            ("accuracy", f"{found.n:,} answered{right}"),
            ("left", f"{left} answered '?'"),
        ]
    )


def _places(numbers: Sequence[float]) -> int:
    """Return how many places tell different numbers apart, four at least.

    >>> _places([0.5, -0.99994, -0.99993, 0.5])
    5
    """
    different = len(set(numbers))
    # Floats near 1 do not differ beyond that.
    enough = (p for p in range(4, 17) if len({_round_up(x, p) for x in numbers}) == different)
    return next(enough, 17)


def _round_up(number: float, places: int) -> str:
    """Write a threshold so that the score that it was taken from is still not above it.

    >>> _round_up(0.12341, 4), _round_up(-0.00001, 4), _round_up(2.0, 4)
    ('0.1235', '0.0000', '2.0000')
    """
    with localcontext(prec=400):
        rounded = Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_CEILING)
    return f"{abs(rounded) if rounded.is_zero() else rounded:f}"


def _probabilities_to_json(report: Report) -> Json:
    found: Json = {}
    if report.probabilities is not None:
        one = report.probabilities
        found["probabilities"] = {
            "rows": one.n,
            "log_loss": one.log_loss,
            "brier": one.brier,
            "expected_calibration_error": one.expected_error,
            "bins": [asdict(part) for part in one.bins],
        }
    if report.confident is not None:
        found["confident"] = confident_to_json(report.confident, "rows")
    return found


def confident_to_json(sure: Confident, unit: str) -> Json:
    """Return how many rows or single answers had probability enough, as JSON."""
    return {
        "min_probability": sure.least,
        unit: sure.n,
        "coverage": sure.n / sure.of if sure.of else None,
        "accuracy": sure.right / sure.n if sure.n else None,
    }


def _point_to_json(point: ThresholdPoint) -> Json:
    return {name: getattr(point, name) for name in type(point).__slots__}
