"""Answering a shard: a pure function of the model, of what is asked, and of a recipe.

The rows of a shard become one file. It is written under another name, flushed and renamed, so that
there is the whole of it or nothing, whoever writes it and however often.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from typing import Any, NamedTuple

from hardlimit.distributed.engines import Part
from hardlimit.distributed.opened_models import open_model
from hardlimit.distributed.shard_answers import AnswerOrder, ShardAnswers, Written
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import replacing
from hardlimit.readers.writing import encode_rows
from hardlimit.sources.pieces import Shard


class Question(NamedTuple):
    """A shard whose rows are to be answered, and the file that they become."""

    shard: Shard
    path: str = ""


def score_shard(parts: tuple[Part, ...], question: Question) -> Written:
    """Answer the rows of a shard, and write them where that is asked."""
    asked: AnswerOrder = pickle.loads(parts[1].data)
    answers = ShardAnswers(open_model(parts[0]), asked)
    if not asked.format:
        _gather(answers, asked, question.shard)
        return answers.found
    with replacing(question.path) as temporary:
        if asked.format == "jsonl":
            _write_lines(answers, asked, question.shard, temporary)
        else:
            from hardlimit.distributed.score_tables import write_table  # late: Arrow

            write_table(answers, asked, question.shard, temporary)
        answers.found.size, answers.found.digest = digest_of(temporary)
    return answers.found


def _gather(answers: ShardAnswers, asked: AnswerOrder, shard: Shard) -> None:
    found = answers.found.columns = [list[Any]() for _ in asked.names]
    for piece in shard.pieces:
        for _, rows in answers.of_piece(piece):
            for _, values in rows:
                for column, value in zip(found, values, strict=True):
                    column.append(value)


def _write_lines(answers: ShardAnswers, asked: AnswerOrder, shard: Shard, path: str) -> None:
    with open(path, "wb") as file:
        for piece in shard.pieces:
            for table, rows in answers.of_piece(piece):
                for line in encode_rows(table, "jsonl", asked.names, rows):
                    file.write(line.encode("utf-8", "replace"))


def digest_of(path: str) -> tuple[int, str]:
    """Return the bytes of a file and their SHA-256."""
    with storage.open_seekable(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def to_json(value: Any) -> bytes:
    """Return JSON that is the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"
