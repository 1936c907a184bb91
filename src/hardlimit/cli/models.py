"""Model files as the commands need them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hardlimit.cli import terminal
from hardlimit.exceptions import InputError
from hardlimit.foundation import storage
from hardlimit.predictions import judges
from hardlimit.predictions.kinds import MANY_LABELS, votes
from hardlimit.readers.opening import missing_file_error

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.model.text_answer import TextAnswer
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.options import AskedLive
    from hardlimit.live.model import LiveModel
    from hardlimit.predictions.judges import Judge

    Classifier = TextClassifier | LinearClassifier

__all__ = [
    "MANY_LABELS",
    "check_ledger",
    "load",
    "open_asked",
    "open_judge",
    "open_to_ask",
    "remark_corrections",
    "require",
    "text_answer_of",
    "votes",
]

# Of the corrections beside a model; a test compares.
LEDGER = ".ledger"


def load(path: str) -> Classifier:
    """Load a classifier whole, to train it further or to look into it."""
    require(path)
    return judges.load(path)


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


def open_judge(path: str) -> Judge:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    require(path)
    remark_corrections(path)
    return judges.open_judge(path)


def open_asked(options: AskedLive) -> Judge:
    """Open the model of a command: with its corrections where --live asks for them."""
    check_ledger(options)
    if not options.live:
        return judges.with_threshold(open_judge(options.model), options.threshold)
    require(options.model)
    return judges.Living(open_to_ask(options))


def check_ledger(options: AskedLive) -> None:
    """Refuse a ledger that nothing asks for."""
    if options.ledger is not None and not options.live:
        raise click.UsageError("--ledger names the corrections of --live")


def open_to_ask(options: AskedLive) -> LiveModel:
    """Open the model of a command with its corrections, which nobody writes."""
    from hardlimit.live import open_live  # late: few ask for corrections

    return open_live(
        options.model,
        options.ledger or "",
        read_only=True,
        remember=0,
        recent=0,
        threshold=options.threshold,
    )


def text_answer_of(judge: Judge, path: str) -> TextAnswer:
    """Return the answer of a model of texts for explanations; `InputError` for one that votes."""
    if not isinstance(judge, judges.Saved):
        raise InputError(
            "this model answers by a vote, which has no single weight for a term",
            where=path,
            fix="to explain answers, train with --readout averaged or last",
        )
    return judge.answer
