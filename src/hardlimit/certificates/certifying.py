"""``certify``: separable or not, by exact proof."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hardlimit.certificates import checking
from hardlimit.certificates import finders as registered_finders
from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.exact.roots import round_down
from hardlimit.certificates.finders import Finder
from hardlimit.certificates.race import Best, Race, Search
from hardlimit.certificates.signed_rows import SignedRows, find_contradiction
from hardlimit.certificates.subject import Subject, read_rows
from hardlimit.certificates.suspects import find_suspects
from hardlimit.certificates.targets import read_sides
from hardlimit.certificates.verdicts import (
    NotSeparable,
    Separable,
    Undecided,
    explain_undecided,
    measure_input_margin,
    round_lower_end,
    round_upper_end,
)
from hardlimit.exceptions import InputError, ProofError, Setting
from hardlimit.foundation.types import ArrayLike, Labels

_SUSPECTS = 0.3  # of all seconds, at most


def certify(
    X: ArrayLike,
    y: Labels,
    *,
    fit_intercept: bool = True,
    bias_feature: float = 1.0,
    seconds: float = 10.0,
    finders: Sequence[str | Finder] | None = None,
    gap: float = 0.01,
    random_state: int = 0,
    positive: Hashable | None = None,
    turns: float = math.inf,
) -> Separable | NotSeparable | Undecided:
    """Decide whether two classes are linearly separable, with a proof.

    Parameters
    ----------
    X
        (n_rows, n_columns), dense or sparse; ints and floats as they are, or lists of lists of ints
        and ``Fraction``. Finite.
    y
        A label a row; the second class in sorted order is on the side of +1.
    fit_intercept, bias_feature
        Whether there is a bias, and the constant feature that carries it: not 0. Without,
        separating planes go through the origin.
    seconds
        For the search; a proof of a large set may take a little longer to verify. > 0.
    finders
        Names or finders (``certificates.finders.names()``); None: all that suit.
    gap
        A separable set is searched on until ``(hi - lo) / hi`` of the margin's bracket is at most
        this, or time is over; inf: the first separator will do. > 0.
    random_state
        Seed of the finders. Which of them comes first is a matter of the clock: verdicts repeat,
        proofs may differ.
    positive
        One class, to be tested against the rest; needed where there are more than two.
    turns
        At most so many turns of all finders together, > 0: with ``seconds=inf`` a limit of work,
        which a busy machine does not shorten. ``finders=`` of one that counts its steps makes the
        whole search repeat.

    Returns
    -------
    Separable, NotSeparable or Undecided
        Each with ``.check(X, y)`` (exact) and ``.save(path)``.

    Raises
    ------
    InputError
        Not finite numbers, no rows, one class, several classes without ``positive``.

    Examples
    --------
    >>> from hardlimit import certify
    >>> xor = certify([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.multipliers, xor.conflict
    ({0: 1, 1: 1, 2: 1, 3: 1}, [0, 1, 2, 3])
    >>> both = certify([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> bool(both), both.margin[0] <= 17**-0.5 <= both.margin[1]
    (True, True)
    >>> both.check([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    """
    began = time.monotonic()
    bias = _read_bias(fit_intercept, bias_feature)
    search = Search(seconds, gap, _resolve_finders(finders), random_state, turns)
    sides = read_sides(y, positive)
    rows = read_rows(X, sides, bias)
    subject = Subject.of(rows, sides)
    # First: one pass finds it, and two rows are the shortest proof there is.
    conflict = find_contradiction(rows)
    if conflict:
        tried: list[str] = []
        best = Best(zero_sum=conflict, found_by="looking for contradictions")
    else:
        race = Race(rows, search)
        best, tried = race.run(), race.tried
    # The order of the suspects needs no proof: it takes a part of the time, half a second at
    # least, since without it a conflict of thousands of rows helps nobody.
    left = seconds - (time.monotonic() - began)
    verdict = _conclude(subject, rows, best, tried, max(min(left, _SUSPECTS * seconds), 0.5))
    return replace(verdict, seconds=time.monotonic() - began)


def _conclude(
    subject: Subject, rows: SignedRows, best: Best, tried: list[str], seconds: float
) -> Separable | NotSeparable | Undecided:
    """Make the verdict; ``seconds`` are for the order of the suspects."""
    against = best.zero_sum or best.small_sum
    if against:
        return NotSeparable(
            subject,
            best.found_by,
            multipliers=dict(against),
            suspects=find_suspects(rows, against, seconds),
            by="zero sum" if best.zero_sum else "small sum",
        )
    multipliers = {int(i): _to_builtin(v) for i, v in zip(best.index, best.value, strict=True) if v}
    hi = round_upper_end(rows, multipliers)
    if best.separator is None:
        weights = tuple(map(_to_builtin, best.weights))
        lo = round_lower_end(checking.find_smallest_product(rows, weights))
        return Undecided(
            subject,
            weights=weights,
            margin=(lo, hi),
            multipliers=multipliers,
            tried=tried,
            why=explain_undecided(lo, hi),
        )
    weights, smallest = _choose_weights(rows, best)
    return Separable(
        subject,
        best.weights_by,
        weights=weights,
        margin=(round_lower_end(smallest), hi),
        multipliers=multipliers,
        smallest_margin=round_down(smallest.product),
        input_margin=measure_input_margin(rows, weights, smallest),
    )


def _choose_weights(rows: SignedRows, best: Best) -> tuple[tuple[Any, ...], checking.Smallest]:
    """The weights of the best margin in floats; the first that held where those do not."""
    assert best.smallest is not None
    weights = tuple(map(_to_builtin, best.weights))
    try:
        smallest = checking.check_separator(rows, weights)
    except ProofError:
        # The best in floats may fail exactly: the margin is then below what rounding can tell.
        return tuple(map(_to_builtin, best.separator)), best.smallest
    if smallest.squared_margin >= best.smallest.squared_margin:
        return weights, smallest
    return tuple(map(_to_builtin, best.separator)), best.smallest


def _to_builtin(value: Exact | float | np.generic) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _read_bias(fit_intercept: bool, bias_feature: float) -> float | None:
    if not fit_intercept:
        return None
    number = isinstance(bias_feature, int | float | np.number)
    if not number or not math.isfinite(bias_feature) or not bias_feature:
        raise InputError(
            who="certify",
            parameter="bias_feature",
            got=bias_feature,
            wanted="a finite number other than 0",
            fix=(Setting("fit_intercept", False), " leaves the bias out"),
        )
    return float(bias_feature)


def _resolve_finders(chosen: Sequence[str | Finder] | None) -> tuple[Finder, ...]:
    if chosen is None:
        chosen = registered_finders.names()
    if isinstance(chosen, str):
        chosen = [chosen]
    if not chosen:
        raise InputError(
            who="certify", parameter="finders", got=[], wanted="one or more, or None for all"
        )
    return tuple(registered_finders.get(f) if isinstance(f, str) else f for f in chosen)
