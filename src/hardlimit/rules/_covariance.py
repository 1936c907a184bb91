"""What the rules with a covariance share: its parameter, and what follows from it."""

from __future__ import annotations

from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.rules._protocol import Rule

COVARIANCE = "diagonal keeps a variance a column; full a matrix, columns x columns"
APART = (
    "a third class came to a model of two; coupled classes keep a covariance each and drop what "
    "they share, so that the one of two classes does not say theirs; name all classes from the "
    "start with partial_fit(..., classes=[...]), or fit anew"
)


class CovarianceRule(Rule):
    """Base of the rules that answer ``tau, beta``; they have a parameter ``covariance``."""

    answers = "tau, beta"
    exact = False

    def __post_init__(self) -> None:
        if self.covariance not in ("diagonal", "full"):
            raise InputError(
                f"rules.{type(self).__name__}: got covariance={self.covariance!r}, wanted "
                "'diagonal' or 'full'"
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
