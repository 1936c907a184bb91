"""The rows nearest to the boundary: the next to label, or to show to a person."""

from __future__ import annotations

import numpy as np

from hardlimit.reports._cards import render_cards
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study
from hardlimit.reports.errors import take_distinct

PLACE = 110
TITLE = "Least confident predictions"


def content(study: Study) -> Markup | None:
    """Render the predictions with the smallest leads, each text once."""
    if study.has_label_sets or not study.examples_shown:
        return None
    # stable: equal leads stay in the order of the file, as ties among the errors do
    order = np.argsort(study.leads, kind="stable").tolist()
    sentence = (
        "The predictions with the smallest lead, correct or wrong: a small change reverses them."
    )
    return join([tag("p", sentence), render_cards(study, take_distinct(study, order))])
