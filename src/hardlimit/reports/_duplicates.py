"""Rows that say the same, exactly or but for case and white space; and labels that disagree."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

# A text, or those of the columns of a row.
Example = str | bytes | tuple[str | bytes, ...]


def make_folded_keys(texts: Sequence[Example]) -> list[bytes]:
    """Return keys of texts in one case, one form of their letters and with single spaces.

    >>> one, two = make_folded_keys(["Win a  PRIZE", "win a prize"])
    >>> one == two
    True
    """
    return [_digest(fold_text(one)) for one in texts]


def is_blank(example: Example) -> bool:
    """Whether a text, or each of several, is white space.

    >>> is_blank(" "), is_blank((b"", "a"))
    (True, False)
    """
    return all(map(is_blank, example)) if isinstance(example, tuple) else not example.strip()


def fold_text(text: Example) -> str:
    """Return a text as it is compared; of several columns, where each ends counts."""
    if isinstance(text, tuple):
        return "\0".join(map(fold_text, text))
    decoded = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    # ASCII is its own normal form, and looking is far cheaper than normalising
    if not decoded.isascii():
        decoded = unicodedata.normalize("NFKC", decoded)
    return " ".join(decoded.casefold().split())


def _digest(text: str) -> bytes:
    # not hash(), which differs between processes; not the text, which would fill memory; halves of
    # surrogate pairs come from broken JSON and must not stop a report
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass
class LabelConflict:
    """Rows that say the same and bear different labels."""

    rows: list[int]
    labels: list[Any]


@dataclass
class Duplicates:
    """Groups of equal rows."""

    n: int
    groups: list[list[int]] = field(default_factory=list)  # of two rows or more, as they come

    @property
    def repeated(self) -> int:
        """Rows whose like came before."""
        return sum(len(group) - 1 for group in self.groups)

    @property
    def largest(self) -> list[int]:
        """The rows of the largest group."""
        return max(self.groups, key=len, default=[])

    def conflicts(self, labels: Sequence[Any]) -> list[LabelConflict]:
        """Groups with more than one label, the largest first."""
        conflicts = [
            LabelConflict(group, [labels[row] for row in group])
            for group in self.groups
            # as texts: the file's "1" and the model's 1 are one label
            if len({str(labels[row]) for row in group}) > 1
        ]
        # the first row breaks ties, so that the page is the same every time
        return sorted(conflicts, key=lambda one: (-len(one.rows), one.rows[0]))


def find_duplicates(keys: Sequence[Hashable]) -> Duplicates:
    """Gather the rows of equal keys.

    >>> duplicates = find_duplicates([b"a", b"b", b"a", b"a"])
    >>> duplicates.groups, duplicates.repeated
    ([[0, 2, 3]], 2)
    """
    groups: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    return Duplicates(len(keys), [group for group in groups.values() if len(group) > 1])


def count_unavoidable_errors(conflicts: Iterable[LabelConflict]) -> int:
    """Count the rows that no classifier gets right: all but the commonest label of each group."""
    return sum(len(one.rows) - max(Counter(map(str, one.labels)).values()) for one in conflicts)
