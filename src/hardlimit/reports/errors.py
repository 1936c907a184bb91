"""The wrong answers that were given most confidently: errors of the model, or of the labels."""

from __future__ import annotations

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.reports._cards import cards
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._study import Study

PLACE = 100
TITLE = "The most confident errors"


def content(study: Study) -> Markup | None:
    """Wrong answers of known classes, the largest lead first; each text once."""
    if not study.judged or not study.examples_shown:
        return None
    wrong = [
        place
        for place in np.flatnonzero(~study.right).tolist()
        if study.true[place] in study.classes
    ]
    if not wrong:
        return tag("p", "There are none: no row of a known class was answered wrongly.")
    wrong.sort(key=lambda place: (-study.lead[place], place))
    errors = plural(len(wrong), "wrong answer")
    return joined(
        [
            tag(
                "p",
                f"Of {errors}, those with the largest lead. Look at their labels first: some may "
                "be the label's error and not the model's.",
            ),
            cards(study, first_of_each(study, wrong)),
        ]
    )


def first_of_each(study: Study, places: list[int]) -> list[int]:
    """The first few places, rows that say the same as one before left out."""
    met: set[bytes] = set()
    found: list[int] = []
    for place in places:
        if len(found) == study.examples_shown:
            break
        key = study.facts.folded[place]
        if key not in met:
            met.add(key)
            found.append(place)
    return found
