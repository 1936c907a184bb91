"""Guards: texts that no correction may flip, and corrections that are solved together with them.

The smallest change of the weights that meets several margins at once, in exact fractions.

    minimise |Delta|^2   subject to   <z_i, w + Delta> >= m_i

with Kesler's vectors z_i = (row at the label, -row at the rival). The dual active set method of
Goldfarb and Idnani (Mathematical Programming 27, 1983) takes one violated constraint at a time.
Where there is no solution it ends with multipliers lambda >= 0, sum lambda_i z_i = 0 and
sum lambda_i c_i > 0 for c_i = m_i - <z_i, w>: a certificate that anybody can check.

One constraint alone is solved by compiled code, in floats (``native/live/overlay.cpp``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from hardlimit._native import LiveRow, Overlay, Watch

# A change of one row's outputs: w_output += step * row.
Steps = list[tuple[int, float]]
# What solving with a guard leaves it at least, unless it was given.
MARGIN = 0.01
_MOST_TRIES = 60


@dataclass(frozen=True)
class GuardedText:
    """A text that must never flip.

    id : of the entry that added it.
    """

    id: int
    row: LiveRow
    features: bytes
    y: int
    label: Hashable
    margin: float


class RowMove(NamedTuple):
    """What a correction does with one row: ``source`` is the entry whose row it is."""

    source: int
    row: LiveRow
    steps: Steps
    before: bytes


class WantedMargin(NamedTuple):
    """One constraint: row ``source`` has class y before the rival by a margin."""

    source: int
    row: LiveRow
    y: int
    rival: int
    margin: float


class GuardBook:
    """The guards of a model, and which of them are flipped now."""

    def __init__(self) -> None:
        self.guards: dict[int, GuardedText] = {}
        self.watch = Watch()
        self._answers: dict[int, int] = {}
        self._by_features: dict[bytes, set[int]] = {}

    def add(self, overlay: Overlay, guard: GuardedText) -> None:
        """Guard a row."""
        self.guards[guard.id] = guard
        self._answers[guard.id] = self.watch.add(overlay, guard.id, guard.row)
        self._by_features.setdefault(guard.features, set()).add(guard.id)

    def remove(self, number: int) -> GuardedText:
        """Guard it no more."""
        guard = self.guards.pop(number)
        self.watch.remove(number)
        del self._answers[number]
        self._by_features[guard.features].discard(number)
        return guard

    def twins(self, features: bytes, y: int) -> list[int]:
        """Return the guards with the same features and another label."""
        same = self._by_features.get(features, ())
        return sorted(number for number in same if self.guards[number].y != y)

    def broken(self) -> dict[int, int]:
        """Return the guards that are flipped now, with the class that they have."""
        return {i: answer for i, answer in self._answers.items() if answer != self.guards[i].y}

    def follow(self, overlay: Overlay, parts: Sequence[RowMove], sign: float = 1.0) -> list[int]:
        """Follow a change; return the guards that it flipped."""
        if not self.guards:
            return []
        for part in parts:
            steps = part.steps if sign > 0 else [(k, -step) for k, step in part.steps]
            self.watch.move(overlay, part.row, steps)
        return self._note(self.watch.changes(overlay))

    def refresh(self, overlay: Overlay) -> None:
        """Ask for all answers again."""
        self._note(self.watch.refresh(overlay))

    def _note(self, changes: list[tuple[int, int, int]]) -> list[int]:
        flipped = []
        for number, _, answer in changes:
            self._answers[number] = answer
            if answer != self.guards[number].y:
                flipped.append(number)
        return sorted(flipped)


class Infeasible(Exception):  # noqa: N818  (no error: an answer with a proof)
    """No change of the weights meets all margins.

    multipliers : by source, exact; ``certificates`` of the sources' rows.
    """

    def __init__(self, multipliers: list[tuple[int, Fraction]]) -> None:
        super().__init__("infeasible")
        self.multipliers = multipliers


def solve_together(
    overlay: Overlay, book: GuardBook, source: int, row: LiveRow, y: int, margin: float
) -> list[RowMove]:
    """Correct a row by the smallest change under which the guards hold that hold now.

    Guards join when they are violated, so that the others cost nothing. The change is applied, and
    the guards have followed it.

    Raises
    ------
    Infeasible, OverflowError
    """
    lasting = set(book.broken())
    asked = {source: (row, y, margin)}
    wanted: list[WantedMargin] = []
    extra: list[float] = []
    parts: list[RowMove] = []
    for tries in range(_MOST_TRIES):
        violated = [one for number in asked for one in _violated(overlay, number, *asked[number])]
        flipped = set(book.broken()) - lasting
        if not violated and not flipped:
            return parts
        take_back(overlay, book, parts)
        asked |= {number: _asked(book.guards[number]) for number in sorted(flipped)}
        places = {(one.source, one.rival): i for i, one in enumerate(wanted)}
        for one in violated:
            place = places.get((one.source, one.rival))
            if place is None:
                wanted.append(one)
                extra.append(0.0)
            else:  # it fell short by rounding
                more = math.ulp(max(1.0, one.margin)) * 2.0**tries
                extra[place] = max(2 * extra[place], more)
        parts = _apply(overlay, wanted, extra)
        book.follow(overlay, parts)
    take_back(overlay, book, parts)
    raise OverflowError


def _asked(guard: GuardedText) -> tuple[LiveRow, int, float]:
    return guard.row, guard.y, guard.margin


def _violated(
    overlay: Overlay, source: int, row: LiveRow, y: int, margin: float
) -> list[WantedMargin]:
    rivals = (k for k in range(overlay.n_classes) if k != y)
    every = [WantedMargin(source, row, y, k, margin) for k in rivals]
    return [one for one in every if _margin(overlay, one) < margin]


def _margin(overlay: Overlay, wanted: WantedMargin) -> float:
    if overlay.n_outputs == 1:
        return overlay.margin(wanted.row, wanted.y)
    scores = overlay.scores(wanted.row)
    return scores[wanted.y] - scores[wanted.rival]


def _apply(
    overlay: Overlay, wanted: Sequence[WantedMargin], extra: Sequence[float]
) -> list[RowMove]:
    """Solve exactly, and move the weights by the result in floats."""
    missing = [
        Fraction(one.margin) + Fraction(more) - Fraction(_margin(overlay, one))
        for one, more in zip(wanted, extra, strict=True)
    ]
    products: dict[tuple[int, int], Fraction] = {}
    two = overlay.n_outputs == 1

    def gram(i: int, j: int) -> Fraction:
        a, b = wanted[i], wanted[j]
        if two:
            shared = 1 if a.y == b.y else -1
        else:
            shared = (a.y == b.y) - (a.y == b.rival) - (a.rival == b.y) + (a.rival == b.rival)
        if not shared:
            return Fraction(0)
        key = (min(a.source, b.source), max(a.source, b.source))
        if key not in products:
            products[key] = exact_product(a.row, b.row)
        return shared * products[key]

    solved = project(gram, missing)
    if not solved.feasible:
        raise Infeasible([(wanted[i].source, u) for i, u in solved.multipliers.items()])
    return [
        RowMove(source, row, steps, overlay.add(row, steps))
        for source, row, steps in _steps(wanted, solved.multipliers, two)
    ]


def _steps(
    wanted: Sequence[WantedMargin], multipliers: dict[int, Fraction], two: bool
) -> list[tuple[int, LiveRow, Steps]]:
    """Gather the multipliers by row and output."""
    rows: dict[int, LiveRow] = {}
    sums: dict[int, dict[int, Fraction]] = {}
    for i, u in sorted(multipliers.items()):
        one = wanted[i]
        rows[one.source] = one.row
        of_row = sums.setdefault(one.source, {})
        if two:
            of_row[1] = of_row.get(1, Fraction(0)) + (u if one.y else -u)
            continue
        of_row[one.y] = of_row.get(one.y, Fraction(0)) + u
        of_row[one.rival] = of_row.get(one.rival, Fraction(0)) - u
    return [
        (source, rows[source], [(k, float(step)) for k, step in sorted(of_row.items()) if step])
        for source, of_row in sums.items()
    ]


def exact_product(a: LiveRow, b: LiveRow) -> Fraction:
    """Return <a, b>, the bias included, without rounding."""
    of_b = dict(zip(b.keys, b.values, strict=True))
    pairs = zip(a.keys, a.values, strict=True)
    return sum((Fraction(v) * Fraction(of_b[k]) for k, v in pairs if k in of_b), Fraction(0))


def take_back(overlay: Overlay, book: GuardBook, parts: Sequence[RowMove]) -> None:
    """Put the weights back, bit for bit, and let the guards follow."""
    for part in reversed(parts):
        overlay.rewind(part.row, part.steps, part.before)
    book.follow(overlay, parts, -1.0)


class Solved(NamedTuple):
    """Multipliers of the constraints, by position; ``feasible`` says of what."""

    feasible: bool
    multipliers: dict[int, Fraction]


def project(gram: Callable[[int, int], Fraction], missing: Sequence[Fraction]) -> Solved:
    """Return the multipliers of the projection, Delta = sum lambda_i z_i, or a certificate.

    Parameters
    ----------
    gram : <z_i, z_j>, exact
    missing : c_i, by how much each constraint is violated; below 0 where it holds

    Examples
    --------
    >>> one, zero = Fraction(1), Fraction(0)
    >>> project(lambda i, j: one if i == j else zero, [one, 2 * one]).multipliers
    {1: Fraction(2, 1), 0: Fraction(1, 1)}
    >>> project(lambda i, j: one if i == j else -one, [one, one])
    Solved(feasible=False, multipliers={0: Fraction(1, 1), 1: Fraction(1, 1)})
    """
    multipliers: dict[int, Fraction] = {}
    while True:
        slack = {
            i: c - sum((u * gram(i, j) for j, u in multipliers.items()), Fraction(0))
            for i, c in enumerate(missing)
            if i not in multipliers
        }
        worst = max(slack, key=lambda i: (slack[i], -i), default=None)
        if worst is None or slack[worst] <= 0:
            return Solved(True, {i: u for i, u in multipliers.items() if u})
        certificate = _take_in(worst, slack[worst], multipliers, gram)
        if certificate is not None:
            return Solved(False, certificate)


def _take_in(
    new: int, missing: Fraction, active: dict[int, Fraction], gram: Callable[[int, int], Fraction]
) -> dict[int, Fraction] | None:
    """Make one violated constraint hold; return a certificate where none can."""
    own = Fraction(0)
    while True:
        held = list(active)
        pull = _solve([[gram(i, j) for j in held] for i in held], [gram(i, new) for i in held])
        left = gram(new, new) - sum(
            (r * gram(i, new) for i, r in zip(held, pull, strict=True)), Fraction(0)
        )
        blocking = [(active[i] / r, i) for i, r in zip(held, pull, strict=True) if r > 0]
        first = min(blocking, default=None)
        if left == 0 and first is None:
            pairs = [(i, -r) for i, r in zip(held, pull, strict=True) if r] + [(new, Fraction(1))]
            return dict(sorted(pairs))
        whole = missing / left if left else None
        step = whole if first is None else first[0] if whole is None else min(first[0], whole)
        assert step is not None  # one of the two is there
        for i, r in zip(held, pull, strict=True):
            active[i] -= step * r
        own += step
        missing -= step * left
        if whole is not None and step == whole:
            active[new] = own
            return None
        assert first is not None
        del active[first[1]]


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a positive definite system by elimination."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    solution = [Fraction(0)] * n
    for k in reversed(range(n)):
        known = sum((rows[k][j] * solution[j] for j in range(k + 1, n)), Fraction(0))
        solution[k] = (rows[k][n] - known) / rows[k][k]
    return solution
