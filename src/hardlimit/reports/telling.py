"""What speaks for each class: its heaviest terms or columns."""

from __future__ import annotations

from typing import Any

from hardlimit import describing
from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._reasons import column_name
from hardlimit.reports._study import Study
from hardlimit.reports._tables import bar_cell, note, table

PLACE = 90
TITLE = "What speaks for each class"
TOP = 12
CLASSES_SHOWN = 30


def content(study: Study) -> Markup | None:
    """Terms or columns with their weights as bars; None where no single weights answer."""
    if not study.has_weights:
        return None
    if study.is_text:
        found = describing.telling_terms(study.model, TOP)
        tables = [(label, terms) for label, terms in found.items() if terms]
        return _side_by_side(study, tables, "term")
    weights, _ = study.weights
    labels = study.classes[1:] if len(study.classes) == 2 and not study.many else study.classes
    tables = [(label, _heaviest(study, row)) for label, row in zip(labels, weights, strict=True)]
    return _side_by_side(study, tables, "column")


def _heaviest(study: Study, row: Any) -> list[tuple[str, float]]:
    """The columns of the largest weights of either sign; those of 0 say nothing."""
    places = abs(row).argsort(kind="stable")[::-1][:TOP]
    return [(column_name(study, int(at)), float(row[at])) for at in places if row[at]]


def _side_by_side(study: Study, tables: list[tuple[Any, Any]], what: str) -> Markup | None:
    if not tables:
        return None
    if len(tables) > CLASSES_SHOWN and study.judged:  # those with most rows
        tables.sort(key=lambda one: -study.counts[one[0]])
    shown_ones = [_table(label, terms, what) for label, terms in tables[:CLASSES_SHOWN]]
    left = len(tables) - CLASSES_SHOWN
    return joined(
        [
            tag("p", _said(study)),
            tag("div", shown_ones, class_="pair"),
            note(f"{plural(left, 'more class', 'more classes')} left out.") if left > 0 else None,
        ]
    )


def _said(study: Study) -> str:
    if study.is_text:
        return (
            "The terms of the largest weights. A term adds its weight times its value in the text, "
            "which is smaller in longer texts and for common terms."
        )
    return (
        "The columns of the largest weights. A column adds its weight times its value, so that "
        "weights of columns in different units do not compare."
    )


def _table(label: Any, terms: list[tuple[str, float]], what: str) -> Markup:
    largest = max((abs(weight) for _, weight in terms), default=0.0)
    rows = [
        (
            tag("bdi", name),
            bar_cell(weight, largest),
            f"{weight:+.4f}" if what == "term" else f"{weight:+.4g}",
        )
        for name, weight in terms
    ]
    name = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    return tag("div", table(f"For {name}"[:80], (what, "", ">weight"), rows))
