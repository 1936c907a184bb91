"""Words and numbers as they stand in a picture, whatever the user's strings hold."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from typing import Any

# Control signs, halves of pairs, what has no meaning: SVG cannot hold them. Formatting signs can
# turn the text beside them around.
_UNSEEN = {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
LONGEST = 24


def label(value: Any, longest: int = LONGEST) -> str:
    r"""A label, a class or a name of a column, cut where it is long.

    >>> label("spam"), label("a\nb\x00"), label("a very long name of a column", 12)
    ('spam', 'a b?', 'a very long…')
    """
    text = " ".join(str(value)[: 8 * longest].split())
    text = "".join("?" if unicodedata.category(sign) in _UNSEEN else sign for sign in text)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def number(value: Any, digits: int = 4) -> str:
    """A number in a sentence.

    >>> number(0.123456), number(12), number(-1e-9), number(1234567), number(0.97, 2)
    ('0.1235', '12', '−1e−09', '1,234,567', '0.97')
    """
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "undefined"
    return f"{value + 0.0:.{digits}g}".replace("-", "−")


def count(n: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> count(1, "row"), count(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def wrapped(text: str, width: int = 78) -> str:
    """A sentence broken into the lines of a picture."""
    return "\n".join(textwrap.wrap(text, width))
