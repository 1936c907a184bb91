"""Why a row got its class, of texts and of numbers alike."""

from __future__ import annotations

import functools
from collections.abc import Hashable

import numpy as np

from hardlimit import describing
from hardlimit.classifiers.model.decisions import Opposed
from hardlimit.classifiers.model.explanation import (
    Explanation,
    share_among_words,
)
from hardlimit.classifiers.model.number_explanation import explain_columns
from hardlimit.examples.dense import read_numbers
from hardlimit.foundation.labels import best_rival
from hardlimit.reports._study import Study

TOP = 8


def explain_row(study: Study, place: int, against: Hashable | None) -> Explanation | None:
    """Return the heaviest terms of a row, for its prediction and for the class ``against``.

    Without a class against the runner-up; None where the model has no single weights.
    """
    if not study.has_weights:
        return None
    if not study.is_text:
        return _explain_numbers(study, place, against)
    found = study.model.explain(study.data.examples[place], against=against)
    shared: Explanation = study.fitted.form.share(found, study.texts_of(place), TOP)
    return shared


def _explain_numbers(study: Study, place: int, against: Hashable | None) -> Explanation:
    model, scores = study.model, study.scores[place]
    chosen = study.classes.index(study.predicted[place])
    rival = best_rival(scores.tolist(), chosen) if against is None else study.classes.index(against)
    columns, values = read_numbers(study.weighed).entries(place)
    if str(model.scale) == "rows":  # weights are of rows of unit length
        values = values / (np.sqrt((values * values).sum()) or 1.0)
    name = functools.partial(name_weight, study)
    opposed = Opposed(study.classes, chosen, rival)
    found = explain_columns(opposed, study.weights, (columns, values), name)
    return share_among_words(found, "", TOP)


def name_weight(study: Study, column: int) -> str:
    """Return the name of a column that has a weight: of a map, what it is made of."""
    if study.fitted.map is not None:
        return str(study.weighed_names[column])
    return name_column(study, column)


def name_column(study: Study, column: int) -> str:
    """Return the name of a column of numbers, as its file counts them."""
    if study.columns:
        return str(study.columns[column])
    # people look columns up in their file, where svmlight mostly counts from 1
    first = 0 if describing.layout_of(study.model.metadata).get("zero_based", True) else 1
    return f"column {column + first}"
