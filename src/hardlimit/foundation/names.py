r"""Which texts may be stored: the one border for labels, authors, keys, columns and terms.

Three rules, each of which contains the one before it:

========== ============================================ =======================================
rule       what it refuses                              of what
========== ============================================ =======================================
text       halves of surrogate pairs, which no encoding labels that are learnt, columns, terms,
           has                                          notes
storable   NUL, which a database may not hold           labels of entries in a ledger
name       what people cannot see: control characters,  new classes of a ledger, authors, keys
           invisible ones, white space around it
========== ============================================ =======================================

Labels of a training file follow the first rule only, since models of them exist. A name that
somebody types anew follows the last one: ``"ham\u200b"`` would be a second class that looks like
the first.
"""

from __future__ import annotations

from typing import Any

from hardlimit.exceptions import Given, InputError

# Characters of a name, which each answer and each entry may have in it.
MOST_NAME = 500
# Characters of a name in a message.
_SHOWN = 80
_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # the combining class of the sign that joins two consonants
# Letters, marks and symbols to Unicode, of which nothing is seen: fillers, selectors of variants.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
_VARIANTS = frozenset(map(chr, range(0xFE00, 0xFE10)))


def is_text(text: str) -> bool:
    r"""Whether an encoding of Unicode has these characters.

    >>> is_text("é"), is_text("\ud800")
    (True, False)
    """
    try:
        str.encode(text)
    except UnicodeEncodeError:
        return False
    return True


def check_text(text: str, parameter: str, who: str = "") -> None:
    """Refuse halves of surrogate pairs."""
    if not is_text(text):
        raise _refusal(text, parameter, "Unicode text, without halves of surrogate pairs", who)


def check_storable(text: str, parameter: str, who: str = "") -> None:
    """Refuse what some place that stores texts cannot hold."""
    check_text(text, parameter, who)
    if "\0" in text:
        raise _refusal(text, parameter, "Unicode text, without NUL", who)


def check_name(
    text: object, parameter: str, *, who: str = "", most: int = MOST_NAME, empty: bool = False
) -> None:
    """Refuse what people could not read as a name.

    most : its characters. empty : whether it may be left out.

    >>> check_name(" ham", "label")
    Traceback (most recent call last):
    ...
    hardlimit.exceptions.InputError: label: got ' ham', wanted a name without white space around it
    """
    if not isinstance(text, str):
        raise InputError(who=who, parameter=parameter, got=text, wanted="a name, str")
    if not text and empty:
        return
    if not text.strip() or len(text) > most:
        raise _refusal(text, parameter, f"a name of 1 to {most} characters", who)
    check_storable(text, parameter, who)
    hidden = find_invisible(text)
    if hidden:
        kind = "control" if hidden < " " or "\x7f" <= hidden < "\xa0" else "invisible"
        wanted = f"a name without {kind} characters, not {ascii(hidden)}"
        raise _refusal(text, parameter, wanted, who)
    if text != text.strip():
        raise _refusal(text, parameter, "a name without white space around it", who)


def find_invisible(text: str) -> str:
    r"""Return the first character that shows nothing of its own; "" of none.

    Control characters, those of direction and format, white space other than a blank, and fillers.
    A joiner or the selector of a variant is visible if the script or an emoji needs it.

    >>> find_invisible("ham spam"), find_invisible("a\u202eb"), find_invisible("می\u200cخواهم")
    ('', '\u202e', '')
    """
    if text.isascii() and text.isprintable():  # nearly always
        return ""
    for place, one in enumerate(text):
        if one in _JOINERS and _joins(text, place) or one in _VARIANTS and _varies(text, place):
            continue
        if not one.isprintable() or one in _INVISIBLE or one in _VARIANTS:
            return one
    return ""


def _joins(text: str, place: int) -> bool:
    """Whether a joiner stands between two signs that look different with it."""
    before, after = text[:place][-1:], text[place + 1 : place + 2]
    if not before or not after:
        return False
    import unicodedata  # late: most names are ASCII

    if unicodedata.combining(before) == _VIRAMA or before in _VARIANTS:
        return True
    pair = {unicodedata.bidirectional(before), unicodedata.bidirectional(after)}
    return pair == {"AL"} or {unicodedata.category(before), unicodedata.category(after)} <= {
        "So",
        "Sk",  # tones of skin
    }


def _varies(text: str, place: int) -> bool:
    """Whether the selector of a variant stands behind a symbol or a digit, as in an emoji."""
    before = text[:place][-1:]
    if not before or before in "0123456789#*":
        return bool(before)
    import unicodedata

    return unicodedata.category(before) in ("So", "Sm", "Po")


def _refusal(text: str, parameter: str, wanted: str, who: str) -> InputError:
    shown = ascii(text)
    cut = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    fields: dict[str, Any] = {"who": who, "parameter": parameter}
    return InputError(got=Given(cut), wanted=wanted, **fields)
