"""Answers of a model to shards of files, by threads, processes or the workers of a scheduler.

The model file travels as it is; each worker opens it once. Answers come back in the order of the
rows, so that the figures made of them are those of one process.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import click

from hardlimit.cli import judges
from hardlimit.cli.judges import Answer, Judge
from hardlimit.cli.labelled_rows import Labelled, name_sources
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.distributed.recipes import Shard, cut_files
from hardlimit.distributed.running import run_shards
from hardlimit.readers import Layout

SHARDS = 16  # where nobody says how many


class Question(NamedTuple):
    """A shard whose rows are to be answered."""

    shard: Shard


class Answered:
    """A judge whose answers are there already: its examples are their numbers."""

    def __init__(self, judge: Judge, answers: list[Answer]) -> None:
        self._judge, self._answers = judge, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    def answers(self, examples: Sequence[int]) -> list[Answer]:
        """Return the answers of these numbers."""
        return [self._answers[number] for number in examples]


def check(judge: Judge) -> None:
    """Refuse models that do not answer one text a row with one label."""
    if not judge.texts or judge.text_columns or judge.is_table or judge.many:
        raise click.UsageError("--cluster is for models of one text and one label a row")


def answer_files(
    judge: Judge,
    model: str,
    sources: Sequence[str],
    layout: Layout,
    cluster: str,
    shards: int | None,
) -> tuple[Judge, Labelled]:
    """Let a cluster answer all rows; return a judge that knows the answers, and the labels."""
    # Fewer where the files cannot be cut so often: nothing depends on their number.
    recipes, found = cut_files(sources, layout, shards or SHARDS, at_most=shards is None)
    with open(model, "rb") as file:
        part = Part.of(file.read())
    with open_engine(cluster) as engine:
        told = run_shards(
            engine,
            answer_shard,
            [part],
            [Question(shard) for shard in recipes],
            "predicting",
            tally=lambda place, answered: (len(answered[1]), None),
        )
    answers = [answer for some, _ in told for answer in some]
    labels = [label for _, some in told for label in some]
    known: Any = Answered(judge, answers)
    return known, Labelled(name_sources(sources), range(len(labels)), labels, found)


def answer_shard(parts: tuple[Part, ...], question: Question) -> tuple[list[Answer], list[Any]]:
    """Answer the rows of a shard; their labels."""
    texts, labels = [], []
    for row in question.shard.rows():
        texts.append(row.text)
        labels.append(row.label)
    return list(_open(parts[0]).answers(texts)), labels


@cache
def _open(part: Part) -> Judge:
    """Open a model file once a process."""
    descriptor, path = tempfile.mkstemp(prefix="hardlimit-model-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(part.data)
        return judges.open_judge(path)
    finally:
        # What is open stays until nobody has it any more; Windows keeps its name too.
        with contextlib.suppress(OSError):
            os.unlink(path)
