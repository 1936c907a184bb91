"""What had to be mended in messages, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# In the order of native/mail/settings.hpp.
MENDED = {
    "no_header": "no header: all of it was read as text",
    "header_without_end": "a header that ends without an empty line",
    "long_header": "a header longer than the limit: the rest of its fields was left out",
    "missing_boundary": "several parts announced without a boundary: read as one",
    "unclosed_multipart": "several parts whose end is missing",
    "bad_transfer_encoding": "invalid or unknown base64, quoted-printable and uuencode",
    "guessed_charset": "no charset: read as UTF-8, or else as windows-1252",
    "unknown_charset": "an unknown charset: read as UTF-8, or else as windows-1252",
    "replaced_characters": "characters that the charset does not have, replaced by U+FFFD",
    "null_bytes": "zero bytes, left out",
    "unclosed_html": "HTML with a comment, script, tag or quote that is never closed",
    "cut_message": "a message longer than the limit: the rest was left out",
    "too_many_parts": "a message of more parts than the limit: the rest was left out",
    "too_deep": "parts nested deeper than the limit, left out",
    "long_text": "text beyond the limit, left out",
}


class Tally:
    """How many messages were read, and how often each thing was mended.

    A mapping of names to counts, of those that occurred; `sentences` are for people.

    Examples
    --------
    >>> from hardlimit.mail import MailReader
    >>> reader = MailReader()
    >>> _ = reader.read(b"no mail at all")
    >>> reader.tally_.messages, dict(reader.tally_)
    (1, {'no_header': 1})
    """

    def __init__(self) -> None:
        self.messages = 0
        self.mended_messages = 0
        self._counts = [0] * len(MENDED)

    def add(self, counts: Sequence[int]) -> None:
        """Count one message."""
        self.messages += 1
        if any(counts):
            self.mended_messages += 1
            self._counts = [a + b for a, b in zip(self._counts, counts, strict=True)]

    def __getitem__(self, name: str) -> int:
        return self._counts[list(MENDED).index(name)]

    def keys(self) -> Iterator[str]:
        """Return the names of what was mended."""
        return (name for name, n in zip(MENDED, self._counts, strict=True) if n)

    def __iter__(self) -> Iterator[str]:
        return self.keys()

    def __len__(self) -> int:
        return sum(map(bool, self._counts))

    def sentences(self) -> list[str]:
        """Return what was mended, the most frequent first: ``"12 x ..."``."""
        found = sorted(self.keys(), key=lambda name: -self[name])
        return [f"{self[name]:,} x {MENDED[name]}" for name in found]

    def __repr__(self) -> str:
        return f"Tally({self.messages} messages, {dict(self)})"
