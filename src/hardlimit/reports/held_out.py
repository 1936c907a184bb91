"""The figures on these rows, with intervals: overall and of each class."""

from __future__ import annotations

from typing import Any

from hardlimit.evaluation import f1_interval, macro_f1, matthews, wilson_interval
from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, joined, shown
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, table

PLACE = 40
TITLE = "The figures"
CLASSES_SHOWN = 100


def content(study: Study) -> Markup | None:
    """Accuracy and its kin; then precision, recall and F1 a class."""
    return joined([_overall(study), _classes(study)]) if study.judged else None


def _overall(study: Study) -> Markup:
    found = study.figures
    low, high = found.interval
    correlation, mean = matthews(found.confusion), macro_f1(found.confusion)
    wrong = found.n - found.right
    rows: list[tuple[Any, ...]] = [
        ("accuracy", figure(found.accuracy, found.interval), f"{found.right:,} of {found.n:,}"),
        ("error", figure(wrong / found.n, (1 - high, 1 - low)), f"{wrong:,} of {found.n:,}"),
        ("macro-F1", figure(found.macro_f1, mean.interval), "mean F1, each class counted alike"),
        ("micro-F1", figure(found.accuracy, found.interval), "the accuracy, with a label a row"),
        (
            "Matthews' correlation",
            figure(correlation.value, correlation.interval),
            "1 is perfect, 0 is chance",
        ),
        ("baseline", figure(found.baseline), joined(["always saying ", shown(found.majority)])),
    ]
    return table("On all rows", ("figure", ">value", "meaning"), rows)


def _classes(study: Study) -> Markup:
    ordered = sorted(study.figures.classes, key=lambda one: -one.support)
    if len(ordered) > CLASSES_SHOWN:
        ordered.sort(key=lambda one: (not one.support, one.f1))
    rows = [
        (
            shown(one.label),
            f"{one.support:,}",
            _share(one.precision, one.right, one.predicted),
            _share(one.recall, one.right, one.support),
            figure(one.f1, f1_interval(one)) if one.support else "–",
        )
        for one in ordered[:CLASSES_SHOWN]
    ]
    left = len(ordered) - CLASSES_SHOWN
    more = f"{plural(left, 'class', 'classes')} with a better F1 are left out." if left > 0 else ""
    head = ("class", ">rows", ">precision", ">recall", ">F1")
    said = "Under each share: where it lies with 95 % confidence. " + more
    return table("Each class", head, rows, foot=said.strip())


def _share(value: float, right: int, of: int) -> Any:
    return figure(value, wilson_interval(right, of)) if of else "–"
