"""Writing to people: streams, colours, widths, tables.

Colours appear on a terminal only, never carry meaning alone, and `NO_COLOR` turns them off. What
comes from data is made harmless first: control characters of a label or term are shown, not obeyed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import IO

import click

from hardlimit.exceptions import mask
from hardlimit.foundation.formatting import display_width as display_width
from hardlimit.foundation.formatting import escape_controls as escape_controls
from hardlimit.foundation.formatting import format_bytes as format_bytes
from hardlimit.foundation.formatting import plural as plural

# Longer lines are hard to follow with the eye.
WIDEST = 100
_GAP = "  "


def say(text: str = "") -> None:
    """Write one line of the result to standard output."""
    # On a terminal both streams share one line.
    if _Passing.text:
        passing()
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Write one line for people to standard error; the line of progress goes on below it."""
    below = _Passing.text
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(_Passing.taken_back() + mask(text) + "\n")
    if below:
        passing(below)


class _Passing:
    """The line of progress on the one terminal there is."""

    text = ""

    @classmethod
    def taken_back(cls) -> str:
        """Return what wipes the line, if it is there."""
        was_shown, cls.text = bool(cls.text), ""
        return "\r\x1b[K" if was_shown else ""


class _Quiet:
    """Whether results and errors are all that is wanted."""

    wanted = False


def set_quiet(wanted: bool) -> None:
    """Leave out progress and notes from now on, or show them again."""
    _Quiet.wanted = wanted


def passing(text: str = "") -> None:
    """Show a line on standard error that the next one replaces; nothing unless a person looks."""
    # Logs would fill with lines, and a dumb terminal cannot wipe any.
    if _Quiet.wanted or not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        return
    text = cut(escape_controls(mask(text)), width() - 1)
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(_Passing.taken_back() + text)
        sys.stderr.flush()
    _Passing.text = text


def remark(text: str) -> None:
    """Write something that people should know to standard error."""
    if _Quiet.wanted:
        return
    note(f"{paint('note:', 'yellow', sys.stderr)} {_beside('note: ', text)}")


def error(text: str) -> None:
    """Write an error to standard error."""
    note(f"{paint('error:', 'red', sys.stderr)} {_beside('error: ', text)}")


def _beside(before: str, text: str) -> str:
    """Wrap a sentence beside its first word where a person looks; a line of a log stays one."""
    text = escape_controls(text)
    if not is_terminal(sys.stderr):
        return text
    import textwrap

    lines = textwrap.wrap(
        text, width() - len(before), break_long_words=False, break_on_hyphens=False
    )
    return ("\n" + " " * len(before)).join(lines)


def paint(text: str, style: str, stream: IO[str] | None = None) -> str:
    """Colour text ("bold", "dim" or a colour) where the stream shows colours."""
    if not has_colours(stream or sys.stdout):
        return text
    if style in ("bold", "dim"):
        return click.style(text, bold=style == "bold" or None, dim=style == "dim" or None)
    return click.style(text, fg=style)


def shows_colours() -> bool:
    """Tell whether results are shown to a person in colour."""
    return has_colours(sys.stdout)


