"""What a model file says of where it comes from: digests of its training files, and a note.

No date, no path and no name: the same input gives the same bytes.
"""

from __future__ import annotations

from typing import Any

from hardlimit import describing

# Of a model that learns on every day only the last files are kept, and all are counted.
MOST_FILES = 20


def remember(metadata: dict[str, Any], digest: dict[str, Any] | None, note: str | None) -> None:
    """Add the digest of the training files to those of the trainings before, and keep a note."""
    if digest is not None:
        kept = metadata.get(describing.SOURCES) or {"n": 0, "last": []}
        last = [*kept["last"], digest][-MOST_FILES:]
        metadata[describing.SOURCES] = {"n": kept["n"] + 1, "last": last}
    if note is not None:
        metadata[describing.NOTE] = note
