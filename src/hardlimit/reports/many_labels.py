"""Several labels a row: each label as a question of its own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.evaluation import figures, matthews, wilson_interval
from hardlimit.foundation.formatting import plural
from hardlimit.reports._charts import SHARE, Axis, ChartLine, render_chart
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Array, Study
from hardlimit.reports._tables import format_percent, render_figure, render_long_table, render_table

PLACE = 14
POINTS = 200  # of a curve
TITLE = "Each label"


@dataclass(frozen=True)
class _Comparison:
    """Truth and predictions, whether each row has each label: (n, labels)."""

    truth: Array
    predicted: Array


def content(study: Study) -> Markup | None:
    """Render precision, recall and F1 of each label; None for a model of one label a row."""
    if not study.has_label_sets:
        return None
    if not study.has_labels:
        return _render_predicted(study)
    comparison = _compare(study)
    f1 = _f1_of_labels(comparison)
    # the worst first, as of classes; labels without rows have no F1 and come last
    has_rows = comparison.truth.sum(axis=0) > 0
    order = sorted(range(len(study.classes)), key=lambda m: (not has_rows[m], f1[m]))
    rows = [
        _make_row(study.classes[m], comparison.truth[:, m], comparison.predicted[:, m])
        for m in order
    ]
    head = ("label", ">rows", ">precision", ">recall", ">F1", ">Matthews correlation")
    return join(
        [
            _render_overall(comparison),
            _draw_thresholds(study, comparison),
            render_long_table("Each label by itself", head, rows, "labels", kind="shares"),
        ]
    )


def render_sentence(study: Study) -> Markup:
    """Say how many rows have all their labels right, and how many single predictions are."""
    comparison = _compare(study)
    wrong = comparison.truth != comparison.predicted
    whole = int((~wrong.any(axis=1)).sum())
    low, high = wilson_interval(whole, len(wrong))
    single = 1 - float(wrong.mean())
    return tag(
        "p",
        f"Of {plural(len(wrong), study.thing)}, "
        f"{plural(whole, 'has', 'have')} all labels correct: ",
        tag("strong", format_percent(whole / len(wrong))),
        f" (95 % confidence interval {format_percent(low)} to {format_percent(high)}). Of the "
        "single yes-or-no "
        f"predictions, {format_percent(single)} are correct.",
        class_="lead",
    )


def _compare(study: Study) -> _Comparison:
    # each label was learnt as a question of its own
    return _Comparison(study.label_sets, study.scores > study.threshold)


def _render_predicted(study: Study) -> Markup:
    predicted = study.scores > study.threshold
    rows = [
        (render_label(x), f"{int(predicted[:, m].sum()):,}") for m, x in enumerate(study.classes)
    ]
    return render_long_table(
        "How often each label is predicted", ("label", ">rows"), rows, "labels"
    )


def _make_row(label: Hashable, truth: Array, predicted: Array) -> tuple[Any, ...]:
    figures_of_label = figures(truth.tolist(), predicted.tolist(), classes=[False, True])
    yes = next((one for one in figures_of_label.classes if one.label), None)
    # neither true nor predicted anywhere: there is nothing to take a share of
    if yes is None:
        return (render_label(label), "0", "–", "–", "–", "–")
    correct, of = yes.right, (yes.predicted, yes.support)
    shares = [render_figure(correct / n, wilson_interval(correct, n)) if n else "–" for n in of]
    both = render_figure(yes.f1) if yes.support else "–"
    return (
        render_label(label),
        f"{yes.support:,}",
        *shares,
        both,
        f"{matthews(figures_of_label.confusion).value:.4f}",
    )


def _draw_thresholds(study: Study, comparison: _Comparison) -> Markup | None:
    """Draw what another threshold than 0 would give, the same for all labels."""
    scores, truth = study.scores.ravel(), comparison.truth.ravel()
    total = int(truth.sum())
    if not total or not np.isfinite(scores).all():
        return None
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(truth[order])
    places = np.unique(np.linspace(0, len(order) - 1, POINTS).astype(int))
    # Below, nearly every label of every row is predicted.
    places = places[(places + 1 <= 4 * total) | (scores[order[places]] > study.threshold)]
    above = scores[order[places]]
    precision = [(float(s), right[k] / (k + 1)) for s, k in zip(above, places, strict=True)]
    recall = [(float(s), right[k] / total) for s, k in zip(above, places, strict=True)]
    used = study.threshold
    low, high = min(float(above.min()), used), max(float(above.max()), used)
    return render_chart(
        "Precision and recall of all labels together, by the threshold of their scores",
        f"A label is predicted where its score exceeds {used:.4g}; a higher threshold names fewer",
        Axis.over("threshold", low, high),
        Axis("share", 0.0, 1.0, SHARE),
        [ChartLine(precision, "one", "precision"), ChartLine(recall, "two", "recall")],
        at=(used, "in use"),
    )


def _f1_of_labels(comparison: _Comparison) -> Array:
    correct = (comparison.truth & comparison.predicted).sum(axis=0)
    both = comparison.truth.sum(axis=0) + comparison.predicted.sum(axis=0)
    # maximum: numpy divides everywhere before it chooses
    f1: Array = np.where(both > 0, 2 * correct / np.maximum(both, 1), 0.0)
    return f1


def _render_overall(comparison: _Comparison) -> Markup:
    f1 = _f1_of_labels(comparison)
    correct = (comparison.truth & comparison.predicted).sum(axis=0)
    both = comparison.truth.sum(axis=0) + comparison.predicted.sum(axis=0)
    total = int(both.sum())
    rows = [
        (
            "micro-F1",
            render_figure(2 * int(correct.sum()) / total if total else 0.0),
            "over all labels together",
        ),
        ("macro-F1", render_figure(float(f1.mean())), "unweighted mean of the F1 of all labels"),
        (
            "Hamming loss",
            render_figure(float((comparison.truth != comparison.predicted).mean())),
            "share of single yes-or-no predictions that are wrong",
        ),
    ]
    return render_table("On all rows and labels", ("metric", ">value", "meaning"), rows)
