"""The certificates and their checks, in integers; one look at each number.

==== ======================================== =================================================
C1   weights w                                every ``z_i . w > 0``: separable, with a margin of
                                              at least ``min z_i . w / ||w||``
C2   multipliers L_i >= 0, not all 0          ``sum L_i z_i = 0``: not separable (Gordan)
C3   multipliers L_i >= 0, not all 0          no margin is above ``||sum L_i z_i|| / sum L_i``
C4   as C3; integers of at most B, rank <= r  ``||sum L z||^2 r^(r+1) B^(2r-2) < (sum L)^2``: not
                                              separable, for else the margin would be larger
==== ======================================== =================================================

None of them asks how it was found. Cost: O(non-zeros) products of integers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.exact.integers import common_integers
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import ProofError

Multipliers = Mapping[int, Exact]


@dataclass(frozen=True)
class Smallest:
    """The smallest of all ``z_i . w``, where it is, and ``||w||^2``; exact."""

    product: Fraction
    row: int
    squared_length: Fraction

    @property
    def squared_margin(self) -> Fraction:
        """The square of ``product / ||w||``, without its sign."""
        return self.product * self.product / self.squared_length


def smallest_product(rows: SignedRows, weights: Sequence[Exact | float]) -> Smallest:
    """Find the smallest ``z_i . w``, exactly.

    Raises
    ------
    ProofError
        Not one weight a column, or all of them are 0.
    """
    if len(weights) != rows.n_columns:
        raise ProofError(
            f"proof: {len(weights)} weights; wanted {rows.n_columns}, one for each column"
            + (" and the bias" if rows.bias is not None else "")
        )
    whole, divisor = common_integers(weights)
    if not any(whole):
        raise ProofError("proof: all weights are 0, which separates nothing")
    common = math.lcm(*set(rows.scales))
    scaled = [w * (common // s) for w, s in zip(whole, rows.scales, strict=True)]
    least, where = min(
        (sum(map(mul, values, map(scaled.__getitem__, columns))), i)
        for i, (columns, values) in enumerate(rows.all_integers())
    )
    squared = Fraction(sum(w * w for w in whole), divisor * divisor)
    return Smallest(Fraction(least, divisor * common), where, squared)


def check_separator(rows: SignedRows, weights: Sequence[Exact | float]) -> Smallest:
    """C1: every row is on its side; ``ProofError`` names the one that fails most."""
    found = smallest_product(rows, weights)
    if found.product <= 0:
        raise ProofError(
            f"proof: row {found.row} is not on its side: z_{found.row} . w = "
            f"{float_of(found.product):.6g}, wanted more than 0"
        )
    return found


@dataclass(frozen=True)
class WeightedSum:
    """``sum L_i z_i`` by column, zeros left out: integers over ``divisor``; and ``sum L_i``."""

    columns: dict[int, int]
    divisor: int
    total: Fraction

    @property
    def squared(self) -> Fraction:
        """``||sum L_i z_i||^2``."""
        return Fraction(sum(v * v for v in self.columns.values()), self.divisor**2)


def weighted_sum(rows: SignedRows, multipliers: Multipliers) -> WeightedSum:
    """Add up the rows, exactly.

    Raises ``ProofError`` for a multiplier below 0, a row that is not there, or all of them 0.
    """
    for i, multiplier in multipliers.items():
        if not 0 <= i < rows.n_rows:
            raise ProofError(
                f"proof: a multiplier of row {i}; there are rows 0 to {rows.n_rows - 1}"
            )
        if multiplier < 0:
            raise ProofError(f"proof: the multiplier of row {i} is below 0: {multiplier}")
    whole, divisor = common_integers(multipliers.values())
    if not any(whole):
        raise ProofError("proof: no multiplier is above 0")
    sums: dict[int, int] = {}
    for i, multiplier in zip(multipliers, whole, strict=True):
        columns, values = rows.integers(i)
        for j, value in zip(columns, values, strict=True):
            sums[j] = sums.get(j, 0) + multiplier * value
    common = math.lcm(*{rows.scales[j] for j in sums})
    scaled = {j: v * (common // rows.scales[j]) for j, v in sorted(sums.items()) if v}
    return WeightedSum(scaled, divisor * common, Fraction(sum(whole), divisor))


def check_zero_sum(rows: SignedRows, multipliers: Multipliers) -> None:
    """C2: the weighted rows cancel; ``ProofError`` names the first column in which they do not."""
    found = weighted_sum(rows, multipliers)
    for j, value in found.columns.items():
        raise ProofError(
            f"proof: the multipliers do not cancel: {column_name(rows, j)} adds up to "
            f"{float_of(Fraction(value, found.divisor)):.6g}, wanted 0"
        )


def squared_bound(rows: SignedRows, multipliers: Multipliers) -> Fraction:
    """C3: the square of ``||sum L_i z_i|| / sum L_i``, above which no margin is."""
    found = weighted_sum(rows, multipliers)
    return found.squared / (found.total * found.total)


def check_small_sum(rows: SignedRows, multipliers: Multipliers) -> None:
    """C4: the bound of C3 is below the least margin that integers of this size can have."""
    if not rows.is_integer:
        raise ProofError("proof: a small sum proves something for integer data only")
    bound = squared_bound(rows, multipliers)
    least = least_squared_margin(rows)
    if bound >= least:
        raise ProofError(
            f"proof: the sum is not small enough: its square over that of the multipliers is "
            f"{float_of(bound):.6g}, wanted less than {float_of(least):.6g}"
        )


def least_squared_margin(rows: SignedRows) -> Fraction:
    """``r^-(r+1) B^-(2r-2)``: no separable set of integer rows has a smaller squared margin.

    If ``Z w >= 1`` has a solution, a vertex of all solutions has, by Cramer and Hadamard,
    ``|w_j| <= r^(r/2) B^(r-1)``.
    """
    largest = max((abs(v) for _, values in rows.all_integers() for v in values), default=1)
    rank = min(rows.n_rows, rows.n_columns)
    return Fraction(1, rank ** (rank + 1) * largest ** (2 * rank - 2))


def column_name(rows: SignedRows, j: int) -> str:
    """Name a column: the last one is the bias, where there is one."""
    if rows.bias is not None and j == rows.n_columns - 1:
        return "the bias"
    return f"column {j}"


def float_of(value: Fraction) -> float:
    """A float to show, also of numbers that are too large for one."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
