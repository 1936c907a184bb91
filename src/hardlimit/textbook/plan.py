"""In which order a run presents its examples, for how long, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar

Order = Callable[[int], Sequence[int]] | Sequence[Sequence[int]] | None
UNTIL = ("separated", "margin", None)

# The stop reason of a run that reached its aim.
REACHED = {"separated": "separated", "margin": "margin_reached", None: "max_iter"}


@dataclass(frozen=True)
class Presentation:
    """In which order, for how long.

    until : the aim, "separated" or "margin"; None runs ``max_iter`` epochs.
    patient : look for the aim only after an epoch without a miss.
    """

    order: Order = None
    until: str | None = "separated"
    patient: bool = True
    tol: Scalar = 0
    max_iter: int = 1000


def check_until(until: str | None) -> None:
    """Refuse an aim that there is not."""
    if until not in UNTIL:
        raise InputError(parameter="until", got=until, wanted="'separated', 'margin' or None")


def epoch_rows(order: Order, epoch: int, n: int) -> Sequence[int] | None:
    """Return the rows of an epoch; None where the order has come to its end."""
    if order is None:
        return range(n)
    if callable(order):
        return order(epoch)
    # The blackboard counts epochs from 1.
    return order[epoch - 1] if epoch <= len(order) else None
