"""The rows: how many of which class, how long, which repeat each other, which disagree."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hardlimit import describing
from hardlimit.engine import is_sparse
from hardlimit.evaluation import match_labels
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.reports import _excerpt
from hardlimit.reports._charts import Axis, Bars, render_chart
from hardlimit.reports._duplicates import Example, LabelConflict
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent, render_facts, render_long_table, render_note

PLACE = 20
TITLE = "Data"
BACKGROUND = True
CONFLICTS_SHOWN = 5


def content(study: Study) -> Markup:
    """Render classes, lengths, duplicates and conflicts."""
    return join(
        [
            render_facts(_list_facts(study)),
            None if study.has_label_sets else _render_classes(study),
            _render_lengths(study),
            _render_conflicts(study),
        ]
    )


def _list_facts(study: Study) -> list[tuple[str, Any]]:
    examples, duplicates = study.data.examples, study.data_facts
    pairs: list[tuple[str, Any]] = [(f"{study.thing}s", f"{len(study.data):,}")]
    if not study.is_text:
        pairs.append(("columns", f"{examples.shape[1]:,}"))
    pairs.append(
        ("exact duplicates of an earlier one", _format_share(duplicates.exact.repeated, study))
    )
    if study.is_text:
        pairs.append(
            ("duplicates up to case and spaces", _format_share(duplicates.alike.repeated, study))
        )
    if duplicates.empty:
        pairs.append(
            ("empty" if study.is_text else "all zeros", _format_share(duplicates.empty, study))
        )
    if study.is_judged:
        pairs.append(("duplicates with different labels", _count_conflicting(study)))
    if study.known_terms is not None:
        pairs.append(
            ("without any known term", _format_share(int((study.known_terms == 0).sum()), study))
        )
    if duplicates.seen is not None:
        pairs.append(
            ("also in the training rows", _format_share(int(duplicates.seen.sum()), study))
        )
    return pairs


def _format_share(number: int, study: Study) -> str:
    return f"{number:,} ({format_percent(number / len(study.data))})" if number else "none"


def _count_conflicting(study: Study) -> str:
    duplicates = study.data_facts.conflicts
    if not duplicates:
        return "none"
    rows = sum(len(one.rows) for one in duplicates)
    return f"{plural(rows, 'row')} in {plural(len(duplicates), 'group')}"


def _render_classes(study: Study) -> Markup:
    trained = dict(_count_training_labels(study))
    labels = study.counts if study.is_judged else Counter[Any]()
    summary = Counter(study.predicted)
    # the name comes last, so that equal counts stand in the same order every time
    order = sorted(
        {**dict.fromkeys(study.classes), **dict.fromkeys(labels)},
        key=lambda label: (-labels[label], -summary[label], str(label)),
    )
    rows = []
    for label in order:
        n = labels[label]
        row: list[str] = [render_label(label)]
        if study.is_judged:
            row += [f"{n:,}", format_percent(n / len(study.data))]
        row.append(f"{summary[label]:,}")
        if trained:
            row.append(f"{trained[label]:,}" if label in trained else "unknown to the model")
        rows.append(row)
    head = ["class", ">rows", ">share"] if study.is_judged else ["class"]
    head += [">predicted", *([">in training"] if trained else [])]
    return render_long_table("Classes", head, rows, "classes")


def _count_training_labels(study: Study) -> list[tuple[Any, int]]:
    """Count the training rows of each class, in the training file or as the model remembers."""
    if study.train is not None and study.train.labels is not None:
        return Counter(match_labels(study.train.labels, study.classes)).most_common()
    return [(label, n) for label, n in study.model.metadata.get(describing.COUNTS) or []]


def _render_lengths(study: Study) -> Markup:
    """Render how long the rows are: characters of texts, numbers other than 0."""
    examples = study.data.examples
    if study.is_text:
        what, lengths = "characters", np.array([_count_characters(one) for one in examples])
    elif is_sparse(examples):
        what, lengths = "numbers other than 0", np.diff(examples.indptr)
    else:
        what, lengths = "numbers other than 0", (np.asarray(examples) != 0).sum(axis=1)
    marks = [int(x) for x in np.sort(lengths)[_quantile_positions(len(lengths))]]
    listed = "shortest {:,}, median {:,}, 95th percentile {:,}, longest {:,}".format(*marks)
    return join(
        [
            tag("h3", "Lengths"),
            tag("p", f"{what[0].upper()}{what[1:]} in a {study.thing}: {listed}."),
            # equal lengths, or a handful of rows, need no picture
            _draw_lengths(lengths, what, marks)
            if marks[0] < marks[3] and len(lengths) >= 20
            else None,
        ]
    )


def _count_characters(example: Example) -> int:
    return sum(map(len, example)) if isinstance(example, tuple) else len(example)


def _quantile_positions(n: int) -> list[int]:
    # no interpolation: each length on the page is that of a row
    return [0, (n - 1) // 2, (95 * (n - 1)) // 100, n - 1]


def _draw_lengths(lengths: Array, what: str, marks: list[int]) -> Markup:
    """Draw the lengths up to the 95th percentile, in even bins; the sentence has the longest."""
    # one very long row would press all others into the first bar
    top = max(marks[2], marks[0] + 1)
    across = Axis.over(f"{what} (longest 5 % not shown)", 0, top)
    edges = np.linspace(0, across.high, 31)
    heights, _ = np.histogram(lengths[lengths <= top], edges)
    up = Axis.over("rows", 0, int(heights.max()))
    bars = Bars(edges.tolist(), [float(h) for h in heights])
    summary = (
        f"From {marks[0]:,} to {marks[3]:,} {what}, half of the rows have at most {marks[1]:,}"
    )
    return render_chart("Length of the rows", summary, across, up, [bars])


def _render_conflicts(study: Study) -> Markup | None:
    duplicates = study.data_facts.conflicts
    if not duplicates:
        return None
    return join(
        [
            tag("h3", "Duplicates with different labels"),
            [_render_conflict(study, one) for one in duplicates[:CONFLICTS_SHOWN]],
            render_note(
                f"{plural(len(duplicates) - CONFLICTS_SHOWN, 'more group', 'more groups')}."
            )
            if len(duplicates) > CONFLICTS_SHOWN
            else None,
        ]
    )


def _render_conflict(study: Study, one: LabelConflict) -> Markup:
    counted = Counter(one.labels).most_common()
    labels = [
        [", " if at else "", render_label(x), f" ({n:,})"] for at, (x, n) in enumerate(counted)
    ]
    rows = ", ".join(f"{row + 1:,}" for row in one.rows[:6]) + (
        ", ..." if len(one.rows) > 6 else ""
    )
    return tag(
        "article",
        tag("p", labels, tag("span", f"rows {rows}", class_="where"), class_="head"),
        _excerpt.render_excerpt(study, one.rows[0]),
    )
