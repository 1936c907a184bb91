"""Letters without their accents, as scikit-learn's ``strip_accents`` has it.

The decomposition is that of Python's :mod:`unicodedata`, so that letters that are new to Unicode
may differ between releases of Python.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

WAYS = ("ascii", "unicode", None)


def strip_accents(texts: Sequence[str | bytes], way: str) -> list[str | bytes]:
    """Return the texts without accents; those that are not ASCII in lower case.

    "unicode" removes what combines with the letter before, "ascii" everything that is not ASCII
    after decomposition.

    >>> strip_accents(["Été", "straße"], "unicode"), strip_accents(["Été", "straße"], "ascii")
    (['ete', 'straße'], ['ete', 'strae'])
    """
    return [_strip(text, way) for text in texts]


def _strip(text: str | bytes, way: str) -> str | bytes:
    if not isinstance(text, str | bytes) or text.isascii():
        return text  # also what is no text, which is refused where it is read
    if isinstance(text, bytes):
        # Bad bytes are counted and replaced where texts are read; only good parts have accents.
        return b"".join(_strip_parts(text, way))
    return _strip_letters(text, way)


def _strip_letters(text: str, way: str) -> str:
    # Lower case comes first, as there.
    normalized = unicodedata.normalize("NFKD", text.lower())
    if way == "ascii":
        return normalized.encode("ascii", "ignore").decode()
    return "".join(one for one in normalized if not unicodedata.combining(one))


def _strip_parts(text: bytes, way: str) -> Iterator[bytes]:
    """Yield the valid parts, stripped, and the bad bytes between them."""
    while text:
        try:
            good, bad, rest = text.decode(), b"", b""
        except UnicodeDecodeError as error:
            good = text[: error.start].decode()
            bad, rest = text[error.start : error.end], text[error.end :]
        yield _strip_letters(good, way).encode("utf-8", "surrogatepass")
        yield bad
        text = rest
