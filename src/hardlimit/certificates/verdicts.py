"""The three verdicts, each with what proves it."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from hardlimit.certificates import checking
from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.exact.integers import common_integers
from hardlimit.certificates.exact.roots import (
    bracket_ratio,
    root_rounded_down,
    root_rounded_up,
    round_down,
)
from hardlimit.certificates.proof_fields import write_number, write_ratios
from hardlimit.certificates.proof_writing import write_multipliers, write_proofs, write_subject
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.certificates.subject import Subject
from hardlimit.exceptions import ProofError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike, Labels

Weights = tuple[Exact | float, ...]


@dataclass(frozen=True)
class Verdict:
    """What is known of a set of two classes, and what proves it."""

    subject: Subject
    found_by: str = ""
    seconds: float = field(default=0.0, compare=False)

    verdict: ClassVar[str] = ""

    def check(self, X: ArrayLike, y: Labels) -> None:
        """Verify against the data, in exact arithmetic, whoever found it.

        Cost: O(non-zeros) products of integers.

        Raises
        ------
        ProofError
            The first inequality that fails, or in what the data are other data.
        """
        self.check_rows(self.subject.rows_of(X, y))

    def check_rows(self, rows: SignedRows) -> None:
        """Verify against rows that are known to be those of the proof."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the proof as JSON (docs/proof-format.md), whole or not at all."""
        write_proofs([self.to_proof()], path)

    def to_proof(self) -> dict[str, Any]:
        """Return the members of the proof as JSON (docs/proof-format.md)."""
        return {
            "verdict": self.verdict,
            "found_by": self.found_by,
            "data": write_subject(self.subject),
        }

    def __bool__(self) -> bool:
        """Whether the set is separable, by proof."""
        return False


@dataclass(frozen=True)
class Separable(Verdict):
    """Some weights put every row on its side.

    Attributes
    ----------
    weights
        One exact number a column, the bias last; floats are the rationals that they are.
    margin
        (lo, hi): gamma, the largest ``min z_i . w / ||w||`` of all w, lies between; in the space
        of the rows with their bias. ``lo`` is reached by ``weights``, ``hi`` comes from
        ``multipliers``.
    multipliers
        {row: L_i}: no margin is above ``||sum L_i z_i|| / sum L_i``.
    """

    weights: Weights = ()
    margin: tuple[float, float] = (0.0, 0.0)
    multipliers: dict[int, Exact] = field(default_factory=dict)
    smallest_margin: float = 0.0
    input_margin: float = 0.0

    verdict = "separable"

    @property
    def w(self) -> Array:
        """The weights of the features, as floats."""
        return np.array([float(v) for v in self.weights[: self.subject.n_features]])

    @property
    def intercept(self) -> float:
        """The weight of the bias times its value: ``w . x + intercept`` has the sign of y."""
        bias = self.subject.bias
        return 0.0 if bias is None else float(self.weights[-1]) * bias

    def check_rows(self, rows: SignedRows) -> None:
        """Verify C1 and, for the upper end of the bracket, C3."""
        smallest = checking.check_separator(rows, self.weights)
        _check_bracket(rows, self.margin, smallest, self.multipliers)
        _check_claim("smallest_margin", self.smallest_margin, round_down(smallest.product))
        input_margin = measure_input_margin(rows, self.weights, smallest)
        _check_claim("input_margin", self.input_margin, input_margin)

    def to_proof(self) -> dict[str, Any]:
        """Return the members of the proof as JSON."""
        return {
            **super().to_proof(),
            **_bracket_members(self.weights, self.margin, self.multipliers),
            "smallest_margin": write_number(self.smallest_margin),
            "input_margin": write_number(self.input_margin),
        }

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        lo, hi = self.margin
        return f"separable: margin between {lo:.6g} and {hi:.6g}"


