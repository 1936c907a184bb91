"""The text that ``hardlimit explain`` explains: typed, of standard input, of a mail or of a row."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.cli import invocation, judged_rows, mail_parts, terminal
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge


def read_text(judge: Judge, options: ExplainOptions) -> tuple[str, bool]:
    """Return the text, and whether it is that of a mail, whose parts are told."""
    if options.row is not None:
        text = _read_row(judge, options)
        return text, bool(describing.layout_of(judge.metadata).get("mail"))
    layout = mail_parts.layout_of(options.text, judge.metadata)
    if layout is None:
        return _text(options), False
    return mail_parts.read_text(options.text, layout), True


def _read_row(judge: Judge, options: ExplainOptions) -> str:
    """Return the text of a row of a file, which is read as the training file was."""
    if options.text != "-" and not storage.exists(options.text):
        raise click.UsageError(f"--row counts the rows of a file; {options.text!r} is none")
    found = _take_row(judge, options)
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)


def _take_row(judge: Judge, options: ExplainOptions) -> Any:
    number = options.row or 1
    data = judged_rows.read(judge, [options.text], {}, need_label=False)
    if number > len(data):
        raise click.UsageError(f"--row {number}: {data.name} has {plural(len(data), 'row')}")
    return data.examples.example(number - 1)


def read_texts(judge: Judge, options: ExplainOptions) -> Any:
    """Return the texts of a row of a file, or of a JSON object of texts by column."""
    names, is_table = judge.text_columns, judge.is_table
    if not os.path.isfile(options.text):
        with contextlib.suppress(ValueError):
            found = json.loads(options.text)
            if isinstance(found, dict) and (is_table or _has_texts(found, names)):
                return tuple(found.get(name) for name in names)
        wanted = json.dumps(dict.fromkeys(names, "..."), ensure_ascii=False)
        what = "a row" if is_table else "texts"
        raise click.UsageError(f"the model wants a file, or {what} as {wanted}")
    return _take_row(judge, options)


def _has_texts(found: dict[str, Any], names: tuple[str, ...]) -> bool:
    return all(isinstance(found.get(name), str) for name in names)


def _text(options: ExplainOptions) -> str:
    if options.text == "-":
        # As bytes: the locale of the terminal has no say in what a model of UTF-8 sees.
        return read_whole("-").decode("utf-8", "replace")
    # A likely slip, but a text may be the name of a file: so it is a note, not an error.
    if os.path.isfile(options.text):
        model, file = invocation.quoted(options.model), invocation.quoted(options.text)
        terminal.remark(
            f"{options.text!r} is explained as a text; to explain what is in that file: "
            f"hardlimit explain {model} - < {file}"
        )
    return options.text
