"""The core of sparse rows: the few that can conflict, where the conflict is searched for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding
from hardlimit.certificates.finders.core import find_core
from hardlimit.certificates.finders.linear_program import LinearProgram
from hardlimit.certificates.finders.minimum_norm import MinimumNorm
from hardlimit.certificates.signed_rows import SignedRows


@dataclass(frozen=True)
class SparseCore(Finder):
    """Leave out the rows whose multipliers must be 0, and search among those that are left.

    A row with a column of which all entries have one sign cannot cancel
    (:mod:`hardlimit.certificates.finders.core`); where no row is left, that is a separator. Else a
    linear program, or without scipy Wolfe's algorithm, looks at the rows that are left: their
    multipliers are multipliers of all rows, and a w that separates them is continued to all
    columns.

    Ends at once where every column has both signs. Cost: O(non-zeros) a round, then that of
    :class:`LinearProgram` or :class:`MinimumNorm` in the core.

    Parameters
    ----------
    seconds
        After which the linear program gives up.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> entries = read_entries([[1, 0, 0], [0, 1, 0], [1, 0, 2]])
    >>> rows = SignedRows(entries, np.array([1, -1, -1]), None)
    >>> next(SparseCore().findings(rows, 0)).w.tolist()
    [2.0, -3.0, -3.0]
    """

    seconds: float = 10.0

    name = "sparse-core"
    margins = False
    turn = -3

    def within(self, seconds: float) -> SparseCore:
        """Give up when the race is over."""
        return replace(self, seconds=seconds)

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield a separator, or multipliers that come near to a proof against."""
        core = find_core(rows)
        if not core.removals:
            return
        if not len(core.kept):
            yield core.lift(np.zeros(0), 1.0)
            return
        for finding in self._search(core.signed_rows(), seed):
            yield core.lift_finding(finding)
            if isinstance(finding, Direction):
                return  # others look for the widest margin

    def _search(self, within: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Search by a linear program, in its thread; without scipy by Wolfe's algorithm."""
        program, nearest = LinearProgram().within(self.seconds), MinimumNorm()
        if find_spec(program.needs) and not program.suits(within):
            yield from program.findings(within, seed)
        elif not nearest.suits(within):
            yield from nearest.findings(within, seed)
