"""What a row of the table of conflicts is.

Imported by commands that answer at once: no register is imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardlimit.classifiers.model.ask import CLUSTER, METHODS, Ask
from hardlimit.exceptions import InputError, Parameter, Text

Reason = Text | Callable[[Any], Text]


@dataclass(frozen=True)
class Conflict:
    """What is refused, when, why, and what to do instead.

    parameter : the one whose value is refused; the reason speaks of "the rule".
    who : whoever refuses it: the rule, the budget, ``"way"`` for the way of the rows, something
        that it does not go with, or nobody in particular.
    value : what exactly was given, where that is not the parameter's whole value.
    unwritten : nothing but code is missing; no mathematics refuses it.
    of_choices : it looks at resolved choices, and not only at what was asked for.
    parameters : all those that are refused alike; the error names the first that was set.
    """

    name: str
    parameter: str
    applies: Callable[[Any], bool]
    reason: Reason
    fix: Reason = ""
    who: str = "rule"
    value: Callable[[Any], Any] | None = None
    unwritten: bool = False
    of_choices: bool = True
    parameters: tuple[str, ...] = ()

    def error(self, asked: Ask, parameter: str = "") -> InputError:
        """The refusal of this combination; a read-out may have come by another parameter."""
        fields: dict[str, Any] = {"who": self._refuser(asked), "topic": self.name}
        if self.parameter not in ("", "rule"):
            fields["parameter"] = parameter or asked.first(self.parameters) or self.parameter
        if self._shows_value(asked):
            fields["got"] = self._given(asked)
        return InputError(_as_text(self.reason, asked), fix=_as_text(self.fix, asked), **fields)

    def _shows_value(self, asked: Ask) -> bool:
        if self.parameters or self.parameter in ("rule", "sample_weight"):
            return False  # what was asked for by name alone has no value here
        return self.value is not None or hasattr(asked, self.parameter)

    def _refuser(self, asked: Ask) -> str:
        if self.who in ("rule", "budget"):
            return type(getattr(asked, self.who)).__name__
        # Shards of files are the way itself, of rows in memory a number of them.
        is_way = self.who == "way" or (self.who == "shards" and asked.way == CLUSTER)
        return METHODS[asked.way] if is_way else self.who

    def _given(self, asked: Any) -> Any:
        """The value, as the user may have written it."""
        if self.value is not None:
            return self.value(asked)
        if self.parameter == "order":
            from hardlimit import orders  # start-up: commands on models have none

            order = asked.order
            return orders.to_json(order) if orders.ORDERS.holds(order) else order
        return getattr(asked, self.parameter)


def excluded(
    name: str,
    parameters: tuple[str, ...],
    when: Callable[[Ask], bool],
    who: str,
    reason: Text,
    fix: Reason,
    *,
    unwritten: bool = False,
) -> Conflict:
    """Return the row of parameters that must not be set at all: who sets one is told the first."""
    return Conflict(
        name,
        parameters[0],
        lambda asked: bool(asked.first(parameters)) and when(asked),
        reason,
        fix,
        who,
        unwritten=unwritten,
        of_choices=False,
        parameters=parameters,
    )


def needing(
    name: str, parameters: tuple[str, ...], without: Callable[[Ask], bool], needed: Text
) -> Conflict:
    """Return the row of parameters that mean something beside another one only."""

    def reason(asked: Ask) -> Text:
        needs = needed if isinstance(needed, tuple) else (needed,)
        return (Parameter(asked.first(parameters)), " goes with ", *needs)

    return Conflict(
        name,
        "",
        lambda asked: bool(asked.first(parameters)) and without(asked),
        reason,
        who="",
        of_choices=False,
        parameters=parameters,
    )


def _as_text(reason: Reason, asked: Ask) -> Text:
    return reason(asked) if callable(reason) else reason
