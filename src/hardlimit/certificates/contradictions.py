"""Conflicts that need no search: a row that is 0, and two rows that contradict each other."""

from __future__ import annotations

from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.foundation import progress

_REPORTED = 1024  # rows between two reports of progress


def find_contradiction(rows: SignedRows) -> dict[int, int]:
    """Multipliers of the first zero row, or of the first pair ``z_i = -z_j``; empty if none.

    The same x with both labels is such a pair. A zero row is on no side of any plane through the
    origin; with a bias there is none. Cost: a look at each number.
    """
    seen: dict[bytes, int] = {}
    for i in range(rows.n_rows):
        if not i % _REPORTED:
            progress.report("looking for contradictions", i, rows.n_rows)
        columns, values = rows.row(i)
        if not len(columns):
            return {i: 1}
        # Rows are canonical (columns ascending, no zeros), so that equal rows have equal bytes.
        place = columns.tobytes()
        j = seen.get(place + (-values).tobytes())
        if j is not None and _cancel(rows, i, j):
            return {j: 1, i: 1}
        seen.setdefault(place + values.tobytes(), i)
    return {}


def _cancel(rows: SignedRows, i: int, j: int) -> bool:
    """Whether they do exactly: fractions may share their nearest floats."""
    return rows.exact(i) == {column: -value for column, value in rows.exact(j).items()}
