"""The confusion matrix: a table of counts, the darker the larger the share of its class."""

from __future__ import annotations

from typing import Any

from hardlimit.reports._markup import Markup, join, render_label, render_label_on_a_line, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent, render_long_table, render_table

PLACE = 18
TITLE = "Confusion matrix"
LARGEST = 20  # classes of a whole table


def content(study: Study) -> Markup | None:
    """Render the whole table of few classes; of many the most frequent confusions."""
    if not study.is_judged:
        return None
    labels = [one.label for one in study.figures.classes]
    # a larger table is wider than a screen, and nearly all zeros
    if len(labels) <= LARGEST:
        return join(
            [_render_matrix(study, labels), _render_pairs(study) if len(labels) > 4 else None]
        )
    return _render_pairs(study)


def _render_matrix(study: Study, labels: list[Any]) -> Markup:
    figures = study.figures
    support = {one.label: one.support for one in figures.classes}
    rows = []
    for true in labels:
        cells: list[Any] = [render_label_on_a_line(true)]
        for predicted in labels:
            cells.append(
                _render_cell(
                    figures.confusion.get((true, predicted), 0), support[true], true == predicted
                )
            )
        rows.append([*cells, f"{support[true]:,}"])
    names = [tag("th", render_label_on_a_line(x), scope="col", class_="n") for x in labels]
    head = ["true class", *names, ">rows"]
    kind = "heat tall" if len(labels) > 4 else "heat"  # upright names have room
    return render_table("True classes in rows, predicted classes in columns", head, rows, kind=kind)


def _render_cell(n: int, of: int, is_right: bool) -> Markup:
    share = n / of if of else 0.0
    kind = "right" if is_right else "wrong" if n else None
    title = f"{format_percent(share)} of the class" if n else None
    style = f"--share:{share:.3f}" if n else None
    # a dot for none, so that the counts stand out
    text = tag("b", f"{n:,}") if is_right else f"{n:,}" if n else "·"
    return tag("td", text, class_=f"n {kind}" if kind else "n", style=style, title=title)


def _render_pairs(study: Study) -> Markup | None:
    figures = study.figures
    support = {one.label: one.support for one in figures.classes}
    wrong = [
        (n, true, predicted)
        for (true, predicted), n in figures.confusion.items()
        if true != predicted
    ]
    if not wrong:
        return None
    wrong.sort(key=lambda one: -one[0])
    rows = [
        (render_label(true), render_label(predicted), f"{n:,}", format_percent(n / support[true]))
        for n, true, predicted in wrong
    ]
    head = ("true class", "predicted as", ">rows", ">of the class")
    return render_long_table("Most frequent confusions", head, rows, "pairs")
