"""One explanation as a page: the text with its telling words marked, and what each term added."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from hardlimit.classifiers.model.explanation import Explanation, split_words
from hardlimit.foundation.formatting import format_label, format_signed, plural
from hardlimit.reports._markup import Markup, cut_label, tag
from hardlimit.reports._page import render_document
from hardlimit.reports._tables import render_bar, render_note, render_table

# Steps of the ground behind a word, by its share of the heaviest one.
_STEPS = 4


class Marked(NamedTuple):
    """A text, the weights of its words, and the column that it stands in, if there are several."""

    text: str
    weights: Mapping[str, float]
    column: str | None = None


def render_explanation(explanation: Explanation, texts: Sequence[Marked] = ()) -> str:
    """Render an explanation as HTML that loads nothing."""
    label, against = cut_label(explanation.label), cut_label(explanation.against)
    title = f"Why {format_label(label)} and not {format_label(against)}"
    lead = tag(
        "p",
        f"Score {format_signed(explanation.score, 4)} of {label} against {against}.",
        class_="lead",
    )
    parts: list[Any] = [tag("h1", title), lead]
    # One measure for all columns: words of a column that hardly counts stay pale.
    largest = max((abs(w) for one in texts for w in one.weights.values()), default=0.0)
    for one in texts:
        if one.column is not None:
            parts.append(tag("h2", tag("bdi", cut_label(one.column))))
        parts.append(_render_text(one.text, one.weights, largest))
    if texts:
        parts.append(_render_key())
    parts.append(_render_terms(explanation))
    if explanation.blocks:
        parts.append(_render_blocks(explanation))
    return render_document(title, tag("main", *parts))


def render_label_explanations(parts: Mapping[Hashable, Explanation]) -> str:
    """Render the explanations of several labels as HTML that loads nothing, a part for each."""
    title = "Why these labels"
    shown: list[Any] = [tag("h1", title)]
    for label, one in parts.items():
        name, value = format_label(cut_label(label)), format_label(cut_label(one.label))
        against = format_label(cut_label(one.against))
        shown += [
            tag("h2", f"{name}: {value}"),
            tag("p", f"Score {format_signed(one.score, 4)} of {value} against {against}."),
            _render_terms(one),
        ]
    return render_document(title, tag("main", *shown))


def _render_text(text: str, weights: Mapping[str, float], largest: float) -> Markup:
    lines = []
    # Line by line: markup folds white space, and a mail has its lines.
    for line in text.splitlines() or [""]:
        pieces: list[Any] = []
        for piece, weight in split_words(line, weights):
            step = round(_STEPS * abs(weight) / largest) if weight else 0
            kind = f"{'for' if weight > 0 else 'against'} s{step}"
            pieces.append(tag("mark", piece, class_=kind) if step else piece)
        lines.append(tag("p", tag("bdi", pieces), dir="auto"))
    return tag("blockquote", lines, class_="whole")


def _render_key() -> Markup:
    return render_note(
        "Words ",
        tag("mark", "underlined", class_="for s3"),
        " speak for the prediction, words with a ",
        tag("mark", "wavy", class_="against s3"),
        " line against it; the stronger, the more.",
    )


def _render_blocks(explanation: Explanation) -> Markup:
    largest = max(abs(one.contribution) for one in explanation.blocks)
    rows = [
        (
            tag("bdi", cut_label(one.block)),
            render_bar(one.contribution, largest),
            f"{one.n_terms:,}",
            format_signed(one.contribution, 4),
        )
        for one in explanation.blocks
    ]
    head = ("block", "", ">terms", ">contribution")
    return render_table("What each block of terms added", head, rows)


def _render_terms(explanation: Explanation) -> Markup:
    largest = max((abs(one.contribution) for one in explanation.terms), default=0.0)
    rows: list[tuple[Any, ...]] = [
        (
            tag("bdi", one.term),
            render_bar(one.contribution, largest),
            format_signed(one.contribution, 4),
        )
        for one in sorted(explanation.terms, key=lambda one: (-abs(one.contribution), one.term))
    ]
    left = explanation.known_features - len(explanation.terms)
    if left > 0:
        more = plural(left, f"more {explanation.thing}")
        rows.append((tag("em", more), "", format_signed(explanation.others, 4)))
    rows.append((tag("em", "intercept"), "", format_signed(explanation.intercept, 4)))
    rows.append((tag("em", "score"), "", format_signed(explanation.score, 4)))
    head = (explanation.thing, "", ">contribution")
    return render_table("What each added to the score", head, rows)
