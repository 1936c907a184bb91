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
from hardlimit.reports._charts import SHARE, Axis, Line, chart
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, percent, table

PLACE = 60
TITLE = "Over all thresholds"
CLASSES_SHOWN = 20
LEAST = 5  # rows on either side for a curve


def content(study: Study) -> Markup | None:
    """Curves of two classes; of many, the area of each class against the rest."""
    if not study.judged:
        return None
    if len(study.classes) != 2:
        return _of_many(study)
    if study.sides is None:
        return None
    scores, truth = (side.tolist() for side in study.sides)
    points = ranking(scores, truth)
    area = roc_area(scores, truth)
    enough = min(sum(truth), len(truth) - sum(truth)) >= LEAST
    curves = tag("div", _roc(points, area), _recall(points, sum(truth)), class_="pair")
    return joined(
        [
            _sentence(study, area, average_precision(points)),
            curves if enough else None,
            _thresholds(study, scores, truth),
        ]
    )


def _sentence(study: Study, area: Estimate, average: float) -> Markup:
    sure = (
        f", 95 % sure to lie between {area.interval[0]:.4f} and {area.interval[1]:.4f}"
        if area.interval
        else ""
    )
    return tag(
        "p",
        "The positive class is ",
        shown(study.positive),
        ". The area under the ROC curve is ",
        tag("strong", f"{area.value:.4f}"),
        f"{sure}: so often has a positive {study.thing} a higher score than a negative one. The "
        f"average precision is {average:.4f}.",
    )


def _roc(points: list[ThresholdPoint], area: Estimate) -> Markup:
    found = [(point.false_positive_rate, point.recall) for point in points]
    line = Line(found, "one")
    chance = Line([(0.0, 0.0), (1.0, 1.0)], "chance")
    across = Axis("negatives called positive", 0.0, 1.0, SHARE)
    up = Axis("positives found", 0.0, 1.0, SHARE)
    return chart("ROC curve", f"Area {area.value:.4f}; chance is 0.5", across, up, [chance, line])


def _recall(points: list[ThresholdPoint], positives: int) -> Markup:
    found = [(point.recall, point.precision) for point in points if point.recall]
    across = Axis("recall", 0.0, 1.0, SHARE)
    up = Axis("precision", 0.0, 1.0, SHARE)
    said = f"Of {plural(positives, 'positive')}"
    return chart("Precision against recall", said, across, up, [Line(found, "one")])


def _thresholds(study: Study, scores: list[float], truth: list[bool]) -> Markup:
    points = threshold_table(scores, truth, chosen=study.bar)
    rows = [
        (
            f"{point.threshold:.4f}",
            f"{point.precision:.4f}",
            f"{point.recall:.4f}",
            f"{point.false_positives:,}",
            percent(point.false_positive_rate),
            "the model's" if point.threshold == study.bar else "",
        )
        for point in points
        if point.recall or point.threshold == study.bar
    ]
    head = (">threshold", ">precision", ">recall", ">false positives", ">rate", "")
    name = study.positive if isinstance(study.positive, str) else repr(study.positive)
    return table(f"Saying {name} above another threshold would give", head, rows)


def _leads(scores: Any, number: int) -> Any:
    """The score of a class less the best of the others, a row each."""
    others = np.delete(scores, number, axis=1)
    return scores[:, number] - others.max(axis=1)


def _of_many(study: Study) -> Markup | None:
    """The area of each class against the rest.

    Scores of different rows do not compare where the classes learn together; leads do.
    """
    common = [label for label, _ in study.counts.most_common() if label in study.classes]
    rows: list[Any] = []
    for label in common[:CLASSES_SHOWN]:
        truth = [x == label for x in study.true]
        if all(truth):
            continue
        scores = _leads(study.scores, study.classes.index(label)).tolist()
        area = roc_area(scores, truth)
        average = average_precision(ranking(scores, truth))
        row = (shown(label), f"{sum(truth):,}", figure(area.value, area.interval))
        rows.append((*row, f"{average:.4f}"))
    if not rows:
        return None
    left = len(common) - CLASSES_SHOWN
    foot = f"The {CLASSES_SHOWN} most frequent classes; {left} left out." if left > 0 else None
    head = ("class", ">rows", ">area under ROC", ">average precision")
    return table(
        "Each class against the rest, by its lead over the best other", head, rows, foot=foot
    )
