"""One row with its answer and the reasons, as a card."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from hardlimit.classifiers.model.explanation import Explanation
from hardlimit.foundation.formatting import format_signed
from hardlimit.reports import _excerpt
from hardlimit.reports._markup import Markup, cut_label, join, render_label, tag
from hardlimit.reports._reasons import explain_row
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_bar, render_note, render_table

FEW = 3  # cards that are all open


def render_cards(study: Study, places: Sequence[int]) -> Markup:
    """Render a card for each of these rows, explained against the runner-up."""
    return join([_render_key(study), *_render_each(study, places, [None] * len(places), 0)])


def render_error_cards(study: Study, places: Sequence[int]) -> Markup:
    """Render a card for each of these wrong predictions, explained against the true class."""
    against = [study.true[place] for place in places]
    return join([_render_key(study), *_render_each(study, places, against, 1)])


def _render_each(
    study: Study, places: Sequence[int], against: Sequence[Hashable | None], n_open: int
) -> Iterator[Markup]:
    """Render the cards; of many only the first ones have their reasons open."""
    if len(places) <= FEW:
        n_open = FEW
    for number, (place, other) in enumerate(zip(places, against, strict=True)):
        yield _render_card(study, place, other, is_open=number < n_open)


def _render_key(study: Study) -> Markup | None:
    """Explain what the lines under words mean."""
    if not (study.is_text and study.has_weights):
        return None
    straight = tag("mark", "underlined", class_="for")
    wavy = tag("mark", "wavy", class_="against")
    return render_note(
        "Words ", straight, " speak for the prediction, words with a ", wavy, " line against it."
    )


def _render_card(study: Study, place: int, against: Hashable | None, *, is_open: bool) -> Markup:
    predicted_label, why = study.predicted[place], explain_row(study, place, against)
    where = tag("span", f"row {place + 1:,}", class_="where")
    lead = f" with a lead of {study.leads[place]:.4f} "
    if against is not None:
        lead = f", ahead by {study.misses[place]:.4f} "
    if study.is_judged:
        true = study.true[place]
        verdict = "correctly" if true == predicted_label else "wrongly"
        predicted = [
            render_label(true),
            f", {verdict} predicted as ",
            render_label(predicted_label),
        ]
    else:
        predicted = ["predicted as ", render_label(predicted_label)]
    head = [predicted, lead, where]
    return tag(
        "article",
        tag("p", head, class_="head"),
        _excerpt.render_excerpt(study, place, why),
        _render_reasons(why, place, is_open=is_open),
    )


def _render_reasons(why: Explanation | None, place: int, *, is_open: bool) -> Markup | None:
    if why is None:
        return None
    # an empty table would look as if the reasons had been lost
    if not why.known_features:
        return render_note("The model knows no term of this text: the intercept alone decides.")
    # bars are in units of the row's heaviest term; they compare within a row only
    largest = max((abs(one.contribution) for one in why.terms), default=0.0)
    rows: list[tuple[Any, ...]] = [
        (
            tag("bdi", one.term),
            render_bar(one.contribution, largest),
            format_signed(one.contribution, 4),
        )
        for one in why.terms
    ]
    # the rest in one line, so that the column adds up to the score
    left = why.known_features - len(why.terms)
    if left > 0:
        rows.append((tag("em", f"{left:,} more"), "", format_signed(why.others, 4)))
    rows.append((tag("em", "intercept"), "", format_signed(why.intercept, 4)))
    # the names stand above the table: as heads of columns long ones would push the numbers out
    caption = f"Row {place + 1:,}: why {cut_label(why.label)} and not {cut_label(why.against)}"
    table = render_table(caption, ("term", "", ">contribution"), rows)
    if is_open:
        return table
    return tag("details", tag("summary", caption.partition(": ")[2]), table)
