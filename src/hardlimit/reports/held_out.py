"""The figures on these rows, with intervals: overall and of each class."""

from __future__ import annotations

from typing import Any

from hardlimit.evaluation import f1_interval, macro_f1, matthews, wilson_interval
from hardlimit.reports._markup import Markup, join, render_label
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_figure, render_long_table, render_table

PLACE = 12
TITLE = "Accuracy, precision, recall and F1"


def content(study: Study) -> Markup | None:
    """Render accuracy and its kin, then precision, recall and F1 of each class."""
    return join([_render_overall(study), _render_classes(study)]) if study.is_judged else None


def _render_overall(study: Study) -> Markup:
    figures = study.figures
    low, high = figures.interval
    correlation, mean = matthews(figures.confusion), macro_f1(figures.confusion)
    wrong = figures.n - figures.right
    rows: list[tuple[Any, ...]] = [
        (
            "accuracy",
            render_figure(figures.accuracy, figures.interval),
            f"{figures.right:,} of {figures.n:,}",
        ),
        (
            "error",
            # the interval of the errors is that of the accuracy, mirrored
            render_figure(wrong / figures.n, (1 - high, 1 - low)),
            f"{wrong:,} of {figures.n:,}",
        ),
        (
            "macro-F1",
            render_figure(figures.macro_f1, mean.interval),
            "unweighted mean of the F1 of all classes",
        ),
        (
            "micro-F1",
            render_figure(figures.accuracy, figures.interval),
            "equal to the accuracy where each row has one label",
        ),
        (
            "Matthews correlation",
            render_figure(correlation.value, correlation.interval),
            "1 is perfect, 0 is chance",
        ),
        (
            "baseline",
            render_figure(figures.baseline),
            join(["always predicting ", render_label(figures.majority)]),
        ),
    ]
    return render_table("On all rows", ("metric", ">value", "meaning"), rows)


def _render_classes(study: Study) -> Markup:
    # the worst are what to look at; classes without rows have no F1 and come last
    ordered = sorted(study.figures.classes, key=lambda one: (not one.support, one.f1, -one.support))
    rows = [
        (
            render_label(one.label),
            f"{one.support:,}",
            _render_share(one.precision, one.right, one.predicted),
            _render_share(one.recall, one.right, one.support),
            render_figure(one.f1, f1_interval(one)) if one.support else "–",
        )
        for one in ordered
    ]
    head = ("class", ">rows", ">precision", ">recall", ">F1")
    foot = "The lowest F1 first. Below each value: its 95 % confidence interval."
    return render_long_table("Each class", head, rows, "classes", foot=foot, kind="shares")


def _render_share(value: float, right: int, of: int) -> Any:
    return render_figure(value, wilson_interval(right, of)) if of else "–"
