"""How far predictions lie from the boundary, and the accuracy of the most confident ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.reports._charts import Axis, Bars, render_chart
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_figure, render_table

PLACE = 70
TITLE = "Confidence of the predictions"
BINS = 36
LEAST = 20  # rows for a picture
SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)


def content(study: Study) -> Markup | None:
    """Render the leads of the predictions, and the accuracy of the most confident ones."""
    if not study.is_judged or len(study.data) < LEAST:
        return None
    return join(
        [
            tag(
                "p",
                "The lead of a prediction is its score minus that of the best other class (with "
                "two classes, the distance of the score from the threshold).",
            ),
            _draw_leads(study),
            _render_most_confident(study),
        ]
    )


def _draw_leads(study: Study) -> Markup:
    lead, right = study.leads, study.correct
    # a few rows far out would press all others into one bar
    top = float(np.sort(lead)[(99 * (len(lead) - 1)) // 100])
    across = Axis.over("lead (the largest 1 % in the last bar)", 0.0, top or 1.0)
    edges = np.linspace(0.0, across.high, BINS + 1)
    # numpy leaves out what lies beyond the last edge
    inside = np.minimum(lead, np.nextafter(across.high, 0))
    all_of_them, _ = np.histogram(inside, edges)
    wrong, _ = np.histogram(inside[~right], edges)
    up = Axis.over("rows", 0, int(all_of_them.max()))
    bars = [
        Bars(edges.tolist(), [float(n) for n in all_of_them], "one", "all predictions"),
        Bars(edges.tolist(), [float(n) for n in wrong], "two", "wrong predictions"),
    ]
    wrong_ones = plural(int((~right).sum()), "wrong prediction")
    summary = f"{int(right.sum()):,} correct and {wrong_ones} by lead"
    return render_chart("Lead of the predictions", summary, across, up, bars)


def _render_most_confident(study: Study) -> Markup:
    order = np.argsort(-study.leads, kind="stable")
    right = study.correct[order]
    rows: list[tuple[Any, ...]] = []
    for share in SHARES:
        n = max(1, round(share * len(order)))
        wrong = int((~right[:n]).sum())
        least = float(study.leads[order[n - 1]])
        rows.append(
            (f"{share:.0%}", f"{n:,}", f"{least:.4f}", f"{wrong:,}", render_figure(1 - wrong / n))
        )
    head = ("most confident", ">rows", ">lead at least", ">errors", ">accuracy")
    return render_table("Accuracy on the most confident predictions", head, rows)
