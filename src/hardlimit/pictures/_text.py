"""Words and numbers as a picture shows them, whatever the user's strings hold."""

from __future__ import annotations

import math
import textwrap
import unicodedata

# Control signs, halves of pairs, what has no meaning: SVG cannot hold them. Formatting signs can
# turn the text beside them around.
_UNSEEN = {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
LONGEST = 24


def format_label(value: object, longest: int = LONGEST) -> str:
    r"""Return a label, a class or a name of a column, cut where it is long.

    >>> [format_label(name, 12) for name in ("spam", "a\nb\x00", "a very long name of a column")]
    ['spam', 'a b?', 'a very long…']
    """
    # cut before it is split: a label may be a whole document
    text = " ".join(str(value)[: 8 * longest].split())
    text = "".join("?" if unicodedata.category(sign) in _UNSEEN else sign for sign in text)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def format_number(value: float, digits: int = 4) -> str:
    """Return a number as a sentence has it.

    >>> [format_number(value) for value in (0.123456, 12, -1e-9, 1234567)]
    ['0.1235', '12', '−1e−09', '1,234,567']
    """
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "undefined"
    # adding 0.0 takes the sign off -0.0
    return f"{value + 0.0:.{digits}g}".replace("-", "−")


def wrap(text: str, width: int = 78) -> str:
    """Break a sentence into the lines of a picture."""
    return "\n".join(textwrap.wrap(text, width))
