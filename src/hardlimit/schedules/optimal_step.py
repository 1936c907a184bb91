"""The step that a known separator makes the best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.parameters import as_float
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class OptimalStep(Schedule):
    """``eta = <w*, z> / ||z||^2`` with ``z = y x``, for a separating vector ``w*`` that is known.

    A correction by eta changes the squared distance to ``w*`` by ``2 eta <w, z> - 2 eta <w*, z> +
    eta^2 ||z||^2``. For a mistake the first term is at most 0, and the rest is smallest at this
    eta: the distance falls by ``<w*, z>^2 / ||z||^2`` or more, so that from zeros there are at most
    ``R^2 ||w*||^2 / gamma^2`` corrections, with ``gamma = min <w*, z>``: Novikoff's number, which
    the step 1 keeps too. Any eta below twice this one leads nearer to ``w*``. It is the best step
    for all mistakes of a row at once; for one of them, with its ``<w, z>`` known, ``(<w*, z> - <w,
    z>) / ||z||^2`` is, which is no shorter.

    A lesson more than a method: who knows a separator needs no training. For rules whose step is 1,
    such as the perceptron, with two classes, row by row.

    w : the separator, a number for each column, the bias's weight last where there is a bias.

    >>> step = OptimalStep(w=(1, 1, -1))
    >>> step.eta(1, z=(1, -1, -1), sqnorm=3)  # the second row of the modified OR: <w*, z> = 1
    0.3333333333333333
    """

    w: tuple[Any, ...] = ()
    of_example: ClassVar[bool] = True

    def __post_init__(self) -> None:
        try:
            given = tuple(self.w)
        except Exception as error:  # whatever an iterator of the caller raises
            raise self._wrong_kind() from error
        if not all(math.isfinite(as_float(one)) for one in given):
            raise self._wrong_kind()
        # A tuple of a list that a file holds: frozen choices are compared and hashed.
        object.__setattr__(self, "w", given)

    def _wrong_kind(self) -> KindError:
        return KindError(who="OptimalStep", parameter="w", got=self.w, wanted="finite numbers")

    def eta(self, step: int, z: Any = (), sqnorm: Any = 1) -> Any:
        """``<w*, z> / ||z||^2``; ``w*`` must separate the example."""
        if len(z) != len(self.w):
            raise InputError(
                who="OptimalStep",
                parameter="w",
                got=Given(plural(len(self.w), "number")),
                wanted=f"{len(z)}, one a column, the bias's last",
            )
        margin = sum(p * q for p, q in zip(self.w, z, strict=True))
        if margin <= 0:
            raise InputError(
                f"w must separate the examples, and one has the margin {float(margin):.6g}",
                who="OptimalStep",
            )
        return margin / sqnorm

    def verdict(self) -> ConvergenceVerdict:
        """Each correction leads nearer to the separator."""
        return ConvergenceVerdict(True, "the distance to the separator falls at every step")
