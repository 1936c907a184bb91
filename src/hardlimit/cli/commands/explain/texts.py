"""The text that ``hardlimit explain`` explains: typed, of standard input, of a mail or of a row."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import invocation, judged_rows, mail_parts, models, terminal
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge


class ReadExample(NamedTuple):
    """The example that is explained, and whether it is a mail, whose parts are told."""

    example: Any
    is_mail: bool = False


class TextReading(ByForm[ReadExample]):
    """Reads the text that a model explains, or the row of texts or values."""

    def __init__(self, judge: Judge, options: ExplainOptions) -> None:
        self.judge, self.options = judge, options

    def one_text(self) -> ReadExample:
        """Return a text, of a model whose answer to it can be explained."""
        options, metadata = self.options, self.judge.metadata
        models.text_answer_of(self.judge, options.model)  # which refuses votes
        if options.row is not None:
            is_mail = bool(describing.layout_of(metadata).get("mail"))
            return ReadExample(_read_row(self.judge, options), is_mail)
        layout = mail_parts.layout_of(options.text, metadata)
        if layout is None:
            return ReadExample(_text(options))
        return ReadExample(mail_parts.read_text(options.text, layout), True)

    def text_columns(self) -> ReadExample:
        """Return the texts of a row of a file, or of a JSON object of texts by column."""
        return self._read_columns("texts", _has_texts)

    def table(self) -> ReadExample:
        """Return the values of a row of a file, or of a JSON object of values by column."""
        return self._read_columns("a row", lambda found, names: True)

    def _read_columns(self, what: str, fits: Callable[[Any, Any], bool]) -> ReadExample:
        options, names = self.options, self.judge.form.columns
        if os.path.isfile(options.text):
            return ReadExample(_take_row(self.judge, options))
        with contextlib.suppress(ValueError):
            found = json.loads(options.text)
            if isinstance(found, dict) and fits(found, names):
                return ReadExample(tuple(found.get(name) for name in names))
        wanted = json.dumps(dict.fromkeys(names, "..."), ensure_ascii=False)
        raise click.UsageError(f"the model wants a file, or {what} as {wanted}")


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
