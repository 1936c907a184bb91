"""How the figures were made, for those who want to check them."""

from __future__ import annotations

from hardlimit.reports._markup import Markup, tag
from hardlimit.reports._study import Study

PLACE = 200
TITLE = "How the figures are computed"
BACKGROUND = True


def content(study: Study) -> Markup:
    """List how intervals and ties are made, and what is reproducible."""
    items = []
    if study.is_judged:
        items = [
            "The intervals are 95 % confidence intervals for rows drawn independently: Wilson's "
            "for "
            "shares, and for the F1 of a class through the share of correct rows among those where "
            "the class is true or predicted; the delta method's for macro-F1 and the Matthews "
            "correlation; DeLong's for the area under the ROC curve. No random numbers are drawn.",
            "Labels that the model does not know count as errors. Precision, recall and F1 of a "
            "class that is never predicted or never true count as 0 in the means.",
        ]
    elif study.has_labels:
        items = [
            "The intervals are Wilson's 95 % confidence intervals for rows drawn independently."
        ]
    items += [
        "At a tie the first class is predicted. Rows count from 1, in the order of the file.",
        "The same model and rows give the same report, byte for byte: it holds no date, no path "
        "and nothing of the machine.",
    ]
    return tag("ul", [tag("li", text) for text in items])
