"""Figures of models of one label a row, or of several: measured, printed, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import figures, label_figures

if TYPE_CHECKING:
    from hardlimit.cli.json_output import Json
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.predictions.judges import Judge

HELD_OUT = "Measured on held-out rows"


class OneLabelReports:
    """Reports on models of one label a row."""

    def check_positive(self, judge: Judge, positive: str | None) -> None:
        """Refuse a positive class that there is not, or of more than two."""
        figures.check_positive(judge, positive)

    def positive_of(self, classes: list[Any], asked: str | None) -> Any:
        """Return the class that is predicted above a threshold."""
        return figures.positive_of(classes, asked)

    def measure(
        self, judge: Judge, data: Labelled, positive: str | None, least: float | None = None
    ) -> Any:
        """Answer the rows and compare.

        least : a probability; what is at least as sure is measured too.
        """
        return figures.measure(judge, data, positive, least)

    def show(self, report: Any, *, all_classes: bool, model: str) -> None:
        """Print a report."""
        most = len(report.figures.classes) if all_classes else figures.CLASSES_SHOWN
        figures.show(report, most_classes=most, model=model)

    def show_held_out(self, report: Any, *, over_thresholds: bool) -> None:
        """Print a report on held-out rows."""
        figures.show(report, HELD_OUT, over_thresholds=over_thresholds)

    def to_json(self, report: Any) -> Json:
        """Return a report as JSON."""
        return figures.to_json(report)


class SeveralLabelReports(OneLabelReports):
    """Reports on models of several labels a row."""

    def check_positive(self, judge: Judge, positive: str | None) -> None:
        """Do nothing: the table of conflicts has refused one."""

    def positive_of(self, classes: list[Any], asked: str | None) -> Any:
        """Return None: labels are predicted each by itself."""
        return None

    def measure(
        self, judge: Judge, data: Labelled, positive: str | None, least: float | None = None
    ) -> Any:
        """Answer the rows and compare."""
        return label_figures.measure(judge, data, least)

    def show(self, report: Any, *, all_classes: bool, model: str) -> None:
        """Print a report."""
        most = len(report.figures.labels) if all_classes else label_figures.LABELS_SHOWN
        label_figures.show(report, most=most)

    def show_held_out(self, report: Any, *, over_thresholds: bool) -> None:
        """Print a report on held-out rows."""
        label_figures.show(report, HELD_OUT)

    def to_json(self, report: Any) -> Json:
        """Return a report as JSON."""
        return label_figures.to_json(report)


ONE_LABEL, SEVERAL_LABELS = OneLabelReports(), SeveralLabelReports()


def reports_of(judge: Judge) -> OneLabelReports:
    """Return the reports on a model, by whether its rows have several labels."""
    return judge.labels.pick(ONE_LABEL, SEVERAL_LABELS, lambda _: SEVERAL_LABELS)
