"""A row as the report shows it: the beginning of a text, or the first numbers."""

from __future__ import annotations

from hardlimit.reports._markup import Markup, shown, tag
from hardlimit.reports._reasons import column_name, entries
from hardlimit.reports._study import Study

LONGEST = 420
LOOKED_AT = 4 * LONGEST
NUMBERS_SHOWN = 8


def of(study: Study, place: int) -> Markup:
    """The row at a place, short."""
    if study.is_text:
        example = study.data.examples[place]
        return _text(example)
    columns, values = entries(study.data.examples, place)
    pairs = [
        [", " if at else "", shown(column_name(study, int(c))), f" = {v:g}"]
        for at, (c, v) in enumerate(
            zip(columns[:NUMBERS_SHOWN], values[:NUMBERS_SHOWN], strict=True)
        )
    ]
    more = f", and {len(columns) - NUMBERS_SHOWN:,} more" if len(columns) > NUMBERS_SHOWN else ""
    return tag("p", pairs or "all zeros", more, class_="row")


def _text(example: str | bytes) -> Markup:
    head = example[:LOOKED_AT]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    text = " ".join(text.split())
    cut = text[:LONGEST]
    left = len(text) > LONGEST or len(example) > LOOKED_AT
    if not cut:
        return tag("blockquote", tag("em", "(an empty text)"))
    more = tag("span", f" … {len(example):,} in all", class_="where") if left else None
    return tag("blockquote", tag("bdi", cut), more, dir="auto")
