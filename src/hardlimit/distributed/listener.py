"""Who is told what is found out before the first epoch."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hardlimit.distributed.featurisers import Featuriser, ShardRows


class Listener:
    """Is told of the files and of the labels, and may set parameters of the classifier then.

    held_out : the part of the rows that are not learnt from but handed over, stratified and with
        equal rows on one side; None: all are learnt.
    """

    held_out: float | None = None

    def surveyed(self, found: object, featuriser: Featuriser) -> None:
        """Hear how the first file is read, and what was found out of all rows."""

    def folded(self, notes: list[str]) -> None:
        """Hear which spellings of labels are one."""

    def counted(self, labels: Counter[Any], n_rows: int) -> None:
        """Hear how many rows each label has, and how many there are."""

    def take(self, held_out: ShardRows) -> None:
        """Take the rows that are held out."""
