"""What a correction did, as it is told to whoever made it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Standing:
    """The answer to one text: its class, and by how much that beats the best rival."""

    label: Hashable
    margin: float


@dataclass(frozen=True, slots=True)
class Flip:
    """A text whose answer changed. ``number`` is that of a remembered text, or of a guard."""

    number: int
    before: Hashable
    after: Hashable


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a correction, an undo or a dry run did.

    Attributes
    ----------
    id : of the entry in the ledger; None of a dry run
    kind : "correct", "confirm" or "undo"
    label : what the text was corrected to
    before, after : the answer to the text
    size : Euclidean length of the change of the weights
    flips : other remembered texts whose answer changed
    n_remembered : how many other texts are remembered
    guards_in_the_way : guards that the smallest change would flip, by their ids
    flagged : the guards that were flipped nevertheless, under ``guards="flag"``; of an undo those
        that held before it and do not hold now
    new_class, new_terms : whether the label was new, and how many terms were
    target : of an undo, the entry that was taken back
    refused : of an undo, later corrections that do not hold any more
    dry_run : whether nothing was changed
    fingerprint : of the model after it
    probability : of a correction or confirmation, the live one of the answer before
    """

    id: int | None
    kind: str
    label: Hashable
    before: Standing
    after: Standing
    size: float = 0.0
    flips: tuple[Flip, ...] = ()
    n_remembered: int = 0
    guards_in_the_way: tuple[int, ...] = ()
    flagged: tuple[int, ...] = ()
    new_class: bool = False
    new_terms: int = 0
    target: int | None = None
    refused: tuple[int, ...] = ()
    dry_run: bool = False
    fingerprint: str = ""
    probability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return asdict(self)
