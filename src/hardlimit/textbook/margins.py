"""The margin of weights on a set of examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, dot, exact
from hardlimit.textbook.data import Examples
from hardlimit.textbook.writing import approximate


@dataclass(frozen=True)
class MeasuredMargin:
    """The margins ``<w, z_i>`` of all examples, for weights that are given.

    Attributes
    ----------
    gamma
        The functional margin, the smallest of them: above 0 if w separates the examples.
    attained_by
        The examples whose margin is gamma, numbered from 0.
    wrong
        The examples whose margin is 0 or less, numbered from 0.
    squared_length
        ``|w|^2``, the weight of the bias included.
    normal_squared_length
        The same without the weight of the bias: of the normal of the hyperplane.
    """

    gamma: Any
    attained_by: tuple[int, ...]
    wrong: tuple[int, ...]
    squared_length: Any
    normal_squared_length: Any

    @property
    def length(self) -> float:
        """``|w|``."""
        return math.sqrt(approximate(self.squared_length))

    @property
    def geometric(self) -> float | None:
        """``gamma / |w|``, the geometric margin; None if all weights are 0."""
        return _ratio(self.gamma, self.squared_length)

    @property
    def distance(self) -> float | None:
        """How far an example that attains gamma is from the hyperplane, below 0 on its wrong side.

        Measured among the rows without the bias feature; None if only the bias has a weight.
        """
        return _ratio(self.gamma, self.normal_squared_length)


def measure_margin(examples: Examples, w: Sequence[Scalar]) -> MeasuredMargin:
    """Measure the margin of weights, whether they separate the examples or not.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> found = textbook.measure_margin(ex, (1, 1, -1))
    >>> str(found.gamma), found.attained_by, str(found.squared_length), round(found.geometric, 4)
    ('1', (0, 1, 2), '3', 0.5774)
    >>> found = textbook.measure_margin(ex, (3, 1, -1))
    >>> str(found.gamma), found.attained_by, found.wrong
    ('-1', (2,), (2,))
    """
    weights = examples.start(w)
    margins = [dot(weights, z) for z in examples.signed]
    gamma = min(margins)
    normal = weights if examples.bias_feature is None else weights[:-1]
    return MeasuredMargin(
        gamma,
        tuple(i for i, one in enumerate(margins) if one == gamma),
        tuple(i for i, one in enumerate(margins) if one <= 0),
        dot(weights, weights),
        dot(normal, normal),
    )


def margin(examples: Examples, w: Sequence[Scalar]) -> Any:
    """Return ``min <w, z_i>``; w separates the examples if it is above 0.

    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> for w in [("1/3", "1/3", "-1/3"), (1, 1, 0), (3, 1, -1)]:
    ...     print(textbook.margin(ex, w))
    1/3
    0
    -1
    """
    return measure_margin(examples, w).gamma


def _ratio(gamma: Scalar, squared_length: Scalar) -> float | None:
    """``gamma / sqrt(squared_length)``, also of numbers beyond what a float holds."""
    if not squared_length:
        return None
    if isinstance(squared_length, float):
        return float(gamma / math.sqrt(squared_length))
    square = approximate(gamma * gamma / exact(squared_length))
    return math.copysign(math.sqrt(square), approximate(gamma))
