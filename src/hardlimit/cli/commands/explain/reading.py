"""The example that ``hardlimit explain`` explains: typed, of standard input, of a mail or a row."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm, decode
from hardlimit.cli import invocation, mail_parts, terminal
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.answerers import Answerer


class ReadExample(NamedTuple):
    """The example that is explained, and whether it is a mail, whose parts are told.

    batch : the example as answerers take several.
    """

    example: Any
    batch: Any
    is_mail: bool = False


class Reading(ByForm[ReadExample]):
    """Reads what a model explains."""

    def __init__(self, answerer: Answerer, options: ExplainOptions) -> None:
        self.answerer, self.options = answerer, options

    def numbers(self) -> ReadExample:
        """Return the row that was typed, or that stands in a file."""
        row = self._row() if _is_input(self.options.text) else self._typed_row()
        return ReadExample(row, row)

    def one_text(self) -> ReadExample:
        """Return a text, of a model whose answer to it can be explained."""
        options, metadata = self.options, self.answerer.metadata
        self.answerer.check_explained(options.model)
        is_mail = bool(describing.layout_of(metadata).get("mail"))
        if options.row is not None:
            if options.text != "-" and not storage.exists(options.text):
                raise self._no_file()
            text = decode(self._row())
        else:
            layout = mail_parts.layout_of(options.text, metadata)
            is_mail = layout is not None
            text = _text(options) if layout is None else mail_parts.read_text(options.text, layout)
        return ReadExample(text, [text], is_mail)

    def text_columns(self) -> ReadExample:
        """Return the texts of a row of a file, or of a JSON object of texts by column."""
        return self._columns("texts", _has_texts)

    def table(self) -> ReadExample:
        """Return the values of a row of a file, or of a JSON object of values by column."""
        return self._columns("a row", lambda found, names: True)

    def _columns(self, what: str, fits: Callable[[Any, Any], bool]) -> ReadExample:
        options, names = self.options, self.answerer.form.columns
        if os.path.isfile(options.text):
            row = self._row()
            return ReadExample(row, [row])
        with contextlib.suppress(ValueError):
            found = json.loads(options.text)
            if isinstance(found, dict) and fits(found, names):
                row = tuple(found.get(name) for name in names)
                return ReadExample(row, [row])
        wanted = json.dumps(dict.fromkeys(names, "..."), ensure_ascii=False)
        raise click.UsageError(f"the model wants a file, or {what} as {wanted}")

    def _row(self) -> Any:
        """Return a row of a file, which is read as the training file was."""
        from hardlimit.cli import rows_to_answer  # start-up: most texts are typed

        number = self.options.row or 1
        data = rows_to_answer.read(self.answerer, [self.options.text], {}, need_label=False)
        if number > len(data):
            raise click.UsageError(f"--row {number}: {data.name} has {plural(len(data), 'row')}")
        return data.examples.example(number - 1)

    def _typed_row(self) -> list[list[float]]:
        """Read numbers between commas or spaces."""
        text, wanted = self.options.text, self.answerer.n_columns
        if self.options.row is not None:
            raise self._no_file()
        try:
            row = [float(one) for one in text.replace(",", " ").split()]
        except ValueError:
            raise click.UsageError(
                f"{text!r} is neither a file nor a row of numbers such as '1.5, 0, 2'"
            ) from None
        if len(row) != wanted:
            raise click.UsageError(
                f"{plural(len(row), 'number')}; the model wants {wanted}, one for each column"
            )
        return [row]

    def _no_file(self) -> click.UsageError:
        text = self.options.text
        return click.UsageError(f"--row counts the rows of a file; {text!r} is none")


def _is_input(text: str) -> bool:
    return text == "-" or storage.is_file(text)


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
