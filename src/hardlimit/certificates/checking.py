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
from hardlimit.certificates.exact.roots import bracket_ratio
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import Given, ProofError, abbreviate
from hardlimit.foundation.formatting import plural

Multipliers = Mapping[int, Exact]


@dataclass(frozen=True)
class Smallest:
    """The smallest of all ``z_i . w``, where it is, and ``||w||^2``; exact."""

    product: Fraction
    row: int
    squared_length: Fraction

    @property
    def squared_margin(self) -> Fraction:
        """The square of ``product / ||w||``, without its sign; of long numbers on the safe side."""
        product, length = self.product, self.squared_length
        return bracket_ratio(
            product.numerator**2 * length.denominator,
            product.denominator**2 * length.numerator,
            up=product < 0,
        )


def find_smallest_product(rows: SignedRows, weights: Sequence[Exact | float]) -> Smallest:
    """Find the smallest ``z_i . w``, exactly.

    Raises
    ------
    ProofError
        Not one weight a column, or all of them are 0.
    """
    if len(weights) != rows.n_columns:
        bias = " and the bias" if rows.bias is not None else ""
        raise ProofError(
            who="proof",
            got=Given(f"{plural(len(weights), 'weight')}"),
            wanted=f"{rows.n_columns}, one for each column{bias}",
        )
    whole, divisor = common_integers(weights)
    if not any(whole):
        raise ProofError("all weights are 0, which separates nothing", who="proof")
    # With one multiple of all columns' scales a row is summed in integers, not in fractions.
    common = math.lcm(*set(rows.scales))
    scaled = [w * (common // s) for w, s in zip(whole, rows.scales, strict=True)]
    least, where = min(
        (sum(map(mul, values, map(scaled.__getitem__, columns))), i)
        for i, (columns, values) in enumerate(rows.all_integers("checking the weights"))
    )
    squared = Fraction(sum(w * w for w in whole), divisor * divisor)
    return Smallest(Fraction(least, divisor * common), where, squared)


def check_separator(rows: SignedRows, weights: Sequence[Exact | float]) -> Smallest:
    """Check C1: every row is on its side; ``ProofError`` names the one that fails most."""
    smallest = find_smallest_product(rows, weights)
    if smallest.product <= 0:
        raise ProofError(
            f"row {smallest.row} is not on its side: z_{smallest.row} . w = "
            f"{to_float(smallest.product):.6g}, wanted more than 0",
            who="proof",
        )
    return smallest


@dataclass(frozen=True)
class WeightedSum:
    """``sum L_i z_i`` by column, zeros left out: integers over ``divisor``; and ``sum L_i``."""

    columns: dict[int, int]
    divisor: int
    total: Fraction

    @property
    def squared_bound(self) -> Fraction:
        """``||sum L_i z_i||^2 / (sum L_i)^2``; of long numbers a little more."""
        return bracket_ratio(
            sum(v * v for v in self.columns.values()) * self.total.denominator**2,
            (self.divisor * self.total.numerator) ** 2,
            up=True,
        )


def add_rows(rows: SignedRows, multipliers: Multipliers) -> WeightedSum:
    """Add up the rows, exactly.

    Raises ``ProofError`` for a multiplier below 0, a row that is not there, or all of them 0.
    """
    for i, multiplier in multipliers.items():
        if not 0 <= i < rows.n_rows:
            raise ProofError(
                who="proof",
                got=Given(f"a multiplier of row {i}"),
                wanted=f"of rows 0 to {rows.n_rows - 1}",
            )
        if multiplier < 0:
            raise ProofError(
                f"the multiplier of row {i} is below 0: {abbreviate(multiplier)}", who="proof"
            )
    whole, divisor = common_integers(multipliers.values())
    # Nothing at all adds up to zero as well, and proves nothing.
    if not any(whole):
        raise ProofError("no multiplier is above 0", who="proof")
    sums: dict[int, int] = {}
    for i, multiplier in zip(multipliers, whole, strict=True):
        columns, values = rows.integers(i)
        for j, value in zip(columns, values, strict=True):
            sums[j] = sums.get(j, 0) + multiplier * value
    # Each column was summed in its own scale; only now are they brought to one denominator.
    common = math.lcm(*{rows.scales[j] for j in sums})
    scaled = {j: v * (common // rows.scales[j]) for j, v in sorted(sums.items()) if v}
    return WeightedSum(scaled, divisor * common, Fraction(sum(whole), divisor))


def check_zero_sum(rows: SignedRows, multipliers: Multipliers) -> None:
    """Check C2: the weighted rows cancel; ``ProofError`` names the first column that does not."""
    added = add_rows(rows, multipliers)
    for j, value in added.columns.items():
        raise ProofError(
            f"the multipliers do not cancel: {name_column(rows, j)} adds up to "
            f"{to_float(Fraction(value, added.divisor)):.6g}, wanted 0",
            who="proof",
        )


def square_of_bound(rows: SignedRows, multipliers: Multipliers) -> Fraction:
    """Return the square of C3's bound: no margin is above ``||sum L_i z_i|| / sum L_i``."""
    return add_rows(rows, multipliers).squared_bound


def check_small_sum(rows: SignedRows, multipliers: Multipliers) -> None:
    """Check C4: the bound of C3 is below the least margin that integers of this size can have."""
    if not rows.is_integer:
        raise ProofError("a small sum proves something for integer data only", who="proof")
    bound = square_of_bound(rows, multipliers)
    least = least_squared_margin(rows)
    if bound >= least:
        raise ProofError(
            f"the sum is not small enough: its square over that of the multipliers is "
            f"{to_float(bound):.6g}, wanted less than {to_float(least):.6g}",
            who="proof",
        )


def least_squared_margin(rows: SignedRows) -> Fraction:
    """Return ``r^-(r+1) B^-(2r-2)``, below which no separable integer rows have a squared margin.

    If ``Z w >= 1`` has a solution, a vertex of all solutions has, by Cramer and Hadamard,
    ``|w_j| <= r^(r/2) B^(r-1)``.
    """
    each = rows.all_integers("looking for the largest integer")
    largest = max((abs(v) for _, values in each for v in values), default=1)
    rank = min(rows.n_rows, rows.n_columns)
    return Fraction(1, rank ** (rank + 1) * largest ** (2 * rank - 2))


def name_column(rows: SignedRows, j: int) -> str:
    """Name a column: the last one is the bias, where there is one."""
    if rows.bias is not None and j == rows.n_columns - 1:
        return "the bias"
    return f"column {j}"


def to_float(value: Fraction) -> float:
    """Return a float to show, also of numbers that are too large for one."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
