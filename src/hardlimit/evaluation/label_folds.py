"""Parts of rows with several labels each, in which every label has its share: who is held out.

Iterative stratification: the rarest label that is left deals its rows first, each to the part that
is shortest of that label, then the next rarest. Rows without a label go last, to the shortest part.
Of chance nothing is left but the order in which the rows are given.

Sechidis, Tsoumakas and Vlahavas, ECML PKDD 2011, algorithm 1; ties there are drawn, here the first
part has them.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Hashable, Sequence

Labels = Collection[Hashable]


def deal_label_sets(
    rows: Sequence[Labels], shares: Sequence[float], sizes: Sequence[int] | None = None
) -> list[int]:
    """Return the part of each row.

    Parameters
    ----------
    rows
        The labels of each row.
    shares
        Of each part, adding up to 1.
    sizes
        How many rows each stands for, such as equal texts; default 1.

    Returns
    -------
    list of int
        O(n log n) for n labels of all rows together.

    Examples
    --------
    >>> deal_label_sets([{"a"}, {"a", "b"}, {"b"}, {"a"}, {"a"}, set()], [0.5, 0.5])
    [1, 0, 1, 0, 1, 0]
    """
    sizes = [1] * len(rows) if sizes is None else sizes
    left = _Left(rows, sizes)
    wanted = [share * sum(sizes) for share in shares]
    of_label = {label: [share * n for share in shares] for label, n in left.counts.items()}
    parts = [-1] * len(rows)

    def give(row: int, lacking: Sequence[float]) -> None:
        part = max(range(len(shares)), key=lambda j: (lacking[j], wanted[j], -j))
        parts[row] = part
        wanted[part] -= sizes[row]
        for label in rows[row]:
            of_label[label][part] -= sizes[row]
        left.take(row)

    while (rarest := left.rarest()) is not None:
        for row in left.members[rarest]:
            if parts[row] < 0:
                give(row, of_label[rarest])
    for row in range(len(rows)):
        if parts[row] < 0:
            give(row, wanted)
    return parts


class _Left:
    """Which labels have rows that are not dealt yet, and how many."""

    def __init__(self, rows: Sequence[Labels], sizes: Sequence[int]) -> None:
        self._rows, self._sizes = rows, sizes
        self.members: dict[Hashable, list[int]] = {}
        self.counts: dict[Hashable, int] = {}
        for row, labels in enumerate(rows):
            for label in dict.fromkeys(labels):
                self.members.setdefault(label, []).append(row)
                self.counts[label] = self.counts.get(label, 0) + sizes[row]
        # Of labels that are as rare the first in spelling, whatever the order of the rows.
        spelled = sorted(self.counts, key=repr)
        self._places = {label: place for place, label in enumerate(spelled)}
        self._labels = spelled
        self._heap = [(self.counts[label], place) for label, place in self._places.items()]
        heapq.heapify(self._heap)

    def take(self, row: int) -> None:
        """Count a row as dealt."""
        for label in self._rows[row]:
            self.counts[label] -= self._sizes[row]
            heapq.heappush(self._heap, (self.counts[label], self._places[label]))

    def rarest(self) -> Hashable | None:
        """Return the label with the fewest rows that are left; None where no row has one."""
        while self._heap:
            count, place = heapq.heappop(self._heap)
            # Each change left an entry behind: only the last one holds.
            if count and count == self.counts[self._labels[place]]:
                return self._labels[place]
        return None
