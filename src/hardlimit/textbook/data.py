"""What is learnt from: rows with the threshold's feature inside, and targets -1 and +1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsInt

from hardlimit.engine import is_sparse, to_dense
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.exact_numbers import Number, Scalar, Vector, exact, scale
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels


@dataclass(frozen=True)
class Examples:
    """Rows, the bias feature last, with their targets; made by :func:`examples`.

    ``number`` turns what it gets into the kind of numbers that the run is made of.
    """

    rows: tuple[Vector, ...]
    targets: tuple[int, ...]
    weights: tuple[Any, ...]
    number: Number
    bias_feature: Any
    classes: tuple[Any, Any]

    @cached_property
    def signed(self) -> tuple[Vector, ...]:
        """``z = t x``: with them every margin is ``<w, z>``, and a solution makes all positive."""
        return tuple(scale(t, x) for t, x in zip(self.targets, self.rows, strict=True))

    @property
    def columns(self) -> int:
        """Columns of a row, the bias feature included."""
        return len(self.rows[0])

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, x: Sequence[Scalar]) -> Vector:
        """A new row as those of the examples are: in their numbers, the bias feature last."""
        last = () if self.bias_feature is None else (self.bias_feature,)
        return (*map(self.number, _to_lists(x)), *last)

    def start(self, w: Sequence[Scalar] | None, classes: int = 1) -> Vector:
        """Starting weights, checked: zeros unless some are given (the bias's weight last)."""
        columns = classes * self.columns
        if w is None:
            return (self.number(0),) * columns
        if len(w) != columns:
            raise InputError(
                parameter="w",
                got=Given(f"{len(w)} starting weights"),
                wanted=f"{columns}, one a column, the bias feature's last",
            )
        return tuple(map(self.number, w))


def examples(
    X: ArrayLike,
    y: Labels,
    *,
    bias_feature: Scalar | None = -1,
    number: Number = exact,
    sample_weight: Sequence[Scalar] | None = None,
) -> Examples:
    """Make examples of two classes.

    Parameters
    ----------
    X
        Rows of numbers, none of them the bias.
    y
        Targets -1 and +1, or labels of two classes, the second in sorted order being +1.
    bias_feature
        Value of the feature that carries the bias, put last: -1 makes its weight the threshold
        ``w0`` of ``w.x - w0``, +1 the bias; None learns through the origin.
    number
        ``exact`` (Fractions, and 0.1 is 1/10), ``int`` (whole numbers only) or ``float``.
    sample_weight
        A weight for each example, for rules that know what to do with it.

    Examples
    --------
    >>> examples([[-1, -1], [1, -1]], ["no", "yes"], number=int).signed
    ((1, 1, 1), (1, -1, -1))
    """
    rows, labels = _to_lists(X), _to_lists(y)
    if bias_feature is not None and bias_feature == 0:
        raise InputError(
            "its weight could never move",
            parameter="bias_feature",
            got=bias_feature,
            wanted="another number, or None to learn through the origin",
        )
    if not rows or len(rows) != len(labels):
        raise InputError(
            who="textbook",
            got=Given(f"{plural(len(rows), 'row')} and {plural(len(labels), 'target')}"),
            wanted="as many, and at least one",
        )
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            who="textbook",
            got=Given("rows of different lengths"),
            wanted="a number for each column",
        )
    targets, classes = _targets(labels)
    # int itself would cut 0.7 down to 0 in silence.
    number = _to_whole if number is int else number
    last = () if bias_feature is None else (number(bias_feature),)
    weights = [1] * len(rows) if sample_weight is None else _to_lists(sample_weight)
    return Examples(
        tuple((*map(number, row), *last) for row in rows),
        targets,
        tuple(map(number, weights)),
        number,
        None if bias_feature is None else number(bias_feature),
        classes,
    )


def _to_whole(value: SupportsInt) -> int:
    """``int``, which would cut 0.7 down to 0, for whole numbers only."""
    number = int(value)
    if number != value:
        raise InputError(got=value, wanted="whole numbers (number=int), or exact")
    return number


def _to_lists(values: Any) -> list[Any]:
    """Lists of Python's own numbers, also from arrays and sparse matrices."""
    if is_sparse(values):
        values = to_dense(values)
    items = values.tolist() if hasattr(values, "tolist") else list(values)
    return [v.tolist() if hasattr(v, "tolist") else v for v in items]


def _targets(labels: list[Any]) -> tuple[tuple[int, ...], tuple[Any, Any]]:
    # Targets are taken as they are, also where one of the two does not occur.
    there = set(labels)
    if there <= {-1, 1}:
        return tuple(map(int, labels)), (-1, 1)
    if len(there) != 2:
        raise InputError(
            who="textbook",
            got=Given(f"{plural(len(there), 'class', 'classes')}"),
            wanted="two",
            fix="take the rows of two of them, or put one class against the rest "
            "(textbook.neurons and textbook.coupled learn many)",
        )
    try:
        low, high = sorted(there)
    except TypeError:
        raise KindError("labels of different kinds cannot be put in order") from None
    return tuple(1 if label == high else -1 for label in labels), (low, high)
