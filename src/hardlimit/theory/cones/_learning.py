"""The cone algorithm, step by step: several vectors that move together."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.exact_numbers import Scalar, Vector, add, dot
from hardlimit.foundation.formatting import plural
from hardlimit.theory.cycling import Cycle, KeptEpochs


@dataclass(frozen=True)
class ConeStep:
    """One line: a vector, its least product with the generators, and where they moved."""

    epoch: int
    example: int
    updates: int  # so far, this one included
    least: Scalar  # min_j <w_j, x>, before
    corrected: bool
    translation: Vector  # s, after; w_j = w0_j + s


@dataclass(frozen=True)
class ConeOutcome:
    """How a run ended: contained (``<w_j, x> > 0`` for all j and x), cycling or max_iter."""

    reason: str
    translation: Vector
    updates: int
    epochs: int
    counts: tuple[int, ...]
    cycle: Cycle | None = None


def move_generators(
    vectors: Sequence[Sequence[Scalar]], start: Sequence[Sequence[Scalar]], *, max_iter: int = 1000
) -> Generator[ConeStep, None, ConeOutcome]:
    """Move all generators by x wherever one of them has ``<w_j, x> <= 0``.

    ::

        s <- 0                                      # w_j = w0_j + s
        repeat: for x in order:  if min_j <w0_j, x> + <s, x> <= 0:  s <- s + x
        until a clean pass

    The test is ``<s, x> <= b_x`` with ``b_x = -min_j <w0_j, x>``: a perceptron with a required
    margin for each vector, so that :func:`hardlimit.cones.bound` bounds its updates. With one
    generator, at 0, it is the perceptron.

    Parameters
    ----------
    vectors
        What is to be contained: ints or fractions, all of one length.
    start
        The generators at the start, ``w0_j``.
    max_iter
        Passes at most. A translation that comes back ends the run as ``cycling``: the vectors are
        not linearly contained.
    """
    rows, starts = _check_rows(vectors, "vectors"), _check_rows(start, "start")
    if len(starts[0]) != len(rows[0]):
        raise InputError(
            who="cones",
            got=Given(
                f"generators of {plural(len(starts[0]), 'number')} for vectors of {len(rows[0])}"
            ),
            wanted="as many",
        )
    # All generators move by the same s, so that the one with the least product never changes.
    least0 = [min(dot(w, x) for w in starts) for x in rows]
    s: Vector = (0,) * len(rows[0])
    counts, updates, kept, past = [0] * len(rows), 0, s, KeptEpochs()
    for epoch in range(1, max_iter + 1):
        before = updates
        for i, x in enumerate(rows):
            least = least0[i] + dot(s, x)
            if least <= 0:
                s = add(s, x)
                counts[i] += 1
                updates += 1
            yield ConeStep(epoch, i, updates, least, least <= 0, s)
        if updates == before:
            return ConeOutcome("contained", s, updates, epoch, tuple(counts))
        past.corrections += updates - before
        # What is done next depends on s alone: the same s again means the same steps for ever.
        if s == kept:
            return ConeOutcome("cycling", s, updates, epoch, tuple(counts), past.period(epoch))
        if epoch == past.due:
            past.keep(epoch)
            kept = s
    return ConeOutcome("max_iter", s, updates, max_iter, tuple(counts))


def _check_rows(vectors: Sequence[Sequence[Scalar]], name: str) -> tuple[Vector, ...]:
    rows = tuple(tuple(row) for row in vectors)
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        lengths = sorted({len(row) for row in rows})
        raise InputError(
            who=f"cones: {name}",
            got=Given(f"{plural(len(rows), 'row')} of {lengths} numbers"),
            wanted="at least one, all of the same length",
        )
    return rows
