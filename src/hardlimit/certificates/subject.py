"""What a proof is about: these rows, with this bias, this class against that."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import SignedRows, compute_digest
from hardlimit.certificates.targets import Sides, read_sides
from hardlimit.exceptions import Given, InputError, ProofError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels


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
        Of the signed rows, see :mod:`hardlimit.certificates.signed_rows`.
    label
        Of data with several labels a row, which of them, or which column; else None.
    """

    n_rows: int
    n_features: int
    bias: float | None
    positive: Hashable
    negative: Hashable | None
    digest: str
    label: str | None = None

    @classmethod
    def of(cls, rows: SignedRows, sides: Sides) -> Subject:
        """Describe rows that were read."""
        n_features = rows.n_columns - (rows.bias is not None)
        digest = compute_digest(rows)
        return cls(rows.n_rows, n_features, rows.bias, sides.positive, sides.negative, digest)

    def rows_of(self, X: ArrayLike, y: Labels) -> SignedRows:
        """Read X and y again; ``ProofError`` says in what they are not the data of the proof."""
        try:
            sides = read_sides(y, self.positive, "check")
            rows = read_rows(X, sides, self.bias, "check")
        except InputError as error:
            raise ProofError(
                error.reason, **(error.fields | {"where": "proof: not of these data"})
            ) from error
        shape = (rows.n_rows, rows.n_columns - (rows.bias is not None))
        if shape != (self.n_rows, self.n_features):
            raise ProofError(
                f"of other data: it speaks of {plural(self.n_rows, 'row')} of "
                f"{plural(self.n_features, 'column')}, "
                f"these are {plural(shape[0], 'row')} of {shape[1]}",
                who="proof",
            )
        digest = compute_digest(rows)
        if digest != self.digest:
            raise ProofError(
                "of other data: the shape is the same, the numbers or labels are not (their "
                f"digest is {digest[:19]}..., the proof's {self.digest[:19]}...)",
                who="proof",
            )
        # Last: labels that differ in the rows themselves are told by the digest.
        for name, label in (("positive", sides.positive), ("negative", sides.negative)):
            self._compare_class(name, label)
        return rows

    def _compare_class(self, name: str, label: Hashable | None) -> None:
        """Refuse another name of a class; 1, 1.0 and True are three."""
        claimed = getattr(self, name)
        if (type(claimed), claimed) != (type(label), label):
            raise ProofError(
                "of other data: the numbers are the same, the class is not",
                who="proof",
                parameter=name,
                got=Given(_name_class(claimed)),
                wanted=_name_class(label),
            )

    def __str__(self) -> str:
        other = "the rest" if self.negative is None else self.negative
        return f"{self.positive} against {other}"


def _name_class(label: Hashable | None) -> str:
    return "the rest of many" if label is None else repr(label)


def read_rows(X: ArrayLike, sides: Sides, bias: float | None, name: str = "certify") -> SignedRows:
    """Make the signed rows of X and of the targets."""
    entries = read_entries(X, name)
    n_rows, n_columns = entries.shape
    if n_rows != len(sides.target):
        raise InputError(
            f"X has {plural(n_rows, 'row')}, y has {plural(len(sides.target), 'label')}", who=name
        )
    if not n_columns:
        raise InputError("X has no columns", who=name, wanted="one or more")
    return SignedRows(entries, sides.target, bias)