def has_colours(stream: IO[str]) -> bool:
    """Tell whether colours are seen there and wanted."""
    # Any value but the empty one, as https://no-color.org has it.
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: IO[str]) -> bool:
    """Tell whether a person looks at the stream."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def width(widest: int = WIDEST) -> int:
    """Return the columns to write in: those of the terminal, 80 elsewhere, 100 at most.

    widest : of a table, which the eye follows further than a sentence.
    """
    try:
        # First, so that a test or a script can fix the width.
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 80
        with contextlib.suppress(OSError, ValueError):
            # Of stderr, since stdout is often a pipe; some pseudo-terminals report 0 columns.
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return max(40, min(widest, columns))


def cut(text: str, columns: int) -> str:
    """Shorten text to fit.

    >>> cut("rec.sport.baseball", 12), cut("short", 12)
    ('rec.sport...', 'short')
    """
    if display_width(text) <= columns:
        return text
    kept = text[: max(0, columns - 3)]
    # One by one: a character may be two columns wide, or none.
    while display_width(kept) > columns - 3 and kept:
        kept = kept[:-1]
    return kept + "..."[:columns]


def pad(text: str, columns: int, right: bool = False) -> str:
    """Fill with spaces up to a width in columns."""
    space = " " * max(0, columns - display_width(text))
    return space + text if right else text + space


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    indent: int = 2,
    columns: int | None = None,
) -> list[str]:
    """Lay out a table: numbers to the right, text to the left, the widest texts cut to fit.

    A column is of numbers when its name in ``header`` starts with ``>``. ``columns``: the width to
    fit, that of the terminal if it is left out.
    """
    right = [name.startswith(">") for name in header]
    lines = [
        [name.lstrip(">") for name in header],
        *([escape_controls(c) for c in row] for row in rows),
    ]
    widths = [max(display_width(line[i]) for line in lines) for i in range(len(header))]
    excess = indent + sum(widths) + len(_GAP) * (len(widths) - 1)
    excess -= width() if columns is None else columns
    # Only columns of text are cut: a number that is cut is another number. Eight columns still show
    # a word; below that a line too long is the lesser evil.
    texts = [i for i in range(len(widths)) if not right[i] and widths[i] > 8]
    while excess > 0 and texts:
        i = max(texts, key=lambda i: widths[i])
        widths[i], excess = widths[i] - 1, excess - 1
        texts = [i for i in texts if widths[i] > 8]

    def laid_out(line: Sequence[str]) -> str:
        parts = (
            pad(cut(c, w) if not r else c, w, r)
            for c, w, r in zip(line, widths, right, strict=True)
        )
        return (" " * indent + _GAP.join(parts)).rstrip()

    head, *body = map(laid_out, lines)
    return [paint(head, "dim"), *body] if any(header) else body


def texts_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay out a table whose last column is of texts of any length.

    Where nobody looks a row is one line, whole. On a terminal that is too narrow for that, each
    text has a line of its own below its row, and is cut at the end of that line.
    """
    whole = table(header, rows, indent=0, columns=sys.maxsize)
    if not is_terminal(sys.stdout):
        return whole
    columns = width(sys.maxsize)
    needed = max(map(display_width, map(click.unstyle, whole)))
    if needed <= columns:
        return whole
    head, *lines = table(header[:-1], [row[:-1] for row in rows], indent=0, columns=columns)
    for line, row in zip(lines, rows, strict=True):
        head += f"\n{line}"
        if row[-1]:
            head += f"\n    {cut(escape_controls(row[-1]), columns - 4)}"
    return head.split("\n")


def wrapped(text: str, indent: int = 2) -> list[str]:
    """Break a paragraph into lines of the terminal's width."""
    import textwrap

    return textwrap.wrap(
        escape_controls(text),
        width() - indent,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def listed(items: Sequence[str], columns: int) -> list[str]:
    """Lay out a list, breaking lines between its items only.

    >>> listed(["win", "a prize", "now"], 12)
    ['win,', 'a prize, now']
    """
    lines = [""]
    for number, item in enumerate(map(escape_controls, items), 1):
        # The comma stays with its item, so that no line begins with one.
        piece = item if number == len(items) else item + ","
        longer = f"{lines[-1]} {piece}" if lines[-1] else piece
        if display_width(longer) <= columns or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def heading(text: str) -> None:
    """Write the title of a part of the result."""
    say()
    say(paint(text, "bold"))


def facts(pairs: Sequence[tuple[str, str]], indent: int = 2) -> None:
    """Print pairs of a name and what is to be said of it, wrapped beside the name."""
    import textwrap

    column = max((len(name) for name, _ in pairs), default=0) + len(_GAP)
    for name, text in pairs:
        # textwrap makes no line at all of an empty text.
        # Nor does it leave names whole: a class, such as Iris-virginica, is one word.
        room = width() - indent - column
        lines = textwrap.wrap(escape_controls(text), room, break_on_hyphens=False) or [""]
        say(" " * indent + paint(pad(name, column), "dim") + lines[0])
        for line in lines[1:]:
            say(" " * (indent + column) + line)
