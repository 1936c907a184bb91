"""A baked model takes the place of its base: what becomes of the ledger.

It is set aside as ``MODEL.ledger-until-N``, N its last entry, and a new one begins with its guards.
"""

from __future__ import annotations

import os
import shutil
from typing import Any

from hardlimit.exceptions import InputError, LedgerError
from hardlimit.live.base import Base
from hardlimit.live.entry import BAKED, Entry, check_label
from hardlimit.live.file_ledger import SUFFIX, FileLedger
from hardlimit.live.kinds import guards_removed, kind_of, undos_of
from hardlimit.live.ledger_tail import sync_folder
from hardlimit.live.sqlite import base_of
from hardlimit.live.state import undone_entries


def succeed(where: str, base: Base[Any], refused: LedgerError) -> FileLedger:
    """Set the ledger of the model that a base was baked from aside; return the new one.

    Raises
    ------
    LedgerError
        ``refused``, where the base was not baked from this ledger, or entries came after it.
    """
    entries = _read(where, refused)
    told = [one.details for one in entries]
    through = [one["through"] for one in told if one.get(BAKED) == base.digest]
    if not through:
        raise refused
    later = [one.id for one in entries if one.id > through[-1] and not kind_of(one).is_note]
    if later or os.path.exists(where + SUFFIX):
        first = f"entry #{later[0]} came" if later else "entries may have come"
        raise LedgerError(
            f"the model was baked from this ledger, and {first} after that",
            where=where,
            topic="another-model",
            fix="put the model of before back, and bake again",
        )
    guards = _guards(entries)
    aside = f"{where}-until-{entries[-1].id}"
    if os.path.lexists(aside):
        raise LedgerError(
            "the ledger of before has no place to go", where=aside, fix="move that file away"
        )
    _change_places(where, aside, base, guards)
    return FileLedger(where, base.digest)


def _read(where: str, refused: LedgerError) -> list[Entry]:
    """Return the entries of a ledger, whatever model it is of."""
    base = base_of(where)
    if base is None:
        raise refused
    ledger = FileLedger(where, base, read_only=True)
    try:
        return list(ledger.entries())
    finally:
        ledger.close()


def _guards(entries: list[Entry]) -> list[Entry]:
    gone = undone_entries(undos_of(entries))
    removed = set(guards_removed(one for one in entries if one.id not in gone))
    guards = [one for one in entries if kind_of(one).is_guard and one.id not in gone | removed]
    for guard in guards:
        if guard.text is None:
            raise LedgerError(
                f"guard #{guard.id} is kept without its text, and cannot go on with a new model",
                topic="another-model",
                fix="remove it before baking",
            )
        try:
            check_label(guard.label)
        except InputError as error:  # an entry of an earlier release
            raise LedgerError(
                f"guard #{guard.id} has a label that cannot be written any more ({error})",
                topic="another-model",
                fix="remove it before baking",
            ) from None
    return guards


def _change_places(where: str, aside: str, base: Base[Any], guards: list[Entry]) -> None:
    """Put a ledger with these guards in the place of the old one, in one step."""
    if not guards:
        os.rename(where, aside)
        sync_folder(where)
        return
    from hardlimit.live.model import LiveModel  # late: it opens ledgers itself

    fresh = f"{where}-next"
    if os.path.lexists(fresh):
        os.unlink(fresh)  # of a run that was killed
    live: Any = LiveModel(base, FileLedger(fresh, base.digest), remember=0, recent=0)
    with live:
        for guard in guards:
            live.add_guard(guard.text, guard.label, by=guard.author, margin=guard.margin)
    try:
        os.link(where, aside)
    except OSError:  # a file system without links
        shutil.copy2(where, aside)
    os.replace(fresh, where)
    sync_folder(where)
