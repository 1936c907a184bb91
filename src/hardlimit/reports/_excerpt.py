"""A row as the report shows it: the beginning of a text, its telling words marked, or numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hardlimit.classifiers.model.explanation import Explanation, terms_of_column
from hardlimit.examples.dense import read_numbers
from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, render_label, tag
from hardlimit.reports._reasons import name_column
from hardlimit.reports._study import Study

LONGEST = 420
MOST_DECODED = 4 * LONGEST
NUMBERS_SHOWN = 8
_LONGEST_VALUE = 60


_WORD = re.compile(r"(\w+)")


def render_excerpt(study: Study, place: int, why: Explanation | None = None) -> Markup:
    """Render a row, short; words of the reasons are marked as speaking for or against."""
    if study.text_columns:
        return _render_columns(study, place, why)
    if study.is_text:
        words = {} if why is None else {one.term: one.contribution for one in why.terms}
        return _render_text(study.data.examples[place], words)
    columns, values = read_numbers(study.data.examples).entries(place)
    pairs = [
        [", " if at else "", render_label(name_column(study, int(c))), f" = {v:g}"]
        for at, (c, v) in enumerate(
            zip(columns[:NUMBERS_SHOWN], values[:NUMBERS_SHOWN], strict=True)
        )
    ]
    more = f", and {len(columns) - NUMBERS_SHOWN:,} more" if len(columns) > NUMBERS_SHOWN else ""
    return tag("p", pairs or "all zeros", more, class_="row")


def _render_columns(study: Study, place: int, why: Explanation | None) -> Markup:
    """Render the text of each column behind its name, with the words of that column marked."""
    parts: list[Any] = []
    example = study.data.examples[place]
    if study.value_columns:
        values = dict(zip(study.text_columns, example, strict=True))
        parts.append(tag("p", _render_values(values, study.value_columns), class_="row"))
    for name, text in zip(study.text_columns, example, strict=True):
        if name in study.value_columns:
            continue
        terms = [] if why is None else terms_of_column(why, name)
        words = {one.term: one.contribution for one in terms}
        parts += [tag("p", render_label(name), class_="note"), _render_text(text, words)]
    # One element: beside it stand the reasons.
    return tag("div", parts)


def _render_values(values: dict[str, Any], names: Sequence[str]) -> list[Any]:
    """Render the numbers and categories of a row of a table."""
    parts: list[Any] = []
    for name in names:
        text = values[name]
        shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        end = f" = {shown[:_LONGEST_VALUE]}" if shown else " is missing"
        parts += [", " if parts else "", render_label(name), tag("bdi", end)]
    return parts


def _render_text(example: str | bytes, words: dict[str, float]) -> Markup:
    # a document may be a gigabyte: decode no more of it than can be shown
    head = example[:MOST_DECODED]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    # the line breaks of one message would fill a screen
    text = " ".join(text.split())
    cut = text[:LONGEST]
    left = len(text) > LONGEST or len(example) > MOST_DECODED
    if not cut:
        return tag("blockquote", tag("em", "(an empty text)"))
    more = (
        tag("span", f" … {plural(len(example), 'character')} in all", class_="where")
        if left
        else None
    )
    # dir="auto": a text in Hebrew or Arabic is set from the right
    return tag("blockquote", tag("bdi", _mark_words(cut, words)), more, dir="auto")


def _mark_words(text: str, words: dict[str, float]) -> list[Any]:
    """Split the text into pieces, and mark those that are among the words."""
    pieces: list[Any] = []
    plain = ""
    for piece in _WORD.split(text):
        # terms are in lower case, the text is shown as it was written
        weight = words.get(piece.lower(), 0.0)
        if not weight:
            plain += piece
            continue
        kind = "for" if weight > 0 else "against"
        pieces += [plain, tag("mark", piece, class_=kind)]
        plain = ""
    return [*pieces, plain]
