"""Each read-out that was kept, on the same rows: nothing is learnt anew."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.evaluation import wilson_interval
from hardlimit.exceptions import InputError, NotFittedError
from hardlimit.reports._markup import Markup
from hardlimit.reports._study import Study
from hardlimit.reports._tables import figure, table

PLACE = 80
TITLE = "The read-outs that were kept"


def content(study: Study) -> Markup | None:
    """A line a read-out; None where one was kept, or the training state was not saved."""
    if not study.judged:
        return None
    try:
        model = study.model.fitted
        kept = [name for name in model.choices.kept if model.state.remembers(name)]
    except (NotFittedError, InputError):  # saved without its training state; a rule of the user's
        return None
    if len(kept) < 2:
        return None
    rows = [_row(study, name) for name in kept]
    foot = "One fit gave them all; the model answers by the marked one."
    head = ("read-out", ">accuracy", ">errors", "")
    return table("The same fit, read differently", head, rows, foot=foot)


def _row(study: Study, name: str) -> tuple[Any, ...]:
    if name == study.model.fitted.choices.readout:
        right = study.right
    else:
        try:
            right = _right(study, name)
        except InputError:  # votes that cost more than their budget
            return (name, "–", "–", "costs more than its budget")
    n, good = len(right), int(right.sum())
    mark = "answers" if name == study.model.fitted.choices.readout else ""
    return (name, figure(good / n, wilson_interval(good, n)), f"{n - good:,}", mark)


def _right(study: Study, name: str) -> Any:
    """Whether each answer of another read-out is right."""
    other = study.model.with_readout(name)
    if study.rows is None:
        scores = np.asarray(other.decision_function(study.data.examples)).reshape(
            len(study.data), -1
        )
    else:
        with other.fitted.state.lock:
            scores = other.fitted.scores(study.rows)
    chosen = study.model.fitted.classes.chosen(scores, study.threshold).tolist()
    said = (study.classes[number] for number in chosen)
    return np.fromiter((a == b for a, b in zip(said, study.true, strict=True)), bool)
