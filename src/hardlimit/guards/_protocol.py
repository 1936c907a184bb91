"""What a guard is."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from hardlimit.exceptions import Text
from hardlimit.foundation.register import Choice
from hardlimit.rules import Rule


class Refusal(NamedTuple):
    """Why a guard does not go with a rule, and what to do instead."""

    reason: Text
    fix: Text


class Guard(Choice):
    """Base of the guards: frozen dataclasses with one parameter, whose compiled twins decide.

    Attributes
    ----------
    place
        Where it stands in lists; each has another.
    by_example
        Whether it knows each training example again, which no stream shows twice.
    coordinates
        Whether it gives each example a coordinate of its own.
    """

    place: ClassVar[int]
    by_example: ClassVar[bool] = True
    coordinates: ClassVar[bool] = False

    def refusal(self, rule: Rule) -> Refusal | None:
        """Return why it does not go with this rule; None where it does."""
        return None

    def compiled_parameters(self) -> dict[str, float]:
        """What the compiled twin is made from."""
        return {name: float(value) for name, value in self.get_params().items()}
