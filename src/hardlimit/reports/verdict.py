"""Accuracy in one sentence, the main figures, and what to know before trusting them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hardlimit.evaluation import matthews
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _remarks, many_labels
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent

PLACE = 10
TITLE = "Summary"


def content(study: Study) -> Markup:
    """Return the summary; without labels, what was predicted."""
    if not study.has_labels:
        return join([_render_without_labels(study), _render_remarks(study)])
    if study.has_label_sets:
        return join([many_labels.render_sentence(study), _render_remarks(study)])
    return join([_render_sentence(study), _render_tiles(study), _render_remarks(study)])


def _render_sentence(study: Study) -> Markup:
    figures = study.figures
    low, high = figures.interval
    parts: list[Any] = [
        f"Of {plural(figures.n, study.thing)}, {plural(figures.right, 'is', 'are')} correct: ",
        tag("strong", format_percent(figures.accuracy)),
        f" (95 % confidence interval {format_percent(low)} to {format_percent(high)}). Always "
        "predicting ",
        render_label(figures.majority),
        f" would be correct for {format_percent(figures.baseline)}: ",
        _compare_with_baseline(low, high, figures.baseline),
    ]
    return tag("p", parts, class_="lead")


def _compare_with_baseline(low: float, high: float, baseline: float) -> str:
    # the whole interval and not the estimate: luck on few rows shows nothing
    if low > baseline:
        return "the model is significantly better."
    if high < baseline:
        return "the model is significantly worse."
    return "these rows do not show that the model is better."


def _render_tiles(study: Study) -> Markup:
    figures = study.figures
    correlation = matthews(figures.confusion)
    tiles = [
        ("accuracy", f"{figures.accuracy:.4f}"),
        ("errors", f"{figures.n - figures.right:,}"),
        ("macro-F1", f"{figures.macro_f1:.4f}"),
        ("Matthews correlation", f"{correlation.value:.4f}"),
    ]
    return tag("dl", [tag("div", tag("dt", a), tag("dd", b)) for a, b in tiles], class_="tiles")


def _render_without_labels(study: Study) -> Markup:
    sentence = (
        f"The {plural(len(study.data), study.thing)} have no labels, so nothing here says how good "
        "the predictions are; whatever needs labels is left out."
    )
    if study.has_label_sets:
        return tag("p", sentence, class_="lead")
    counts = Counter(study.predicted).most_common()
    listed = [
        [", " if at else "", render_label(x), f" {n:,}"] for at, (x, n) in enumerate(counts[:12])
    ]
    more = f" and {len(counts) - 12} more classes" if len(counts) > 12 else ""
    return tag("p", sentence, " The model predicts: ", listed, more, ".", class_="lead")


def _render_remarks(study: Study) -> Markup | None:
    """Render remarks that could change what the figures mean."""
    remarks = [
        _remark_on_few_rows(study),
        *_remarks.list_remarks(study),
        _remark_on_threshold(study),
    ]
    items = [tag("li", one) for one in remarks if one is not None]
    return join([tag("h3", "Before you trust these figures"), tag("ul", items)]) if items else None


def _remark_on_few_rows(study: Study) -> str | None:
    # at a hundred rows an interval is up to 19 percentage points wide
    if len(study.data) >= 100 or not study.has_labels:
        return None
    return (
        f"Only {plural(len(study.data), study.thing)}: the intervals are wide, and one more error "
        "would change every figure."
    )


def _remark_on_threshold(study: Study) -> Markup | None:
    if len(study.classes) != 2 or study.has_label_sets or not study.threshold:
        return None
    return join([f"The decision threshold was moved: {study.decision}."])
