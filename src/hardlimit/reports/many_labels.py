"""Several labels a row: each label as a question of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.classifiers.model import many_labels
from hardlimit.evaluation import figures, matthews, wilson_interval
from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, percent, table

PLACE = 45
TITLE = "Each label"


@dataclass(frozen=True)
class _Told:
    """Truth and answers (n, M)."""

    truth: Any
    said: Any


def content(study: Study) -> Markup | None:
    """Precision, recall and F1 of each label; None for a model of one label a row."""
    if not study.many:
        return None
    if not study.labelled:
        return _answered(study)
    told = _told(study)
    rows = [_row(label, told.truth[:, m], told.said[:, m]) for m, label in enumerate(study.classes)]
    head = ("label", ">rows", ">precision", ">recall", ">F1", ">Matthews'")
    return joined([_overall(told), table("Each label by itself", head, rows)])


def sentence(study: Study) -> Markup:
    """The verdict: how many rows have all their labels right, how many single answers are."""
    told = _told(study)
    wrong = told.truth != told.said
    whole = int((~wrong.any(axis=1)).sum())
    low, high = wilson_interval(whole, len(wrong))
    single = 1 - float(wrong.mean())
    return tag(
        "p",
        f"Of {plural(len(wrong), study.thing)}, {whole:,} got all their labels right: ",
        tag("strong", percent(whole / len(wrong))),
        f", 95 % sure to lie between {percent(low)} and {percent(high)}. Of the single answers, "
        f"{percent(single)} are right.",
        class_="lead",
    )


def _told(study: Study) -> _Told:
    book = study.model.fitted.classes
    truth = many_labels.read(study.data.labels, book).truth
    return _Told(truth, study.scores > 0)


def _answered(study: Study) -> Markup:
    said = study.scores > 0
    rows = [(shown(x), f"{int(said[:, m].sum()):,}") for m, x in enumerate(study.classes)]
    return table("How often each label was given", ("label", ">rows"), rows)


def _row(label: Any, truth: Any, said: Any) -> tuple[Any, ...]:
    found = figures(truth.tolist(), said.tolist(), classes=[False, True])
    yes = next((one for one in found.classes if one.label), None)
    if yes is None:
        return (shown(label), "0", "–", "–", "–", "–")
    right, of = yes.right, (yes.predicted, yes.support)
    shares = [figure(right / n, wilson_interval(right, n)) if n else "–" for n in of]
    both = figure(yes.f1) if yes.support else "–"
    return (
        shown(label),
        f"{yes.support:,}",
        *shares,
        both,
        f"{matthews(found.confusion).value:.4f}",
    )


def _overall(told: _Told) -> Markup:
    right = (told.truth & told.said).sum(axis=0)
    both = told.truth.sum(axis=0) + told.said.sum(axis=0)
    f1 = np.where(both > 0, 2 * right / np.maximum(both, 1), 0.0)
    total = int(both.sum())
    rows = [
        ("micro-F1", figure(2 * int(right.sum()) / total if total else 0.0), "over all answers"),
        ("macro-F1", figure(float(f1.mean())), "mean F1, each label counted alike"),
        (
            "Hamming loss",
            figure(float((told.truth != told.said).mean())),
            "the share of single answers that are wrong",
        ),
    ]
    return table("On all rows and labels", ("figure", ">value", "meaning"), rows)
