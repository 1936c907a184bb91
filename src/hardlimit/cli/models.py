"""Model files as the commands need them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardlimit.cli import terminal
from hardlimit.foundation import storage
from hardlimit.predictions import judges
from hardlimit.predictions.judges import SEVERAL
from hardlimit.predictions.kinds import MANY_LABELS, votes
from hardlimit.readers.opening import missing_file_error

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

    Classifier = TextClassifier | LinearClassifier

__all__ = ["MANY_LABELS", "SEVERAL", "load", "remark_corrections", "require", "votes"]

# Of the corrections beside a model; a test compares.
LEDGER = ".ledger"


def load(path: str, *, several: bool = False) -> Classifier:
    """Load a classifier whole, to train it further or to look into it.

    ``several``: whether the command knows models of several labels a row.
    """
    require(path)
    return judges.load(path, several=several)


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
            "model that has them, and predict, evaluate and report have them with --live"
        )
