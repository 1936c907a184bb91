"""The wrong predictions furthest ahead of the true class: errors of model or labels."""

from __future__ import annotations

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.reports._cards import render_error_cards
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study

PLACE = 16
TITLE = "Most confident errors"


def content(study: Study) -> Markup | None:
    """Render the wrong predictions that are furthest ahead of the true class; each text once."""
    if not study.is_judged or not study.examples_shown:
        return None
    wrong = [
        place
        for place in np.flatnonzero(~study.correct).tolist()
        # labels that the model never saw have a remark of their own in the summary
        if study.true[place] in study.classes
    ]
    if not wrong:
        return tag("p", "There are none: every row of a known class is correct.")
    # the place breaks ties, so that the same rows give the same page
    wrong.sort(key=lambda place: (-study.misses[place], place))
    errors = plural(len(wrong), "wrong prediction")
    return join(
        [
            tag(
                "p",
                f"Of {errors}, those whose predicted class is furthest ahead of the true one. "
                "Check their labels first: some of these rows may be labelled wrongly.",
            ),
            render_error_cards(study, take_distinct(study, wrong)),
        ]
    )


def take_distinct(study: Study, places: list[int]) -> list[int]:
    """Return the first few places, leaving out rows that say the same as one before."""
    seen: set[str | bytes] = set()
    distinct: list[int] = []
    for place in places:
        if len(distinct) == study.examples_shown:
            break
        # the same text with other spaces would teach the reader nothing new
        key = study.data_facts.folded[place]
        if key not in seen:
            seen.add(key)
            distinct.append(place)
    return distinct
