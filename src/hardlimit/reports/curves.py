"""Over all thresholds: the ROC curve, precision against recall, and thresholds to choose from."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.evaluation import (
    Estimate,
    ThresholdPoint,
    average_precision,
    ranking,
    roc_area,
    threshold_table,
)
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray
from hardlimit.reports._charts import SHARE, Axis, ChartLine, render_chart
from hardlimit.reports._markup import Markup, cut_label, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent, render_figure, render_long_table, render_table

PLACE = 60
TITLE = "ROC and precision-recall"
BACKGROUND = True
CLASSES_SHOWN = 20
LEAST = 5  # rows on either side for a curve


def content(study: Study) -> Markup | None:
    """Render the curves of two classes; of many, the area of each class against the rest."""
    if not study.is_judged:
        return None
    if len(study.classes) != 2:
        return _render_each_class(study)
    if study.positive_scores is None:
        return None
    scores, truth = (side.tolist() for side in study.positive_scores)
    points = ranking(scores, truth)
    area = roc_area(scores, truth)
    enough = min(sum(truth), len(truth) - sum(truth)) >= LEAST
    curves = tag(
        "div", _draw_roc(points, area), _draw_precision_recall(points, sum(truth)), class_="pair"
    )
    return join(
        [
            _render_sentence(study, area, average_precision(points)),
            curves if enough else None,
            _render_thresholds(study, scores, truth),
        ]
    )


def _render_sentence(study: Study, area: Estimate, average: float) -> Markup:
    interval = ""
    if area.interval:
        low, high = area.interval
        interval = f" (95 % confidence interval {low:.4f} to {high:.4f})"
    return tag(
        "p",
        "The positive class is ",
        render_label(study.positive),
        ". The area under the ROC curve is ",
        tag("strong", f"{area.value:.4f}"),
        f"{interval}: the probability that a positive {study.thing} scores higher than a negative "
        f"one. The average precision is {average:.4f}.",
    )


def _draw_roc(points: list[ThresholdPoint], area: Estimate) -> Markup:
    coordinates = [(point.false_positive_rate, point.recall) for point in points]
    line = ChartLine(coordinates, "one")
    chance = ChartLine([(0.0, 0.0), (1.0, 1.0)], "chance")
    across = Axis("false positive rate", 0.0, 1.0, SHARE)
    up = Axis("true positive rate (recall)", 0.0, 1.0, SHARE)
    return render_chart(
        "ROC curve",
        f"Area under the curve {area.value:.4f}; chance is 0.5",
        across,
        up,
        [chance, line],
    )


def _draw_precision_recall(points: list[ThresholdPoint], positives: int) -> Markup:
    # at recall 0 the precision is a convention and no measurement
    coordinates = [(point.recall, point.precision) for point in points if point.recall]
    across = Axis("recall", 0.0, 1.0, SHARE)
    up = Axis("precision", 0.0, 1.0, SHARE)
    summary = f"Of {plural(positives, 'positive')}"
    return render_chart(
        "Precision against recall", summary, across, up, [ChartLine(coordinates, "one")]
    )


def _render_thresholds(study: Study, scores: list[float], truth: list[bool]) -> Markup:
    # the threshold in use has a line of its own, wherever the others fall
    points = threshold_table(scores, truth, chosen=study.positive_threshold)
    rows = [
        (
            f"{point.threshold:.4f}",
            f"{point.precision:.4f}",
            f"{point.recall:.4f}",
            f"{point.false_positives:,}",
            format_percent(point.false_positive_rate),
            "in use" if point.threshold == study.positive_threshold else "",
        )
        for point in points
        # above the largest score nothing is predicted positive, and precision says nothing
        if point.recall or point.threshold == study.positive_threshold
    ]
    head = (">threshold", ">precision", ">recall", ">false positives", ">false positive rate", "")
    positive = study.positive
    name = cut_label(positive) if isinstance(positive, str | bytes) else repr(positive)
    return render_table(f"Predicting {name} at other thresholds", head, rows)


def _leads_of_class(scores: FloatArray, number: int) -> Any:
    """Return the score of a class less the best of the others, a row each."""
    others = np.delete(scores, number, axis=1)
    return scores[:, number] - others.max(axis=1)


def _render_each_class(study: Study) -> Markup | None:
    """Render the area of each class against the rest.

    Scores of different rows do not compare where the classes learn together; leads do.
    """
    common = [label for label, _ in study.counts.most_common() if label in study.classes]
    rows: list[Any] = []
    for label in common[:CLASSES_SHOWN]:
        truth = [x == label for x in study.true]
        # a class without a rest cannot be ranked against it
        if all(truth):
            continue
        scores = _leads_of_class(study.scores, study.classes.index(label)).tolist()
        area = roc_area(scores, truth)
        average = average_precision(ranking(scores, truth))
        row = (render_label(label), f"{sum(truth):,}", render_figure(area.value, area.interval))
        rows.append((*row, f"{average:.4f}"))
    if not rows:
        return None
    left = len(common) - CLASSES_SHOWN
    foot = f"The {CLASSES_SHOWN} most frequent classes; {left} are not shown." if left > 0 else None
    head = ("class", ">rows", ">area under the ROC curve", ">average precision")
    caption = "Each class against the rest, ranked by its lead over the best other"
    return render_long_table(caption, head, rows, "classes", foot=foot)
