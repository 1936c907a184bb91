"""A note where a model is measured on the very rows that it was trained on."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from hardlimit import describing
from hardlimit.cli import labelled_rows, streams, terminal
from hardlimit.readers.opening import STANDARD_INPUT


def remembering_input(
    metadata: Mapping[str, Any], sources: Sequence[str]
) -> contextlib.AbstractContextManager[None]:
    """Return what keeps the digest of standard input while it is read, where it may be known."""
    known = STANDARD_INPUT in sources and metadata.get(describing.SOURCES)
    return streams.hashed_input() if known else contextlib.nullcontext()


def note_if_known(metadata: Mapping[str, Any], sources: Sequence[str]) -> bool:
    """Say so, and return whether the model was trained on these files, by their digest."""
    if not _is_known(metadata, sources):
        return False
    name = labelled_rows.name_sources(sources)
    most = "most of " if metadata.get(describing.HELD_OUT) else ""
    terminal.remark(
        f"{name}: the model was trained on {most}these very rows: the figures say how well it "
        "remembers them, not how it answers new ones"
    )
    return True


def _is_known(metadata: Mapping[str, Any], sources: Sequence[str]) -> bool:
    trained = (metadata.get(describing.SOURCES) or {}).get("last", ())
    if not trained:
        return False
    from hardlimit.cli import digests  # start-up: models of Python know no files

    # Files of other sizes are others: nothing is read for that.
    size = digests.size_of_all(sources)
    if size is not None and all(one["bytes"] != size for one in trained):
        return False
    found = digests.digest_of_all(sources)
    return found is not None and any(one["sha256"] == found["sha256"] for one in trained)
