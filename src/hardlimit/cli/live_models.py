"""Live models as the commands need them: opened with their ledger, labels and entries as typed."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import models, terminal
from hardlimit.cli.command import INTERRUPTED
from hardlimit.cli.options import Options
from hardlimit.exceptions import KindError
from hardlimit.foundation.formatting import format_label
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from hardlimit.live.entry import Entry
    from hardlimit.live.model import LiveModel

F = TypeVar("F", bound=Callable[..., Any])


class LiveOptions(Options):
    """Where the ledger is."""

    model: str
    ledger: str | None = None
    as_json: bool = False


def open_live(options: LiveOptions, **settings: Any) -> LiveModel:
    """Open the live model of a command, with settings of ``hardlimit.open_live``."""
    from hardlimit.live import open_live as open_it  # late: other commands need none

    models.require(options.model)
    ledger = options.ledger or ""
    return open_it(options.model, ledger, **settings)


def read_rate(typed: str | None) -> tuple[int, float] | None:
    """Return corrections and seconds of ``20/60``.

    >>> read_rate("20/60")
    (20, 60.0)
    """
    if typed is None:
        return None
    number, _, seconds = typed.partition("/")
    with contextlib.suppress(ValueError):
        if 1 <= int(number) <= 1_000_000_000 and float(seconds) > 0:
            return int(number), float(seconds)
    raise click.UsageError(f"--correction-rate {typed!r}: wanted N/SECONDS, as 20/60")


@contextlib.contextmanager
def telling(live: LiveModel, by: str) -> Iterator[None]:
    """Say what was written, where the user interrupts."""
    before = live.n_entries
    try:
        yield
    except KeyboardInterrupt:
        mine = [entry.id for entry in live.log(before + 1) if entry.author == by]
        done = f"entry #{mine[-1]} was written" if mine else "no entry was written"
        terminal.error(f"interrupted; {done}")
        raise click.exceptions.Exit(INTERRUPTED) from None


def find_label(live: LiveModel, typed: Hashable) -> Hashable:
    """Return the class that was typed or read, or a new one of the kind of the others."""
    from hardlimit.live import labels  # late: as all of `live`

    return labels.find_label(typed, live.classes)


def read_example(live: LiveModel, typed: str) -> Any:
    """Return a text, or the numbers of a row; '-' is standard input.

    Of a model of several columns it is the JSON of a row.
    Of a model of mail '-' or a file is a mail, read as by training.
    """
    found: Any = live.base.form.do(_TypedExample(live, typed))
    return found


class _TypedExample(ByForm[Any]):
    """Reads an example that was typed."""

    def __init__(self, live: LiveModel, typed: str) -> None:
        self._live, self._typed = live, typed

    def numbers(self) -> list[float]:
        """Return the numbers of a row."""
        text = self._read()
        try:
            return [float(one) for one in text.replace(",", " ").split()]
        except ValueError:
            raise click.UsageError(f"{text!r} is no row of numbers such as '1.5, 0, 2'") from None

    def one_text(self) -> str | bytes:
        """Return a text, or a mail as its text."""
        from hardlimit.cli import mail_parts  # late: readers of mail

        typed = self._typed
        layout = mail_parts.layout_of(typed, self._live.base.metadata)
        if layout is not None:
            return mail_parts.read_text(typed, layout)
        if typed != "-" and os.path.isfile(typed):
            terminal.remark(f"{typed!r} is taken as a text; what is in that file: - < {typed}")
        text = self._read()
        # What is no UTF-8 comes as lone surrogates, and goes on as the bytes that it was.
        broken = any("\udc80" <= one <= "\udcff" for one in text)
        return text.encode("utf-8", "surrogateescape") if broken else text

    def text_columns(self) -> str:
        """Return the JSON of a row."""
        return _read_row(self._live, self._typed)

    def _read(self) -> str:
        if self._typed != "-":
            return self._typed
        return read_whole("-").decode("utf-8", "surrogateescape").removesuffix("\n")


def _read_row(live: LiveModel, typed: str) -> str:
    """Return the JSON of a row of a model of several columns."""
    text = read_whole("-") if typed == "-" else typed
    try:
        return str(live.base.keep(text))
    except KindError:
        wanted = json.dumps(dict.fromkeys(live.base.form.columns, "..."), ensure_ascii=False)
        raise click.UsageError(
            f"the model wants a row as {wanted}, or '-' for standard input"
        ) from None


def read_number(typed: str) -> int:
    """Return the number of an entry, ``57`` or ``#57``."""
    try:
        return int(typed.removeprefix("#"))
    except ValueError:
        raise click.UsageError(f"{typed!r} is no number of an entry, such as 57") from None


def quoted(label: object) -> str:
    """Return a label between quotes, as messages show it."""
    return f"'{format_label(label)}'"


def text_of(entry: Entry) -> str:
    """Return the text of an entry, on one line."""
    if entry.text is None:
        return "" if not entry.features else "(features only)"
    return line_of(entry.text)


def line_of(example: object) -> str:
    """Return a text or a row, on one line."""
    from hardlimit.live.entry import plain_text  # late: as all of `live`

    if hasattr(example, "shape"):
        return "(numbers)"
    if not isinstance(example, str | bytes):
        example = json.dumps(example, ensure_ascii=False, default=str)
    return terminal.escape_controls(" ".join(str(plain_text(example)).split()))
