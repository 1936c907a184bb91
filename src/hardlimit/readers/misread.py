"""Files that would be misread without a word: Vowpal Wabbit, and mailboxes named as tables.

A format that is named is believed; only a file of which nothing is said is looked at.
"""

from __future__ import annotations

import re

from hardlimit.exceptions import DataFormatError, Given, Setting
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.registry import DOCUMENTS, detect_by_extension

_LINES = 20  # that tell Vowpal Wabbit
_SIZE = 1 << 16  # characters in which a second mail is looked for
_LONGEST_SEPARATOR = 300  # characters; its expression takes their square
# Possessive quantifiers (++, *+) never go back, so a hostile line costs linear time.
_NUMBER = r"[-+]?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?+\d++)?"
# label, importance, base, tag, then features: "1 2.0 'tag |namespace word value:0.5"
_VOWPAL = re.compile(rf"\s*+{_NUMBER}(?:\s++{_NUMBER}){{0,2}}\s++(?:'[^\s|]*+\s*+)?\|(?:\S*+\s|\s)")
# "From someone@example.org Thu Aug 22 12:36:23 2002", after which a mail's header begins
_SEPARATOR = re.compile(r"From \S.*\d\d:\d\d(?::\d\d)?.*\d{4}\s*$")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9-]*:\s|>From ")


def refuse(path: str, encoding: str | None = None) -> None:
    """Refuse a file that looks like one of another kind; others are left alone.

    Raises
    ------
    DataFormatError
        What it looks like, and what to do.
    """
    promised = detect_by_extension(path)
    if promised in DOCUMENTS:
        return
    lines = _first_lines(path, encoding)
    refuse_vowpal(path, lines[:_LINES])
    # Without an extension it is read as what it is.
    if promised is not None and count_mails("".join(lines)) > 1:
        raise mailbox_error(path)


def is_mailbox(path: str) -> bool:
    """Tell a file of several mails."""
    return count_mails("".join(_first_lines(path))) > 1


def _first_lines(path: str, encoding: str | None = None) -> list[str]:
    try:
        with TextSource(path, encoding) as source:
            return source.peek(_SIZE, _SIZE)
    except DataFormatError:  # whoever reads it says what is wrong
        return []


def is_vowpal(lines: list[str]) -> bool:
    """Tell lines of Vowpal Wabbit's format that have labels."""
    rows = [line for line in lines if line.strip()]
    return bool(rows) and all(map(_VOWPAL.match, rows))


def refuse_vowpal(name: str, lines: list[str]) -> None:
    """Refuse lines of Vowpal Wabbit's format where texts are wanted."""
    if not is_vowpal(lines):
        return
    raise DataFormatError(
        "this looks like the input format of Vowpal Wabbit (label |namespace features), which is "
        "no table of texts",
        where=name,
        fix=(
            "to learn from its features say ",
            Setting("format", Given("vw")),
            "; if | is the delimiter of a table, say ",
            Setting("delimiter", Given("'|'")),
        ),
    )


def mailbox_error(name: str) -> DataFormatError:
    """Build the error for a file of several mails."""
    return DataFormatError(
        "this looks like a mailbox (mbox): mails one after the other, each after a line 'From '; "
        "it would be read as something else",
        where=name,
        fix=(
            "say ",
            Setting("format", "mbox"),
            "; to read each line as a text, ",
            Setting("format", "lines"),
        ),
    )


def count_mails(text: str) -> int:
    r"""Count the mails of a document: of a mailbox more than 1.

    >>> mail = "From a@b.org Thu Aug 22 12:36:23 2002\nSubject: x\n\nHello\n\n"
    >>> count_mails(mail * 3), count_mails("From here on\n\nFrom there on")
    (3, 0)
    """
    if not text.startswith("From "):
        return 0
    lines = text.splitlines()
    return sum(
        1
        for place, line in enumerate(lines)
        if line.startswith("From ")
        and (place == 0 or not lines[place - 1])
        and len(line) <= _LONGEST_SEPARATOR
        and _SEPARATOR.match(line)
        and place + 1 < len(lines)
        and _FIELD.match(lines[place + 1])
    )
