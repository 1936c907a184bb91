"""What an entry does to the weights, also as bytes: a head, the weights of before, and a digest.

``docs/ledger-format.md`` is the specification. An undo puts the weights of before back, so that one
bit that changed would be a wrong state: the digest tells. Earlier releases wrote none.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardlimit.exceptions import LedgerError
from hardlimit.live.guards import RowMove

HOLDS, REFUSED, UNDONE = "", "refused", "undone"

_DIGEST = 32
# In the head: a digest stands behind the values.
_IS_SEALED = "sealed"
_ENCODER = json.JSONEncoder(separators=(",", ":"))


@dataclass
class Effect:
    """What an entry does to the weights now; computed anew when an earlier entry is undone.

    status : "" where it holds, "refused" where a guard is in its way, "undone".
    parts : the rows that it moves, by the entries that they are of, with steps and values of
        before.
    in_the_way : guards that the smallest change would flip.
    size : Euclidean length of the change.
    influence : the author's influence before it; None of what is no correction.
    """

    status: str = HOLDS
    parts: list[RowMove] = field(default_factory=list)
    new_class: bool = False
    in_the_way: tuple[int, ...] = ()
    flagged: tuple[int, ...] = ()
    multipliers: tuple[tuple[int, str], ...] = ()
    size: float = 0.0
    influence: float | None = None

    def to_bytes(self, number: int) -> bytes:
        """Return what is needed to take it back; ``number``: of the entry."""
        plain = {
            "status": self.status,
            "new_class": self.new_class,
            "in_the_way": self.in_the_way,
            "influence": self.influence,
            "size": self.size,
            "parts": [[part.source, part.steps] for part in self.parts],
        }
        head = _ENCODER.encode({**plain, _IS_SEALED: True}).encode()
        values = b"".join(part.before for part in self.parts)
        body = struct.pack("<I", len(head)) + head + values
        return body + _seal(number, body)


class StoredEffect(NamedTuple):
    """Head and values of an effect; ``is_sealed``: whether a digest shows that they were written.

    One without a digest is of an earlier release: only a replay tells whether it is whole.
    """

    head: dict[str, Any]
    values: bytes
    is_sealed: bool

    @property
    def content(self) -> tuple[dict[str, Any], bytes]:
        """All but the digest, to be compared."""
        return self.head, self.values


def read_effect(number: int, stored: bytes) -> StoredEffect:
    """Return an effect again.

    Raises
    ------
    LedgerError
        What is not what was written, as far as it has a digest.
    """
    try:
        (size,) = struct.unpack_from("<I", stored)
        head, values = json.loads(stored[4 : 4 + size]), stored[4 + size :]
        is_sealed = bool(head.pop(_IS_SEALED, False))
        head["status"], head["parts"]  # noqa: B018  (an effect has both)
    except (struct.error, ValueError, TypeError, LookupError, AttributeError) as error:
        raise refuse_effect(number, error) from None
    if not is_sealed:
        return StoredEffect(head, values, False)
    if _seal(number, stored[:-_DIGEST]) != stored[-_DIGEST:]:
        raise refuse_effect(number)
    return StoredEffect(head, values[:-_DIGEST], True)


def refuse_effect(number: int, error: Exception | None = None) -> LedgerError:
    """Return the refusal of an effect."""
    why = f" ({error!r})" if error else ""
    return LedgerError(
        f"what entry {number} does is not what was written{why}",
        topic="damaged",
        fix="take the ledger from a backup",
    )


def _seal(number: int, body: bytes) -> bytes:
    return hashlib.sha256(b"effect %d\n" % number + body).digest()
