"""A row as the report shows it: the beginning of a text, its telling words marked, or numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hardlimit.classifiers.model.explanation import Explanation, terms_of_column
from hardlimit.classifiers.model.forms import ByForm
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
    shown: Markup = study.fitted.form.do(_Excerpt(study, place, why))
    return shown


class _Excerpt(ByForm[Markup]):
    """Renders a row, short."""

    def __init__(self, study: Study, place: int, why: Explanation | None) -> None:
        self._study, self._place, self._why = study, place, why

    def numbers(self) -> Markup:
        """Render the numbers other than 0."""
        study = self._study
        columns, values = read_numbers(study.data.examples).entries(self._place)
        pairs = [
            [", " if at else "", render_label(name_column(study, int(c))), f" = {v:g}"]
            for at, (c, v) in enumerate(
                zip(columns[:NUMBERS_SHOWN], values[:NUMBERS_SHOWN], strict=True)
            )
        ]
        left = len(columns) - NUMBERS_SHOWN
        more = f", and {left:,} more" if left > 0 else ""
        return tag("p", pairs or "all zeros", more, class_="row")

    def one_text(self) -> Markup:
        """Render the text."""
        terms = () if self._why is None else self._why.terms
        words = {one.term: one.contribution for one in terms}
        return _render_text(self._study.data.examples[self._place], words)

    def text_columns(self) -> Markup:
        """Render the text of each column."""
        return _render_columns(self._study, self._place, self._why)


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
