"""The margin of weights on a set of examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, dot
from hardlimit.textbook.data import Examples


def margin(examples: Examples, w: Sequence[Scalar]) -> Any:
    """Return ``min <w, z_i>`` where w separates the examples, else minus infinity.

    A margin of exactly 0 is a mistake, so that such weights do not separate.

    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> str(textbook.margin(ex, ("1/3", "1/3", "-1/3"))), textbook.margin(ex, (1, 1, 0))
    ('1/3', -inf)
    """
    weights = examples.start(w)
    least = min(dot(weights, z) for z in examples.signed)
    return least if least > 0 else -math.inf
