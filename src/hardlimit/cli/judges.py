"""Models as the commands ask them for answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli import models
from hardlimit.exceptions import InputError
from hardlimit.predictions import judges
from hardlimit.predictions.judges import (
    Fitted,
    Judge,
    Living,
    Saved,
    Tabular,
    Voting,
    answer_blocks,
    brief_answers,
    decide_by,
    probabilities,
    require_slope,
    with_threshold,
)
from hardlimit.predictions.label_answers import RowAnswer

if TYPE_CHECKING:
    from hardlimit.classifiers.model.text_answer import TextAnswer
    from hardlimit.cli.options import AskedLive
    from hardlimit.live.model import LiveModel

__all__ = [
    "RowAnswer",
    "Fitted",
    "Judge",
    "Living",
    "Saved",
    "Tabular",
    "Voting",
    "answer_blocks",
    "brief_answers",
    "check_ledger",
    "decide_by",
    "open_asked",
    "open_judge",
    "open_to_ask",
    "probabilities",
    "require_slope",
    "text_answer_of",
    "with_threshold",
]


def open_judge(path: str) -> Judge:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    models.require(path)
    models.remark_corrections(path)
    return judges.open_judge(path)


def open_asked(options: AskedLive) -> Judge:
    """Open the model of a command: with its corrections where --live asks for them."""
    check_ledger(options)
    if not options.live:
        return with_threshold(open_judge(options.model), options.threshold)
    models.require(options.model)
    return Living(open_to_ask(options))


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
    if not isinstance(judge, Saved):
        raise InputError(
            "this model answers by a vote, which has no single weight for a term",
            where=path,
            fix="to explain answers, train with --readout averaged or last",
        )
    return judge.answer
