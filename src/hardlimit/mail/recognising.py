"""Whether bytes look like a raw message."""

from __future__ import annotations

import re

# Written on the way of a message; a post of a news group, or a text with colons, has none of them.
_ON_THE_WAY = ("received", "return-path", "delivered-to")
_LONGEST = 1 << 14  # bytes that are looked at
_FIELD = re.compile(rb"([A-Za-z][A-Za-z0-9-]*+):(?: |\t|\r|$)")


def looks_like_mail(data: bytes) -> bool:
    r"""Tell a raw message by the first lines of its header.

    >>> looks_like_mail(b"Received: from a by b\nFrom: c@a.org\nSubject: hello\n\nHow are you?")
    True
    >>> looks_like_mail(b"From: c@a.org\nSubject: hello\n\nas in a news group")
    False
    """
    names = set()
    for place, line in enumerate(data[:_LONGEST].split(b"\n")):
        if line[:1] in (b" ", b"\t"):
            continue
        found = _FIELD.match(line)
        if found is None:
            if place == 0 and line.startswith(b"From "):
                continue
            break
        names.add(found[1].lower().decode())
    return len(names) > 2 and not names.isdisjoint(_ON_THE_WAY)
