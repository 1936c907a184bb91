"""One row with its answer and the reasons, as a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardlimit.classifiers.model.explanation import Explanation
from hardlimit.reports import _excerpt
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._reasons import reasons
from hardlimit.reports._study import Study
from hardlimit.reports._tables import bar_cell, note, table


def cards(study: Study, places: Sequence[int]) -> Markup:
    """A card for each of these rows."""
    return joined([_key(study), *(_card(study, place) for place in places)])


def _key(study: Study) -> Markup | None:
    """What the lines under words mean."""
    if not (study.is_text and study.has_weights):
        return None
    straight = tag("mark", "underlined", class_="for")
    wavy = tag("mark", "wavy", class_="against")
    return note("Words ", straight, " speak for the answer, those with a ", wavy, " line against.")


def _card(study: Study, place: int) -> Markup:
    said, why = study.said[place], reasons(study, place)
    where = tag("span", f"row {place + 1:,}", class_="where")
    lead = f"{study.lead[place]:.4f}"
    if study.judged:
        true = study.true[place]
        verdict = "rightly" if true == said else "wrongly"
        head = [
            shown(true),
            f", {verdict} answered ",
            shown(said),
            f" with a lead of {lead} ",
            where,
        ]
    else:
        head = ["answered ", shown(said), f" with a lead of {lead} ", where]
    return tag(
        "article",
        tag("p", head, class_="head"),
        _excerpt.of(study, place, why),
        _reasons(why, place),
    )


def _reasons(found: Explanation | None, place: int) -> Markup | None:
    if found is None:
        return None
    if not found.known_features:
        return note("Nothing in it is known to the model: the intercept answers.")
    largest = max((abs(one.contribution) for one in found.terms), default=0.0)
    rows: list[tuple[Any, ...]] = [
        (
            tag("bdi", one.term),
            bar_cell(one.contribution, largest),
            f"{one.contribution:+.4f}",
        )
        for one in found.terms
    ]
    left = found.known_features - len(found.terms)
    if left > 0:
        rows.append((tag("em", f"{left:,} more"), "", f"{found.others:+.4f}"))
    rows.append((tag("em", "intercept"), "", f"{found.intercept:+.4f}"))
    head = ("it says", "", f">for {_name(found.label)}")
    return table(
        f"Why row {place + 1:,}: for {_name(found.label)}, against {_name(found.against)}",
        head,
        rows,
    )


def _name(label: Any) -> str:
    name = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    return name if len(name) <= 40 else name[:39] + "…"
