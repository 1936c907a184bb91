"""The rows: how many of which class, how long, which repeat each other, which disagree."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hardlimit import describing
from hardlimit.engine import is_sparse
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _excerpt
from hardlimit.reports._charts import Axis, Bars, chart
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import facts, note, percent, table
from hardlimit.reports._twins import Conflict

PLACE = 20
TITLE = "The data"
CLASSES_SHOWN = 100
CONFLICTS_SHOWN = 5


def content(study: Study) -> Markup:
    """Classes, lengths, duplicates and conflicts."""
    return joined(
        [
            facts(_facts(study)),
            None if study.many else _classes(study),
            _lengths(study),
            _conflicts(study),
        ]
    )


def _facts(study: Study) -> list[tuple[str, Any]]:
    examples, found = study.data.examples, study.facts
    pairs: list[tuple[str, Any]] = [(f"{study.thing}s", f"{len(study.data):,}")]
    if not study.is_text:
        pairs.append(("columns", f"{examples.shape[1]:,}"))
    pairs.append(("repeat an earlier one, exactly", _share(found.exact.repeated, study)))
    if study.is_text:
        pairs.append(("... or but for case and space", _share(found.alike.repeated, study)))
    if found.empty:
        pairs.append(("empty" if study.is_text else "zeros only", _share(found.empty, study)))
    if study.judged:
        pairs.append(("alike, with different labels", _conflicting(study)))
    if study.known is not None:
        pairs.append(("without a known term", _share(int((study.known == 0).sum()), study)))
    if found.seen is not None:
        pairs.append(("also among the training rows", _share(int(found.seen.sum()), study)))
    return pairs


def _share(number: int, study: Study) -> str:
    return f"{number:,} ({percent(number / len(study.data))})" if number else "none"


def _conflicting(study: Study) -> str:
    found = study.facts.conflicts
    if not found:
        return "none"
    rows = sum(len(one.rows) for one in found)
    return f"{plural(rows, 'row')} in {plural(len(found), 'group')}"


def _classes(study: Study) -> Markup:
    trained = dict(_trained(study))
    labels = study.counts if study.judged else Counter[Any]()
    said = Counter(study.said)
    order = sorted(
        {**dict.fromkeys(study.classes), **dict.fromkeys(labels)},
        key=lambda label: (-labels[label], -said[label], str(label)),
    )
    rows = []
    for label in order[:CLASSES_SHOWN]:
        n = labels[label]
        row: list[str] = [shown(label)]
        if study.judged:
            row += [f"{n:,}", percent(n / len(study.data))]
        row.append(f"{said[label]:,}")
        if trained:
            row.append(f"{trained[label]:,}" if label in trained else "unknown to the model")
        rows.append(row)
    head = ["class", ">rows", ">share"] if study.judged else ["class"]
    head += [">answered", *([">in training"] if trained else [])]
    left = len(order) - CLASSES_SHOWN
    foot = f"{plural(left, 'class', 'classes')} with fewer rows are left out." if left > 0 else None
    return table("Classes of these rows", head, rows, foot=foot)


def _trained(study: Study) -> list[tuple[Any, int]]:
    """Classes with their training rows, of the training file or as the model file remembers."""
    if study.train is not None and study.train.labels is not None:
        from hardlimit.evaluation import as_known

        return Counter(as_known(study.train.labels, study.classes)).most_common()
    return [(label, n) for label, n in study.model.metadata.get(describing.COUNTS) or []]


def _lengths(study: Study) -> Markup:
    """How long the rows are: characters of texts, numbers other than 0."""
    examples = study.data.examples
    if study.is_text:
        what, lengths = "characters", np.array([len(one) for one in examples])
    elif is_sparse(examples):
        what, lengths = "numbers other than 0", np.diff(examples.indptr)
    else:
        what, lengths = "numbers other than 0", (np.asarray(examples) != 0).sum(axis=1)
    marks = [int(x) for x in np.sort(lengths)[_places(len(lengths))]]
    said = "shortest {:,}, median {:,}, longest of 95 % {:,}, longest {:,}".format(*marks)
    return joined(
        [
            tag("h3", "Lengths"),
            tag("p", f"A {study.thing} has so many {what}: {said}."),
            _picture(lengths, what, marks) if marks[0] < marks[3] and len(lengths) >= 20 else None,
        ]
    )


def _places(n: int) -> list[int]:
    return [0, (n - 1) // 2, (95 * (n - 1)) // 100, n - 1]


def _picture(lengths: Any, what: str, marks: list[int]) -> Markup:
    """Lengths up to the longest of 95 %, in even bins; those beyond stand in the sentence."""
    top = max(marks[2], marks[0] + 1)
    across = Axis.over(f"{what} (the longest 5 % left out)", 0, top)
    edges = np.linspace(0, across.high, 31)
    heights, _ = np.histogram(lengths[lengths <= top], edges)
    up = Axis.over("rows", 0, int(heights.max()))
    bars = Bars(edges.tolist(), [float(h) for h in heights])
    said = f"From {marks[0]:,} to {marks[3]:,} {what}, half of the rows have at most {marks[1]:,}"
    return chart("How long the rows are", said, across, up, [bars])


def _conflicts(study: Study) -> Markup | None:
    found = study.facts.conflicts
    if not found:
        return None
    return joined(
        [
            tag("h3", "The same, with different labels"),
            [_conflict(study, one) for one in found[:CONFLICTS_SHOWN]],
            note(f"{plural(len(found) - CONFLICTS_SHOWN, 'more group', 'more groups')}.")
            if len(found) > CONFLICTS_SHOWN
            else None,
        ]
    )


def _conflict(study: Study, one: Conflict) -> Markup:
    counted = Counter(one.labels).most_common()
    labels = [[", " if at else "", shown(x), f" {n:,} times"] for at, (x, n) in enumerate(counted)]
    rows = ", ".join(f"{row + 1:,}" for row in one.rows[:6]) + (
        ", ..." if len(one.rows) > 6 else ""
    )
    return tag(
        "article",
        tag("p", labels, tag("span", f"rows {rows}", class_="where"), class_="head"),
        _excerpt.of(study, one.rows[0]),
    )
