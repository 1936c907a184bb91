r"""Entries of a ledger, their canonical bytes, and the chain of fingerprints.

``docs/ledger-format.md`` is the specification. An entry never changes once it is written::

    fingerprint_n = SHA-256(fingerprint_{n-1} + "\n" + canonical JSON of entry n), as hex
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hardlimit.classifiers.model.storable_labels import labels_from_json, labels_to_json
from hardlimit.exceptions import LedgerError
from hardlimit.foundation.names import check_storable, is_text

# In the details of a correction that was made with another threshold than that of the file, as
# hexadecimal digits.
THRESHOLD = "threshold"
# In the details of a bake: the digest of the file that was written.
BAKED = "baked"

REFUSE, SOLVE, FLAG = "refuse", "solve", "flag"
POLICIES = (REFUSE, SOLVE, FLAG)


# Not frozen, which would cost microseconds of each correction; nobody changes one that is written.
@dataclass(slots=True)
class Entry:
    """One line of a ledger: what was done, when, by whom, and what it did.

    Attributes
    ----------
    id : 1, 2, 3, ...: the order in which entries hold, whatever the clocks say
    kind : the name of one of :mod:`hardlimit.live.kinds`
    time : of the writer's clock, UTC, ISO 8601
    author : who, "" where nobody said
    label : of a correction, a confirmation or a guard; None of others
    margin : what a correction asked for, or what solving with a guard leaves it
    policy : what to do where a guard is in the way: "refuse", "solve" or "flag"
    target : the entry that an undo takes back, or the guard that is removed
    text : None where only the features were kept
    features : the row as bytes; empty of kinds without one
    details : what it did: labels and margins before and after, flips, guards in the way
    before, after : fingerprints of the model, chained
    sealed : the JSON that ``after`` was made of, where it is at hand
    told : the JSON of ``details``, likewise
    """

    id: int
    kind: str
    time: str
    author: str = ""
    label: Hashable | None = None
    margin: float = 0.0
    policy: str = REFUSE
    target: int | None = None
    text: str | bytes | None = None
    features: bytes = b""
    details: Mapping[str, Any] = field(default_factory=dict)
    before: str = ""
    after: str = ""
    sealed: str = field(default="", repr=False, compare=False)
    told: str = field(default="", repr=False, compare=False)

    def chain(self, before: str) -> None:
        """Take both fingerprints."""
        self.before, self.told = before, details_to_json(self.details)
        self.sealed = _canonical(self, self.told)
        self.after = _digest(f"{before}\n{self.sealed}".encode()).hexdigest()


def genesis(base: str) -> str:
    """Return the fingerprint of a model without entries, from that of its base.

    >>> genesis("0" * 16)[:16]
    'a768f8643264d847'
    """
    return hashlib.sha256(f"hardlimit ledger 1\n{base}".encode()).hexdigest()


def fingerprint_of(entry: Entry) -> str:
    """Return the fingerprint of the model after an entry, from the one before it."""
    return _digest(f"{entry.before}\n{canonical_of(entry)}".encode()).hexdigest()


def canonical_of(entry: Entry) -> str:
    """Return the JSON that is hashed: one line, keys sorted, ASCII; long bytes by their digest."""
    return _canonical(entry, details_to_json(entry.details))


def _canonical(entry: Entry, told: str) -> str:
    label, text = label_to_text(entry.label), entry.text
    features = _digest(entry.features).hexdigest() if entry.features else ""
    # Written out, since an encoder takes as long as all else that a correction writes.
    return (
        f'{{"author":{_quote(entry.author)},"details":{told},'
        f'"features":"{features}","id":{entry.id},"kind":{_quote(entry.kind)},'
        f'"label":{"null" if label is None else _quote(label)},'
        f'"margin":"{float(entry.margin).hex()}","policy":{_quote(entry.policy)},'
        f'"target":{"null" if entry.target is None else int(entry.target)},'
        f'"text":{"null" if text is None else _quote(_digest(text_bytes(text)).hexdigest())},'
        f'"time":{_quote(entry.time)}}}'
    )


_digest = hashlib.sha256
_quote = json.encoder.encode_basestring_ascii
details_to_json = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def text_bytes(text: str | bytes) -> bytes:
    """Return a text as it is stored and hashed: its kind, then its bytes."""
    if isinstance(text, bytes):
        return b"b" + text
    return b"s" + text.encode("utf-8", "surrogatepass")


def text_of(stored: bytes | None) -> str | bytes | None:
    """Return a text again."""
    if stored is None:
        return None
    return stored[1:] if stored[:1] == b"b" else stored[1:].decode("utf-8", "surrogatepass")


def column_of(text: str | None) -> str | bytes | None:
    r"""Return a text as a column of texts takes it: as bytes if no encoding of Unicode has it.

    New entries have no such label or author; those of earlier releases may.

    >>> column_of("str:ham"), column_of("str:\ud800")
    ('str:ham', b'str:\xed\xa0\x80')
    """
    return text if text is None or is_text(text) else text.encode("utf-8", "surrogatepass")


def text_of_column(stored: str | bytes | None) -> str | None:
    """Return a text again."""
    return stored.decode("utf-8", "surrogatepass") if isinstance(stored, bytes) else stored


def label_to_text(label: Hashable | None) -> str | None:
    """Return kind and text of a label: ``"str:ham"``.

    >>> label_to_text("ham"), label_of_text("int:3"), label_to_text(None)
    ('str:ham', 3, None)
    """
    if label is None:
        return None
    if type(label) is str:  # nearly always
        return f"str:{label}"
    kind, text = labels_to_json([label])[0]
    return f"{kind}:{text}"


def check_label(label: Hashable | None) -> None:
    """Refuse a label that a ledger cannot hold.

    Raises
    ------
    InputError
    """
    label_to_text(label)  # which refuses other kinds of labels
    if isinstance(label, str):
        check_storable(label, "label")


def threshold_of(entry: Entry, own: float) -> float:
    """Return the threshold that an entry was made with: that of the file, unless it has another."""
    told = entry.details.get(THRESHOLD)
    if told is None:
        return own
    try:
        found = float.fromhex(told)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise LedgerError(f"entry {entry.id} has the threshold {told!r}", topic="damaged")
    return found


def label_of_text(text: str | None) -> Hashable | None:
    """Return a label again."""
    if text is None:
        return None
    kind, _, rest = text.partition(":")
    if kind == "str":
        return rest
    return labels_from_json([(kind, rest)])[0]


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
