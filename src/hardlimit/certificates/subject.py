"""What a proof is about: these rows, with this bias, this class against that."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from hardlimit.certificates.digest import digest
from hardlimit.certificates.exact.reading import entries_of
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.certificates.targets import Sides, sides
from hardlimit.exceptions import InputError, ProofError


@dataclass(frozen=True)
class Subject:
    """The data of a proof.

    Parameters
    ----------
    n_rows, n_features
        The shape of X.
    bias
        Value of the constant feature; None: through the origin.
    positive, negative
        The classes; ``negative`` is None for the rest of many.
    digest
        Of the signed rows, see :mod:`hardlimit.certificates.digest`.
    """

    n_rows: int
    n_features: int
    bias: float | None
    positive: Hashable
    negative: Hashable | None
    digest: str

    @classmethod
    def of(cls, rows: SignedRows, who: Sides) -> Subject:
        """Describe rows that were read."""
        n_features = rows.n_columns - (rows.bias is not None)
        return cls(rows.n_rows, n_features, rows.bias, who.positive, who.negative, digest(rows))

    def rows_of(self, X: Any, y: Any) -> SignedRows:
        """Read X and y again; ``ProofError`` says in what they are not the data of the proof."""
        try:
            rows = read(X, sides(y, self.positive, "check"), self.bias, "check")
        except InputError as error:
            raise ProofError(f"proof: not of these data: {error}") from error
        shape = (rows.n_rows, rows.n_columns - (rows.bias is not None))
        if shape != (self.n_rows, self.n_features):
            raise ProofError(
                f"proof: of other data: it speaks of {self.n_rows} rows of {self.n_features} "
                f"columns, these are {shape[0]} rows of {shape[1]}"
            )
        if digest(rows) != self.digest:
            raise ProofError(
                "proof: of other data: the shape is the same, the numbers or labels are not "
                f"(their digest is {digest(rows)[:19]}..., the proof's {self.digest[:19]}...)"
            )
        return rows

    def __str__(self) -> str:
        other = "the rest" if self.negative is None else self.negative
        return f"{self.positive} against {other}"


def read(X: Any, who: Sides, bias: float | None, name: str = "certify") -> SignedRows:
    """Make the signed rows of X and of the targets."""
    entries = entries_of(X, name)
    n_rows, n_columns = entries.shape
    if n_rows != len(who.target):
        raise InputError(f"{name}: X has {n_rows} rows, y has {len(who.target)} labels")
    if not n_columns:
        raise InputError(f"{name}: X has no columns; wanted one or more")
    return SignedRows(entries, who.target, bias)
