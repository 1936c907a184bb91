"""Answering a stream of texts, in batches that keep memory bounded and a pipe flowing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.cli import models, options, outputs, reading, terminal
from hardlimit.cli.scoring import Answer, Judge, Voting

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table

BATCH_ROWS = 512
BATCH_CHARACTERS = 1 << 22
_UNKNOWN = "known_features: 0"


def run(path: str, source: str, output: str | None, given: dict[str, Any]) -> None:
    """Predict every row of ``source`` and write the answers where they are wanted."""
    as_json, scores = given.pop("as_json"), given.pop("scores")
    wanted = options.take_layout(given)
    outputs.refuse_inputs(output, source, path)
    judge = models.judge(path)
    remembered = models.layout(judge.metadata)
    if not judge.texts:
        _numbers(judge, source, {**remembered, **wanted}, output, scores, as_json)
        return
    from hardlimit.readers import open_rows

    layout = reading.layout_for(source, remembered, wanted, bare=True)
    if isinstance(judge, Voting) and os.path.isfile(source):
        with open_rows(source, layout, need_label=False) as table:
            judge.check_cost(sum(1 for _ in table))
    live = source == "-" and not _is_file(sys.stdin)
    if live and terminal.is_terminal(sys.stdin):
        terminal.remark("type texts, one a line; Ctrl-D ends")
    as_json = as_json or (source == "-" and wanted.get("format") == "jsonl")
    with open_rows(source, layout, need_label=False) as table:
        answered = _Answered(judge, table, rows=1 if live else BATCH_ROWS)
        if output is not None:
            _write(output, table, answered, judge, scores, as_json)
        else:
            _say_each((answer for _, answer in answered), scores, as_json, live)
        notes = table.notes()
    for sentence in [*notes, *answered.notes()]:
        terminal.remark(sentence)


def _numbers(
    judge: Judge,
    source: str,
    wanted: dict[str, Any],
    output: str | None,
    scores: bool,
    as_json: bool,
) -> None:
    """Answer a file of numbers, which is read whole."""
    from hardlimit.cli import numeric

    data = numeric.read(source, wanted, need_label=False)
    answers = judge.answers(data.examples)
    if output is None:
        _say_each(answers, scores, as_json, live=False)
        return
    with numeric.rows(source, data, wanted) as table:
        _write(output, table, zip(table, answers, strict=True), judge, scores, as_json)


def _is_file(stream: Any) -> bool:
    """Tell a file, which may be read ahead, from a pipe or terminal, which must not."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


class _Answered:
    """Iterates over the rows, each with its answer; counts the unknown."""

    def __init__(self, judge: Judge, table: Table, rows: int) -> None:
        self.judge = judge
        self._table = table
        self._rows = rows
        self._total = self._unknown = 0

    def __iter__(self) -> Iterator[tuple[Row, Answer]]:
        for batch in batches(self._table, self._rows):
            answers = self.judge.answers([row.text for row in batch])
            for row, answer in zip(batch, answers, strict=True):
                self._total += 1
                self._unknown += answer.known_features == 0
                yield row, answer

    def notes(self) -> list[str]:
        """Say how many texts the model knew nothing of."""
        if not self._unknown:
            return []
        return [
            f"{self._unknown:,} of {self._total:,} texts have no term that the model knows "
            f"({_UNKNOWN}): their label is the model's default"
        ]


def batches(rows: Iterable[Row], most: int) -> Iterator[list[Row]]:
    """Group rows: at most ``most``, and no more than a few megabytes of text beyond one row."""
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += len(row.text)
        if len(batch) >= most or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _say_each(answers: Iterable[Answer], scores: bool, as_json: bool, live: bool) -> None:
    for answer in answers:
        line = models.to_json(_plain(answer, scores)) if as_json else _line(answer, scores)
        sys.stdout.write(line + "\n")
        if live:
            sys.stdout.flush()


def _line(answer: Answer, scores: bool) -> str:
    parts = [models.format_label(answer.label), f"{answer.score:.4f}"]
    if scores:
        parts += [f"{models.format_label(label)}={score:.4f}" for label, score in answer.scores()]
    if answer.known_features == 0:
        parts.append(_UNKNOWN)
    return "\t".join(parts)


def _plain(answer: Answer, scores: bool) -> dict[str, Any]:
    plain: dict[str, Any] = {"label": answer.label, "score": answer.score}
    if scores:
        plain["scores"] = {models.format_label(label): score for label, score in answer.scores()}
    if answer.known_features is not None:
        plain["known_features"] = answer.known_features
    return plain


def _write(
    output: str,
    table: Table,
    answered: Iterable[tuple[Row, Answer]],
    judge: Judge,
    scores: bool,
    as_json: bool,
) -> None:
    """Write the rows back with label and score as further columns."""
    from hardlimit.readers import write_rows

    is_text = judge.texts  # of numbers nothing is unknown
    names = ["label", "score", *(["known_features"] if is_text else [])]
    if scores:
        names += [f"score_{models.format_label(label)}" for label in judge.classes]

    def rows() -> Iterator[tuple[Row, list[Any]]]:
        for row, answer in answered:
            values = [models.plain(answer.label), _short(answer.score)]
            values += [answer.known_features] if is_text else []
            yield row, values + ([_short(x) for _, x in answer.scores()] if scores else [])

    if output == "-":
        write_rows(sys.stdout, table, names, rows(), format="jsonl" if as_json else None)
    else:
        write_rows(output, table, names, rows())


def _short(score: float) -> float:
    """Round a score for a table: more than six places are noise to those who read it."""
    return round(score, 6) + 0.0
