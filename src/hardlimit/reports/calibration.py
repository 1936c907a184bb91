"""Calibration: of the rows predicted at 80 %, four of five should be correct."""

from __future__ import annotations

import numpy as np

from hardlimit.foundation.types import BoolArray, FloatArray
from hardlimit.reports._charts import SHARE, Axis, Line, render_chart
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_figure, render_table

PLACE = 75
TITLE = "Calibration of the probabilities"
BINS = 10


def content(study: Study) -> Markup | None:
    """Render a table and a curve of reliability; None for a model without a calibration."""
    if study.calibration is None or not study.is_judged:
        return None
    scores = study.scores[:, 0] - study.threshold if len(study.classes) == 2 else study.scores
    p = study.calibration.probabilities(scores).max(axis=1)
    bins = _bin_by_probability(p, study.correct)
    gap = sum(n * abs(probability - correct) for n, probability, correct in bins) / len(p)
    brier = float(np.square(p - study.correct).mean())
    return join(
        [
            tag(
                "p",
                "Share of correct predictions by their probability. Expected calibration error "
                f"{gap:.4f}; Brier score of the predicted class {brier:.4f}.",
            ),
            _draw_curve(bins),
            _render_bins(bins),
        ]
    )


def _bin_by_probability(p: FloatArray, correct: BoolArray) -> list[tuple[int, float, float]]:
    """Return rows, mean probability and share correct of ten equal parts by probability."""
    # parts of equal size: probabilities crowd near 1, and bins of equal width stay empty
    order = np.argsort(p, kind="stable")
    parts = [part for part in np.array_split(order, BINS) if len(part)]
    return [(len(part), float(p[part].mean()), float(correct[part].mean())) for part in parts]


def _draw_curve(bins: list[tuple[int, float, float]]) -> Markup:
    across = Axis("predicted probability", 0.0, 1.0, SHARE)
    up = Axis("share correct", 0.0, 1.0, SHARE)
    observed = Line([(probability, correct) for _, probability, correct in bins], "one", "observed")
    ideal = Line([(0.0, 0.0), (1.0, 1.0)], "chance", "perfectly calibrated")
    probability = "Points on the diagonal are perfectly calibrated"
    return render_chart("Reliability", probability, across, up, [ideal, observed])


def _render_bins(bins: list[tuple[int, float, float]]) -> Markup:
    rows = [
        (f"{probability:.4f}", f"{n:,}", render_figure(correct)) for n, probability, correct in bins
    ]
    return render_table(
        "Ten groups of rows by probability", (">probability", ">rows", ">correct"), rows
    )
