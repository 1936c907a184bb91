"""Whether probabilities mean what they say: of the rows at 80 %, four of five should be right."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.reports._charts import SHARE, Axis, Line, chart
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, table

PLACE = 75
TITLE = "Probabilities"
BINS = 10


def content(study: Study) -> Markup | None:
    """A table and a curve of reliability; None for a model without a calibration."""
    if study.calibration is None or not study.judged:
        return None
    scores = study.scores[:, 0] - study.threshold if len(study.classes) == 2 else study.scores
    p = study.calibration.probabilities(scores).max(axis=1)
    bins = _bins(p, study.right)
    gap = sum(n * abs(said - right) for n, said, right in bins) / len(p)
    brier = float(np.square(p - study.right).mean())
    return joined(
        [
            tag(
                "p",
                "Of the answers by their probability, the share that was right. Expected "
                f"calibration error {gap:.4f}; Brier score of the answer {brier:.4f}.",
            ),
            _curve(bins),
            _table(bins),
        ]
    )


def _bins(p: Any, right: Any) -> list[tuple[int, float, float]]:
    """Rows, mean probability and share of right answers, in ten equal parts by probability."""
    order = np.argsort(p, kind="stable")
    parts = [part for part in np.array_split(order, BINS) if len(part)]
    return [(len(part), float(p[part].mean()), float(right[part].mean())) for part in parts]


def _curve(bins: list[tuple[int, float, float]]) -> Markup:
    across = Axis("probability of the answer", 0.0, 1.0, SHARE)
    up = Axis("share right", 0.0, 1.0, SHARE)
    found = Line([(said, right) for _, said, right in bins], "one", "found")
    ideal = Line([(0.0, 0.0), (1.0, 1.0)], "chance", "as it should be")
    said = "Points on the diagonal mean what they say"
    return chart("Reliability", said, across, up, [ideal, found])


def _table(bins: list[tuple[int, float, float]]) -> Markup:
    rows = [(f"{said:.4f}", f"{n:,}", figure(right)) for n, said, right in bins]
    return table("Ten parts of the rows", (">probability", ">rows", ">right"), rows)
