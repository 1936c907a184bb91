"""``certify``: separable or not, by exact proof."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardlimit.certificates import checking
from hardlimit.certificates import finders as finding
from hardlimit.certificates.contradictions import contradiction
from hardlimit.certificates.exact.roots import below
from hardlimit.certificates.finders import Finder
from hardlimit.certificates.race import Best, Race
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.certificates.subject import Subject, read
from hardlimit.certificates.suspects import suspects
from hardlimit.certificates.targets import sides
from hardlimit.certificates.verdicts import (
    NotSeparable,
    Separable,
    Undecided,
    input_margin,
    lower_end,
    upper_end,
)
from hardlimit.exceptions import InputError, ProofError

_SUSPECTS = 0.3  # of all seconds, at most


def certify(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    bias_feature: float = 1.0,
    seconds: float = 10.0,
    finders: Sequence[str | Finder] | None = None,
    gap: float = 0.01,
    random_state: int = 0,
    positive: Any = None,
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
        One class, to be held against the rest; needed where there are more than two.

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
    bias = _bias(fit_intercept, bias_feature)
    _check_number("seconds", seconds)
    _check_number("gap", gap)
    who = sides(y, positive)
    rows = read(X, who, bias)
    chosen = _chosen(finders)
    subject = Subject.of(rows, who)
    found = contradiction(rows)
    if found:
        race, best = None, Best(zero_sum=found, found_by="looking for contradictions")
    else:
        race = Race(rows, chosen, seconds, gap, random_state)
        best = race.run()
    verdict = _verdict(subject, rows, best, race, seconds - (time.monotonic() - began), seconds)
    object.__setattr__(verdict, "seconds", time.monotonic() - began)
    return verdict


def _verdict(
    subject: Subject, rows: SignedRows, best: Best, race: Race | None, left: float, seconds: float
) -> Separable | NotSeparable | Undecided:
    against = best.zero_sum or best.small_sum
    if against:
        return NotSeparable(
            subject,
            best.found_by,
            multipliers=dict(against),
            suspects=suspects(rows, against, max(min(left, _SUSPECTS * seconds), 0.5)),
            by="zero sum" if best.zero_sum else "small sum",
        )
    multipliers = {int(i): _plain(v) for i, v in zip(best.index, best.value, strict=True) if v}
    hi = upper_end(rows, multipliers)
    if best.separator is None:
        weights = tuple(_plain(v) for v in best.weights)
        smallest = checking.smallest_product(rows, weights)
        return Undecided(
            subject,
            weights=weights,
            margin=(lower_end(smallest), hi),
            multipliers=multipliers,
            tried=race.tried if race else [],
            why=_why(lower_end(smallest), hi),
        )
    weights, smallest = _better(rows, best)
    return Separable(
        subject,
        best.by,
        weights=weights,
        margin=(lower_end(smallest), hi),
        multipliers=multipliers,
        smallest_margin=below(smallest.product),
        input_margin=input_margin(rows, weights, smallest),
    )


def _better(rows: SignedRows, best: Best) -> tuple[tuple[Any, ...], checking.Smallest]:
    """The weights of the best margin in floats; the first that held where those do not."""
    assert best.smallest is not None
    weights = tuple(_plain(v) for v in best.weights)
    try:
        smallest = checking.check_separator(rows, weights)
    except ProofError:
        return tuple(_plain(v) for v in best.separator), best.smallest
    if smallest.squared_margin >= best.smallest.squared_margin:
        return weights, smallest
    return tuple(_plain(v) for v in best.separator), best.smallest


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _why(lo: float, hi: float) -> str:
    return (
        f"time was over: the largest margin lies between {lo:.3g} and {hi:.3g}, and which side of "
        "0 it is on was not proved; give more seconds, or drop columns that hardly vary"
    )


def _bias(fit_intercept: bool, bias_feature: float) -> float | None:
    if not fit_intercept:
        return None
    number = isinstance(bias_feature, int | float | np.number)
    if not number or not math.isfinite(bias_feature) or not bias_feature:
        raise InputError(
            f"certify: bias_feature={bias_feature!r}: wanted a finite number other than 0; "
            "fit_intercept=False leaves the bias out"
        )
    return float(bias_feature)


def _check_number(name: str, value: Any) -> None:
    if not isinstance(value, (int, float, np.number)) or not value > 0:
        raise InputError(f"certify: {name}={value!r}: wanted a number above 0")


def _chosen(wanted: Sequence[str | Finder] | None) -> list[Finder]:
    if wanted is None:
        wanted = finding.names()
    if isinstance(wanted, str):
        wanted = [wanted]
    chosen = [finding.get(f) if isinstance(f, str) else f for f in wanted]
    if not chosen:
        raise InputError("certify: finders=[]: wanted one or more, or None for all")
    return chosen
