"""Calibration: of the rows predicted at 80 %, four of five should be correct."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardlimit.evaluation.calibration import Bin, probability_figures, reliability_bins
from hardlimit.reports._charts import SHARE, Axis, ChartLine, render_chart
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_figure, render_table

PLACE = 75
TITLE = "Calibration of the probabilities"


def content(study: Study) -> Markup | None:
    """Render a table and a curve of reliability; None for a model without a calibration."""
    if study.calibration is None or not study.is_judged:
        return None
    scores = study.scores[:, 0] - study.threshold if len(study.classes) == 2 else study.scores
    every = study.calibration.probabilities(scores)
    p = every.max(axis=1)
    bins = reliability_bins(p, study.correct)
    gap = sum(one.n * abs(one.probability - one.correct) for one in bins) / len(p)
    brier = float(np.square(p - study.correct).mean())
    known = [place for place, label in enumerate(study.true) if label in study.classes]
    numbers = {label: number for number, label in enumerate(study.classes)}
    targets = np.array([numbers[study.true[place]] for place in known], np.int64)
    loss = f"log loss {probability_figures(every[known], targets).log_loss:.4f}; " if known else ""
    return join(
        [
            tag(
                "p",
                "Share of correct predictions by their probability. Expected calibration error "
                f"{gap:.4f}; {loss}Brier score of the predicted class {brier:.4f}.",
            ),
            _draw_curve(bins),
            _render_bins(bins),
        ]
    )


def _draw_curve(bins: Sequence[Bin]) -> Markup:
    across = Axis("predicted probability", 0.0, 1.0, SHARE)
    up = Axis("share correct", 0.0, 1.0, SHARE)
    observed = ChartLine([(one.probability, one.correct) for one in bins], "one", "observed")
    ideal = ChartLine([(0.0, 0.0), (1.0, 1.0)], "chance", "perfectly calibrated")
    probability = "Points on the diagonal are perfectly calibrated"
    return render_chart("Reliability", probability, across, up, [ideal, observed])


def _render_bins(bins: Sequence[Bin]) -> Markup:
    rows = [(f"{one.probability:.4f}", f"{one.n:,}", render_figure(one.correct)) for one in bins]
    return render_table(
        "Ten groups of rows by probability", (">probability", ">rows", ">correct"), rows
    )
