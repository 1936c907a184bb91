"""The most confident wrong predictions: errors of the model, or of the labels."""

from __future__ import annotations

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.reports._cards import render_cards
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study

PLACE = 100
TITLE = "Most confident errors"


def content(study: Study) -> Markup | None:
    """Wrong answers of known classes, the largest lead first; each text once."""
    if not study.is_judged or not study.examples_shown:
        return None
    wrong = [
        place
        for place in np.flatnonzero(~study.correct).tolist()
        if study.true[place] in study.classes
    ]
    if not wrong:
        return tag("p", "There are none: every row of a known class is correct.")
    wrong.sort(key=lambda place: (-study.leads[place], place))
    errors = plural(len(wrong), "wrong prediction")
    return join(
        [
            tag(
                "p",
                f"Of {errors}, those with the largest lead. Check their labels first: some of "
                "these "
                "rows may be labelled wrongly.",
            ),
            render_cards(study, take_distinct(study, wrong)),
        ]
    )


def take_distinct(study: Study, places: list[int]) -> list[int]:
    """The first few places, rows that say the same as one before left out."""
    seen: set[bytes] = set()
    distinct: list[int] = []
    for place in places:
        if len(distinct) == study.examples_shown:
            break
        key = study.data_facts.folded[place]
        if key not in seen:
            seen.add(key)
            distinct.append(place)
    return distinct
