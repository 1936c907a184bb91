"""In which order a run presents its examples, for how long, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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


def number_epochs(order: Order, n: int, max_iter: int) -> Iterator[tuple[int, Sequence[int]]]:
    """Give the number of each epoch, from 1, and its rows; up to where the order ends."""
    for epoch in range(1, max_iter + 1):
        if order is None:
            yield epoch, range(n)
        elif callable(order):
            yield epoch, order(epoch)
        elif epoch <= len(order):
            yield epoch, order[epoch - 1]
