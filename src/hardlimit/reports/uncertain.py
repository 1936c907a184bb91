"""The rows nearest to the border: the next to be labelled, or looked at by a person."""

from __future__ import annotations

import numpy as np

from hardlimit.reports._cards import cards
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._study import Study
from hardlimit.reports.errors import first_of_each

PLACE = 110
TITLE = "The least certain answers"


def content(study: Study) -> Markup | None:
    """The smallest leads, each text once."""
    if study.many or not study.examples_shown:
        return None
    order = np.argsort(study.lead, kind="stable").tolist()
    said = "Those with the smallest lead, right or wrong: a small change turns them round."
    return joined([tag("p", said), cards(study, first_of_each(study, order))])
