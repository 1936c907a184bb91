"""Linear programming, by scipy's HiGHS: both answers from one program."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows

_LOOK = 0.01  # seconds between two looks whether the other thread is done
_MOST_NUMBERS = 5_000_000
_MOST_COLUMNS = 5_000
_ONE_AT_A_TIME = threading.Lock()
_NEAR_ITS_END = 2.0  # seconds
_PATIENCE = 10.0
_RUNNING: dict[threading.Thread, float] = {}  # and the time at which the solver gives up


@dataclass(frozen=True)
class LinearProgram(Finder):
    """min sum |r| subject to Z' L + r = 0, sum L = 1, L >= 0.

    At 0, L is a vertex: a certificate against, of at most columns + 1 rows. Above 0 the prices of
    the first equations are weights w with ``|w_j| <= 1`` and the largest ``min z_i . w``. Columns
    are scaled to the same largest entry, which changes neither verdict.

    It runs in a thread of its own beside the other finders, one program at a time.

    Parameters
    ----------
    seconds
        After which the solver gives up.
    """

    seconds: float = 10.0

    name = "linear-program"
    needs = "scipy"
    turn = 2

    def within(self, seconds: float) -> LinearProgram:
        """Give up when the race is over."""
        return replace(self, seconds=min(seconds, 1e6))

    def suits(self, rows: SignedRows) -> str:
        """Return why not: the solver would need far more time than the others."""
        if len(rows.data) > _MOST_NUMBERS or rows.n_columns > _MOST_COLUMNS:
            return (
                f"more than {_MOST_NUMBERS:,} numbers or {_MOST_COLUMNS:,} columns take the solver "
                "longer than the others"
            )
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield None until the solver is done, then what it found."""
        answers: list[Any] = []
        unwanted = threading.Event()
        thread = threading.Thread(
            target=_run_solver, args=(rows, self.seconds, answers, unwanted), daemon=True
        )
        _RUNNING[thread] = time.monotonic() + self.seconds
        thread.start()
        try:
            while thread.is_alive():
                # The solver cannot be interrupted: others take their turns while it runs.
                thread.join(_LOOK)
                if thread.is_alive():
                    yield None
        finally:
            unwanted.set()
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
            yield answer


@atexit.register
def wait_for_solvers() -> None:
    """Wait for a solver that is about to end.

    One that comes back to Python while that shuts down takes the whole process with it. One that
    has long to go is never heard of again.
    """
    for thread, ends in list(_RUNNING.items()):
        if ends - time.monotonic() < _NEAR_ITS_END:
            thread.join(_PATIENCE)


def _run_solver(
    rows: SignedRows, seconds: float, answers: list[Any], unwanted: threading.Event
) -> None:
    """What the thread runs: its errors are handed over where its answers are."""
    try:
        # Two programs at once would only take each other's time.
        with _ONE_AT_A_TIME:
            if not unwanted.is_set():
                _solve(rows, seconds, answers)
    except Exception as error:
        answers[:] = [error]
    finally:
        _RUNNING.pop(threading.current_thread(), None)


def _solve(rows: SignedRows, seconds: float, answers: list[Any]) -> None:
    import scipy.sparse as sp
    from scipy.optimize import linprog

    n, d = rows.n_rows, rows.n_columns
    shape = (n, d)
    # HiGHS has absolute tolerances, so that a small column would count as zero.
    scale = np.zeros(d)
    np.maximum.at(scale, rows.indices, np.abs(rows.data))
    scale = np.where(scale > 0, scale, 1.0)
    shares = rows.data / scale[rows.indices]
    columns = sp.csr_array((shares, rows.indices, rows.indptr), shape=shape).T
    identity = sp.eye_array(d)
    equations = sp.vstack(
        [
            sp.hstack([columns, identity, -identity]),
            sp.hstack([sp.csr_array(np.ones((1, n))), sp.csr_array((1, 2 * d))]),
        ],
        format="csc",
    )
    cost = np.concatenate([np.zeros(n), np.ones(2 * d)])
    right = np.concatenate([np.zeros(d), [1.0]])
    solution = linprog(
        cost, A_eq=equations, b_eq=right, method="highs", options={"time_limit": seconds}
    )
    if solution.x is None:
        return
    multipliers = np.maximum(solution.x[:n], 0)
    used = np.flatnonzero(multipliers)
    answers.append(Weighting(used, multipliers[used]))
    with np.errstate(over="ignore"):  # columns next to 0: the race drops what is not finite
        answers.append(Direction(-solution.eqlin.marginals[:d] / scale))
