"""The most telling terms or columns of each class: those with the largest weights."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from hardlimit import describing
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.reports._markup import Markup, cut_label, join, tag
from hardlimit.reports._reasons import name_weight
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_bar, render_note, render_table

PLACE = 90
TITLE = "Most telling terms of each class"
TOP = 12
CLASSES_SHOWN, CLASSES_AT_ALL = 4, 100


def content(study: Study) -> Markup | None:
    """Render terms or columns with their weights as bars; None without single weights."""
    if not study.has_weights:
        return None
    if study.is_text:
        terms_of_classes = describing.telling_terms(study.model, TOP)
        tables = [(label, terms) for label, terms in terms_of_classes.items() if terms]
        return _render_side_by_side(study, tables, "term")
    weights, _ = study.weights
    labels = (
        # two classes share one weight vector, which points to the second
        study.classes[1:] if len(study.classes) == 2 and not study.has_label_sets else study.classes
    )
    tables = [
        (label, _find_heaviest(study, row)) for label, row in zip(labels, weights, strict=True)
    ]
    return _render_side_by_side(study, tables, "column")


def _find_heaviest(study: Study, row: Array) -> list[tuple[str, float]]:
    """Return the columns of the largest weights of either sign; those of 0 say nothing."""
    places = abs(row).argsort(kind="stable")[::-1][:TOP]
    return [(name_weight(study, int(at)), float(row[at])) for at in places if row[at]]


def _render_side_by_side(study: Study, tables: list[tuple[Any, Any]], what: str) -> Markup | None:
    if not tables:
        return None
    many = len(tables) > CLASSES_SHOWN
    if many and study.is_judged:
        # the classes that the model gets wrong most, as in the table of their figures
        f1 = {one.label: (not one.support, one.f1) for one in study.figures.classes}
        tables.sort(key=lambda one: f1[one[0]])
    made = [_render_table(label, terms, what) for label, terms in tables[:CLASSES_AT_ALL]]
    left = len(tables) - CLASSES_AT_ALL
    more = render_note(f"{plural(left, 'more class is', 'more classes are')} not shown.")
    which = " The classes with the lowest F1 come first." if many and study.is_judged else ""
    return join(
        [
            tag("p", _explain_weights(study) + which),
            tag("div", made[:CLASSES_SHOWN], class_="pair"),
            _render_folded(made[CLASSES_SHOWN:]) if many else None,
            more if left > 0 else None,
        ]
    )


def _render_folded(made: list[Markup]) -> Markup:
    """Render tables in a part that is opened by a click."""
    summary = tag("summary", plural(len(made), "more class", "more classes"))
    return tag("details", summary, tag("div", made, class_="pair"))


def _explain_weights(study: Study) -> str:
    if study.is_text:
        return (
            "The terms with the largest weights. A term adds its weight times its value in the "
            "text "
            "to the score; the value is smaller in longer texts and for common terms."
        )
    return (
        "The columns with the largest weights. A column adds its weight times its value to the "
        "score, so the weights of columns in different units cannot be compared."
    )


def _render_table(label: Hashable, terms: list[tuple[str, float]], what: str) -> Markup:
    largest = max((abs(weight) for _, weight in terms), default=0.0)
    rows = [
        (
            tag("bdi", name),
            render_bar(weight, largest),
            f"{weight:+.4f}" if what == "term" else f"{weight:+.4g}",
        )
        for name, weight in terms
    ]
    return tag("div", render_table(f"For {cut_label(label)}", (what, "", ">weight"), rows))
