"""The accuracy of each read-out that was kept, from the same fit."""

from __future__ import annotations

from typing import Any

from hardlimit.evaluation import wilson_interval
from hardlimit.exceptions import InputError
from hardlimit.reports._markup import Markup
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_figure, render_table

PLACE = 80
TITLE = "Which weights answer: last, averaged, voted"
BACKGROUND = True


def content(study: Study) -> Markup | None:
    """Render a line for each read-out; None where one was kept, or no training state was saved."""
    if not study.is_judged:
        return None
    if len(study.kept) < 2:
        return None
    rows = [_make_row(study, name) for name in study.kept]
    foot = "All come from the same fit; the model predicts with the marked one."
    head = ("read-out", ">accuracy", ">errors", "")
    return render_table("Accuracy of each read-out", head, rows, foot=foot)


def _make_row(study: Study, name: str) -> tuple[Any, ...]:
    in_use = name == study.readout
    try:
        # what the model predicts with is known already, and another vote could take minutes
        predicted = study.predicted if in_use else study.predict_with(name)
    except InputError:  # votes that cost more than their budget
        return (name, "–", "–", "too costly to evaluate")
    n = len(predicted)
    correct = sum(a == b for a, b in zip(predicted, study.true, strict=True))
    share = render_figure(correct / n, wilson_interval(correct, n))
    return (name, share, f"{n - correct:,}", "in use" if in_use else "")
