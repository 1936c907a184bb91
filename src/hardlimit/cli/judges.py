"""Models as the commands ask them for answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import models
from hardlimit.exceptions import InputError
from hardlimit.predictions import judges
from hardlimit.predictions.judges import (
    Answer,
    Fitted,
    Judge,
    Living,
    Saved,
    Tabular,
    Voting,
    answer_blocks,
    brief_answers,
    probabilities,
    require_slope,
    with_threshold,
)

if TYPE_CHECKING:
    from hardlimit.classifiers.model.text_answer import TextAnswer

__all__ = [
    "Answer",
    "Fitted",
    "Judge",
    "Living",
    "Saved",
    "Tabular",
    "Voting",
    "answer_blocks",
    "brief_answers",
    "open_judge",
    "open_living",
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


def open_living(path: str, ledger: str | None, threshold: float | None = None) -> Living:
    """Open a model with its corrections, to ask it for answers only."""
    from hardlimit.live import open_live  # late: few ask for corrections

    models.require(path)
    return Living(
        open_live(path, ledger or "", read_only=True, remember=0, recent=0, threshold=threshold)
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
