"""Kinds of rules: what a correction does to the weights."""

from __future__ import annotations

from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import is_among
from hardlimit.rules._protocol import Rule


class AdditiveRule(Rule):
    """``w <- w + tau y x``: ``tau`` answers a number."""

    answers = "tau"


class ShrinkingRule(Rule):
    """``w <- shrink w + tau y x``: ``tau`` answers the pair ``shrink, tau``."""

    answers = "shrink, tau"


class LinkedRule(Rule):
    """``theta <- theta + tau y x`` with ``w = 2 sinh(theta)``: ``tau`` answers a number."""

    answers = "tau, linked"


class CovarianceRule(Rule):
    """``w <- w + tau y S x``, ``S <- S - beta S x x' S``: ``tau`` answers ``tau, beta``.

    covariance : how much of S is kept, a variance a column ("diagonal") or the matrix ("full").
    """

    answers = "tau, beta"
    # Of a user's own nothing is known; the package's say it where they take no root.
    exact = False

    def __post_init__(self) -> None:
        if not is_among(self.covariance, ("diagonal", "full")):
            raise InputError(
                who=f"rules.{self.class_name}",
                parameter="covariance",
                got=self.covariance,
                wanted="'diagonal' or 'full'",
            )

    @property
    def is_full(self) -> bool:
        """Whether the whole matrix is kept."""
        return bool(self.covariance == "full")

    @property
    def fixed_columns(self) -> str:
        """A matrix does not grow."""
        if not self.is_full:
            return ""
        return (
            "covariance='full' needs to know its columns from the start; use "
            "covariance='diagonal', or hash_bits, which fixes them"
        )

    def compiled_parameters(self) -> dict[str, float]:
        """Numbers only: the covariance is 1 where it is full."""
        values: dict[str, Any] = self.get_params()
        values["covariance"] = self.is_full
        return {name: float(value) for name, value in values.items()}


class MultiplicativeRule(Rule):
    """``w_j <- w_j factor^x_j``: ``tau`` answers the factor."""

    answers = "factor"

    def initial_weights(self, n_columns: int, bias: float) -> tuple[float, float]:
        """Return the weights at the start, of each column and of the bias.

        The columns' is the same for every bias, and the bias's never moves.
        """
        raise NotImplementedError


KINDS: dict[str, type[Rule]] = {
    kind.answers: kind
    for kind in (AdditiveRule, ShrinkingRule, LinkedRule, CovarianceRule, MultiplicativeRule)
}