@dataclass(frozen=True)
class NotSeparable(Verdict):
    """Multipliers under which the rows cancel, so that no weights can be right on all.

    Attributes
    ----------
    multipliers
        {row: L_i > 0} over the signed rows ``z_i = y_i (x_i, bias)``: ``sum L_i z_i = 0``.
    conflict
        The rows that bear the proof: without any one of them this proof falls.
    suspects
        Rows to look at first, the one whose removal resolves most conflicts before the others;
        without all of them the rest is separable.
    by
        "zero sum" (C2), or "small sum" (C4, integer data).
    """

    multipliers: dict[int, Exact] = field(default_factory=dict)
    suspects: list[int] = field(default_factory=list)
    by: str = "zero sum"

    verdict = "not separable"

    @property
    def conflict(self) -> list[int]:
        """The rows that bear the proof."""
        return sorted(i for i, multiplier in self.multipliers.items() if multiplier)

    def check_rows(self, rows: SignedRows) -> None:
        """Verify C2, or C4."""
        check = checking.check_small_sum if self.by == "small sum" else checking.check_zero_sum
        check(rows, self.multipliers)

    def to_proof(self) -> dict[str, Any]:
        """Return the members of the proof as JSON."""
        return {
            **super().to_proof(),
            "by": self.by,
            "multipliers": write_multipliers(self.multipliers),
            "suspects": self.suspects,
        }

    def __str__(self) -> str:
        if len(self.conflict) == 1 and self.by == "zero sum":
            return f"not separable: row {self.conflict[0]} is 0 throughout, which is on no side"
        return f"not separable: {plural(len(self.conflict), 'row')} cannot all be right"


@dataclass(frozen=True)
class Undecided(Verdict):
    """No proof either way in the time given.

    Attributes
    ----------
    margin
        (lo, hi): the largest margin lies between; not separable if it is not above 0.
    tried
        A line a finder: what it did.
    why
        What stood in the way, and what may help.
    """

    weights: Weights = ()
    margin: tuple[float, float] = (0.0, 0.0)
    multipliers: dict[int, Exact] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)
    why: str = ""

    verdict = "undecided"

    def check_rows(self, rows: SignedRows) -> None:
        """Verify the bracket, which is all that is claimed."""
        smallest = checking.find_smallest_product(rows, self.weights)
        _check_bracket(rows, self.margin, smallest, self.multipliers)

    def to_proof(self) -> dict[str, Any]:
        """Return the members of the proof as JSON."""
        return {
            **super().to_proof(),
            **_bracket_members(self.weights, self.margin, self.multipliers),
            "tried": self.tried,
            "why": self.why,
        }

    def __str__(self) -> str:
        lo, hi = self.margin
        return f"undecided: margin between {lo:.6g} and {hi:.6g}"


def explain_undecided(lo: float, hi: float) -> str:
    """Say what stood in the way of a proof, and what may help."""
    return (
        f"time was over: the largest margin lies between {lo:.3g} and {hi:.3g}, and which side of "
        "0 it is on was not proved; give more seconds, or drop columns that hardly vary"
    )


def round_lower_end(smallest: checking.Smallest) -> float:
    """Return ``min z_i . w / ||w||``, rounded down."""
    if smallest.product >= 0:
        return root_rounded_down(smallest.squared_margin)
    return -root_rounded_up(smallest.squared_margin)


def measure_input_margin(
    rows: SignedRows, weights: Sequence[Exact | float], smallest: checking.Smallest
) -> float:
    """Return ``min y (w . x + c) / ||w||`` without the bias in ``||w||``, rounded down."""
    features = weights if rows.bias is None else weights[:-1]
    whole, divisor = common_integers(features)
    squared = Fraction(sum(v * v for v in whole), divisor * divisor)
    if not squared:
        return math.inf
    above = smallest.product.numerator**2 * squared.denominator
    below = smallest.product.denominator**2 * squared.numerator
    return root_rounded_down(bracket_ratio(above, below, up=False))


def round_upper_end(rows: SignedRows, multipliers: checking.Multipliers) -> float:
    """Return ``||sum L_i z_i|| / sum L_i``, rounded up."""
    return root_rounded_up(checking.square_of_bound(rows, multipliers))


def _bracket_members(
    weights: Weights, margin: tuple[float, float], multipliers: dict[int, Exact]
) -> dict[str, Any]:
    return {
        "weights": write_ratios(weights),
        "margin": [write_number(end) for end in margin],
        "multipliers": write_multipliers(multipliers),
    }


def _check_bracket(
    rows: SignedRows,
    margin: tuple[float, float],
    smallest: checking.Smallest,
    multipliers: checking.Multipliers,
) -> None:
    lo, hi = margin
    if not lo <= round_lower_end(smallest):
        raise ProofError(
            f"the weights reach a margin of {round_lower_end(smallest)!r} (row {smallest.row}), "
            f"not the {lo!r} that is claimed",
            who="proof",
        )
    if not hi >= round_upper_end(rows, multipliers):
        raise ProofError(
            f"the multipliers exclude margins above {round_upper_end(rows, multipliers)!r}, not "
            f"above {hi!r}, as is claimed",
            who="proof",
        )


def _check_claim(name: str, claimed: float, proved: float) -> None:
    if not claimed <= proved:
        raise ProofError(f"{name} is {proved!r}, not the {claimed!r} that is claimed", who="proof")
