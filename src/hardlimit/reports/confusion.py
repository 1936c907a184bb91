"""Which class was taken for which: a table of counts, the darker the more of its class."""

from __future__ import annotations

from typing import Any

from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import percent, table

PLACE = 50
TITLE = "What was taken for what"
LARGEST = 20  # classes of a whole table
PAIRS = 20


def content(study: Study) -> Markup | None:
    """The whole table of few classes; of many the pairs that are mixed up most."""
    if not study.judged:
        return None
    labels = [one.label for one in study.figures.classes]
    if len(labels) <= LARGEST:
        return joined([_whole(study, labels), _pairs(study) if len(labels) > 4 else None])
    return _pairs(study)


def _whole(study: Study, labels: list[Any]) -> Markup:
    found = study.figures
    support = {one.label: one.support for one in found.classes}
    rows = []
    for true in labels:
        cells: list[Any] = [shown(true)]
        for said in labels:
            cells.append(_cell(found.confusion.get((true, said), 0), support[true], true == said))
        rows.append([*cells, f"{support[true]:,}"])
    head = ["true class", *(f">{name}" for name in map(_plain, labels)), ">rows"]
    kind = "heat tall" if len(labels) > 4 else "heat"
    return table("True classes by answers", head, rows, kind=kind)


def _plain(label: Any) -> str:
    name = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    name = " ".join(name.split())
    return name if len(name) <= 24 else name[:23] + "…"


def _cell(n: int, of: int, is_right: bool) -> Markup:
    share = n / of if of else 0.0
    kind = "right" if is_right else "wrong" if n else None
    title = f"{percent(share)} of the row" if n else None
    style = f"--share:{share:.3f}" if n else None
    text = tag("b", f"{n:,}") if is_right else f"{n:,}" if n else "·"
    return tag("td", text, class_=f"n {kind}" if kind else "n", style=style, title=title)


def _pairs(study: Study) -> Markup | None:
    found = study.figures
    support = {one.label: one.support for one in found.classes}
    wrong = [(n, true, said) for (true, said), n in found.confusion.items() if true != said]
    if not wrong:
        return None
    wrong.sort(key=lambda one: -one[0])
    rows = [
        (shown(true), shown(said), f"{n:,}", percent(n / support[true]))
        for n, true, said in wrong[:PAIRS]
    ]
    left = len(wrong) - PAIRS
    foot = f"{plural(left, 'rarer pair')} left out." if left > 0 else None
    head = ("class", "taken for", ">rows", ">of the class")
    return table("Most often mixed up", head, rows, foot=foot)
