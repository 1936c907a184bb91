"""Model files as the commands need them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import classifiers, describing
from hardlimit.cli import terminal
from hardlimit.exceptions import InputError
from hardlimit.foundation import storage
from hardlimit.readers.opening import missing_file_error

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

    Classifier = TextClassifier | LinearClassifier

# As model files spell it; importing the classifier for it would import numpy.
TEXTS = "text classifier"
TEXT_COLUMNS = "classifier of text columns"
MANY_LABELS = "linear classifier of many labels"
TEXTS_MANY = "text classifier of many labels"
TABLES = "table classifier"
TABLES_MANY = "table classifier of many labels"
OF_TABLES = (TABLES, TABLES_MANY)
TEXT_COLUMNS_MANY = "classifier of text columns of many labels"
OF_TEXTS = (TEXTS, TEXT_COLUMNS, TEXTS_MANY, TEXT_COLUMNS_MANY, *OF_TABLES)
# Of the corrections beside a model; a test compares.
LEDGER = ".ledger"
# The topic of the error that refuses such a model.
SEVERAL = "several-labels"


def load(path: str, *, several: bool = False) -> Classifier:
    """Load a classifier whole, to train it further or to look into it.

    ``several``: whether the command knows models of several labels a row.
    """
    require(path)
    loaded: Any = classifiers.load(path)
    model: Classifier = loaded
    if model.fitted.classes.many and not several:
        raise InputError(
            "a model of several labels a row, and this command knows one label a row",
            where=path,
            fix="train, predict, evaluate, inspect, explain and report know it",
            topic=SEVERAL,
        )
    _remember_names(model)
    return model


def _remember_names(model: Classifier) -> None:
    """Read files as a model fitted in Python knows its columns: by their names."""
    names = model.fitted.feature_names
    layout = describing.layout_of(model.metadata)
    if names is not None and layout.get("format") == "vw":
        known = {**layout, "columns": list(names), "n_features": len(names)}
        model.metadata = {**model.metadata, describing.LAYOUT: known}
    elif names is not None and not layout and len(set(names)) == len(names):
        known = {"columns": list(names), "n_features": len(names)}
        model.metadata = {**model.metadata, describing.LAYOUT: known}


def require(path: str) -> None:
    """Refuse a path where nothing is; the error names the nearest."""
    # lexists: a dangling link is there, and the error on opening it says more.
    if not storage.exists(path):
        raise missing_file_error(path)


def remark_corrections(path: str) -> None:
    """Say that corrections beside a model are not in its file, which answers."""
    if not os.path.isfile(path + LEDGER):
        return
    from hardlimit.live.sqlite import holds_entries  # start-up: few models have one

    if holds_entries(path + LEDGER):
        terminal.remark(
            f"the corrections in {path}{LEDGER} are not part of {path}: 'hardlimit bake' writes a "
            "model that has them, and 'hardlimit predict --live' answers with them"
        )


def votes(header: Mapping[str, Any]) -> bool:
    """Tell a model that answers by the votes of many hypotheses from one with weights."""
    parameters = header.get("parameters")
    # The header comes from a file, which may hold anything.
    return isinstance(parameters, dict) and parameters.get("readout") == "voted"
