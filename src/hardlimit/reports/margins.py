"""How far answers lie from the border, and what is gained by answering only the sure ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.reports._charts import Axis, Bars, chart
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, table

PLACE = 70
TITLE = "How sure the answers are"
BINS = 36
LEAST = 20  # rows for a picture
SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)


def content(study: Study) -> Markup | None:
    """The leads of right and wrong answers; accuracy when the least sure are held back."""
    if not study.judged or len(study.data) < LEAST:
        return None
    return joined(
        [
            tag(
                "p",
                "The lead of an answer is its score less that of the best other class (with two "
                "classes, the distance of the score from the threshold).",
            ),
            _picture(study),
            _held_back(study),
        ]
    )


def _picture(study: Study) -> Markup:
    lead, right = study.lead, study.right
    top = float(np.sort(lead)[(99 * (len(lead) - 1)) // 100])
    across = Axis.over("lead (the largest 1 % at the end)", 0.0, top or 1.0)
    edges = np.linspace(0.0, across.high, BINS + 1)
    inside = np.minimum(lead, np.nextafter(across.high, 0))
    all_of_them, _ = np.histogram(inside, edges)
    wrong, _ = np.histogram(inside[~right], edges)
    up = Axis.over("rows", 0, int(all_of_them.max()))
    bars = [
        Bars(edges.tolist(), [float(n) for n in all_of_them], "one", "all answers"),
        Bars(edges.tolist(), [float(n) for n in wrong], "two", "wrong ones"),
    ]
    said = f"{int(right.sum()):,} right and {int((~right).sum()):,} wrong answers by their lead"
    return chart("Leads of the answers", said, across, up, bars)


def _held_back(study: Study) -> Markup:
    order = np.argsort(-study.lead, kind="stable")
    right = study.right[order]
    rows: list[tuple[Any, ...]] = []
    for share in SHARES:
        n = max(1, round(share * len(order)))
        wrong = int((~right[:n]).sum())
        least = float(study.lead[order[n - 1]])
        rows.append((f"{share:.0%}", f"{n:,}", f"{least:.4f}", f"{wrong:,}", figure(1 - wrong / n)))
    head = ("surest", ">rows", ">lead at least", ">errors", ">accuracy")
    return table("Answering only the surest", head, rows)
