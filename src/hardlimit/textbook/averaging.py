"""The averaged perceptron: three sums that are taken for one another, and the short way to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar, Vector, add, scale, subtract, total
from hardlimit.textbook.steps import Step

CONVENTIONS = ("post", "pre", "ciml")


def average(steps: Iterable[Step], convention: str = "post") -> Vector:
    """Sum the weights over all presentations, added up one by one; "ciml" is a mean.

    With ``w_t`` the weights after presentation t of n, and ``w_0`` those of the start:

    ========== ===================================== ===============================================
    ``post``   ``w_1 + ... + w_n``                   the counts of Freund and Schapire
    ``pre``    ``w_0 + ... + w_{n-1}``               each vector counts before it is corrected
    ``ciml``   ``(w_0 + w_1 + ... + w_n) / (n+1)``   what the usual two vectors compute
    ========== ===================================== ===============================================

    ``post = pre + w_n``; ``post`` and ``ciml`` point the same way, ``pre`` does not. Taking one for
    another is a common slip.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> steps, _ = textbook.run(textbook.incremental(ex))
    >>> for convention in textbook.CONVENTIONS:
    ...     print(convention, *textbook.average(steps, convention))
    post 9 7 -5
    pre 8 6 -4
    ciml 1 7/9 -5/9
    """
    seen = list(steps)
    columns = len(seen[0].w_after)
    before = total((step.w_before for step in seen), columns)
    after = total((step.w_after for step in seen), columns)
    if convention == "post":
        return after
    if convention == "pre":
        return before
    if convention != "ciml":
        raise InputError(
            who="average",
            parameter="convention",
            got=convention,
            wanted=f"one of {', '.join(CONVENTIONS)}",
        )
    parts = (len(seen) + 1) * (seen[0].w_before[0] * 0 + 1)  # in the numbers of the run
    return tuple(v / parts for v in add(seen[0].w_before, after))


class TwoVectors(NamedTuple):
    """The weights, their corrections weighed by the time of each, and the time."""

    w: Vector
    u: Vector
    c: int

    @property
    def post(self) -> Vector:
        """``c w - u``."""
        return subtract(scale(self.c, self.w), self.u)

    @property
    def pre(self) -> Vector:
        """``(c - 1) w - u``."""
        return subtract(scale(self.c - 1, self.w), self.u)

    @property
    def ciml(self) -> Vector:
        """``w - u / c``."""
        return tuple(a - b / self.c for a, b in zip(self.w, self.u, strict=True))


def average_lazily(steps: Iterable[Step]) -> TwoVectors:
    """Make the same sums without touching a vector where nothing is corrected; from zero weights.

    ::

        c <- 1;   on a correction:  u <- u + c delta;   on every presentation:  c <- c + 1

    Daume, A Course in Machine Learning, Algorithm 7.
    """
    w: Vector = ()
    u: Vector = ()
    c = 1
    for step in steps:
        if not u:
            u = scale(0, step.w_before)
        # A correction at time c is missing from the c vectors before it, which u takes off.
        if step.corrected:
            u = add(u, scale(c, step.delta))
        w, c = step.w_after, c + 1
    return TwoVectors(w, u, c)


def mean(of: Vector, n: Scalar) -> Vector:
    """Divide a sum over n presentations by n."""
    return tuple(v / n for v in of)
