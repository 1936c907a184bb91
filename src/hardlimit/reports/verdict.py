"""The answer in one sentence, the figures that carry it, and what to look at before trusting it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hardlimit import describing
from hardlimit.evaluation import matthews
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _data_facts
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import percent

PLACE = 10
TITLE = "The verdict"


def content(study: Study) -> Markup:
    """The verdict; without labels, what was answered."""
    if not study.labelled:
        return joined([_without_labels(study), _beware(study)])
    if study.many:
        return joined([_of_many(study), _beware(study)])
    return joined([_sentence(study), _tiles(study), _beware(study)])


def _sentence(study: Study) -> Markup:
    found = study.figures
    low, high = found.interval
    parts: list[Any] = [
        f"Of {plural(found.n, study.thing)}, {found.right:,} were answered rightly: ",
        tag("strong", percent(found.accuracy)),
        f", 95 % sure to lie between {percent(low)} and {percent(high)}. Always saying ",
        shown(found.majority),
        f" would be right for {percent(found.baseline)}: ",
        _compared(low, high, found.baseline),
    ]
    return tag("p", parts, class_="lead")


def _compared(low: float, high: float, baseline: float) -> str:
    if low > baseline:
        return "the model is better than that, beyond chance."
    if high < baseline:
        return "the model is worse than that, beyond chance."
    return "these rows do not show that the model is better than that."


def _tiles(study: Study) -> Markup:
    found = study.figures
    correlation = matthews(found.confusion)
    tiles = [
        ("accuracy", f"{found.accuracy:.4f}"),
        ("errors", f"{found.n - found.right:,}"),
        ("macro-F1", f"{found.macro_f1:.4f}"),
        ("Matthews' correlation", f"{correlation.value:.4f}"),
    ]
    return tag("dl", [tag("div", tag("dt", a), tag("dd", b)) for a, b in tiles], class_="tiles")


def _without_labels(study: Study) -> Markup:
    sentence = (
        f"The {plural(len(study.data), study.thing)} have no labels, so that nothing here says how "
        "good the answers are; figures that need labels are left out."
    )
    if study.many:
        return tag("p", sentence, class_="lead")
    answered = Counter(study.said).most_common()
    listed = [[", " if at else "", shown(x), f" {n:,}"] for at, (x, n) in enumerate(answered[:12])]
    more = f" and {len(answered) - 12} more classes" if len(answered) > 12 else ""
    return tag("p", sentence, " The model answers: ", listed, more, ".", class_="lead")


def _of_many(study: Study) -> Markup:
    from hardlimit.reports import many_labels

    return many_labels.sentence(study)


def _beware(study: Study) -> Markup | None:
    """Remarks that could change what the figures mean."""
    remarks = [_few(study), *_data_facts.remarks(study), _threshold(study)]
    items = [tag("li", one) for one in remarks if one is not None]
    return joined([tag("h3", "Before you trust it"), tag("ul", items)]) if items else None


def _few(study: Study) -> str | None:
    if len(study.data) >= 100 or not study.labelled:
        return None
    return (
        f"Only {plural(len(study.data), study.thing)}: the intervals are wide, and one more error "
        "would move every figure."
    )


def _threshold(study: Study) -> Markup | None:
    if len(study.classes) != 2 or study.many or not study.threshold:
        return None
    said = describing.decision(study.classes, study.threshold)
    return joined([f"The decision threshold was moved: {said}."])
