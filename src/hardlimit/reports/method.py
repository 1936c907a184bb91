"""How the figures were made, for those who want to check them."""

from __future__ import annotations

from hardlimit.reports._markup import Markup, tag
from hardlimit.reports._study import Study

PLACE = 200
TITLE = "How these figures were made"


def content(study: Study) -> Markup:
    """Intervals, ties, and what repeats."""
    items = []
    if study.judged:
        items = [
            "Intervals hold with 95 % confidence for rows that were drawn independently. Shares "
            "have Wilson's interval; F1 of a class has it through the share of right rows among "
            "those where the class is true or answered; macro-F1 and Matthews' correlation have "
            "that of the delta method, and the area under the ROC curve DeLong's. No random "
            "numbers are drawn.",
            "Labels that the model does not know count as mistakes. Precision, recall and F1 of a "
            "class that is never answered or never true are 0 in the means.",
        ]
    items += [
        "At a tie the first class is answered. Rows count from 1, in the order of the file.",
        "The same model and rows give the same report, byte for byte: it holds no date, no path "
        "and nothing of the machine.",
    ]
    return tag("ul", [tag("li", text) for text in items])
