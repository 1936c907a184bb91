"""Entries as plain JSON: the same for the command line and the service."""

from __future__ import annotations

from typing import Any

from hardlimit.live.entry import Entry


def plain_text(text: str | bytes | None) -> str | None:
    """Return a text as JSON can hold it; bytes that are no UTF-8 are replaced."""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def cut(text: str | bytes | None, chars: int | None = None) -> dict[str, Any]:
    """Return the beginning of a text, and the length of the whole.

    >>> cut("a prize", 3), cut(None)
    ({'text': 'a p', 'length': 7}, {'text': None, 'length': None})
    """
    plain = plain_text(text)
    if plain is None:
        return {"text": None, "length": None}
    return {"text": plain[:chars], "length": len(plain)}


def entry_to_plain(entry: Entry, undone: bool, chars: int | None = None) -> dict[str, Any]:
    """Return an entry as JSON has it; ``chars``: of its text, None for all."""
    return {
        "id": entry.id,
        "kind": entry.kind,
        "time": entry.time,
        "author": entry.author,
        "label": entry.label,
        "margin": entry.margin,
        "policy": entry.policy,
        "target": entry.target,
        **cut(entry.text, chars),
        "details": dict(entry.details),
        "before": entry.before,
        "after": entry.after,
        "undone": undone,
    }
