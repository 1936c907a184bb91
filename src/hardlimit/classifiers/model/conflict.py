"""What a row of the table of conflicts is, and the combination that it is asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit import guards, orders, rules
from hardlimit.exceptions import InputError, Text
from hardlimit.orders import Order

if TYPE_CHECKING:
    from hardlimit.budgets import Budget
    from hardlimit.kernels import Kernel


@dataclass(frozen=True)
class Combination:
    """The choices that a row of the table looks at, and what is known of the data.

    readout : the one in question.          n_classes : 2 where there is one row of weights.
    streamed : each example is shown once, as it comes.
    weighted : examples weigh other than 0 and 1.
    growing : columns may come that nobody knew at the start.
    started : the user gives the weights at the start.
    shards : that learn an epoch each and are mixed; 1 where all rows are learnt in one run.
    """

    rule: rules.Rule
    order: Order = orders.Shuffled()
    schedule: Any = None
    guards: guards.Guards = ()
    kernel: Kernel | None = None
    budget: Budget | None = None
    multiclass: str = "coupled"
    readout: str = "last"
    n_classes: int = 2
    streamed: bool = False
    weighted: bool = False
    growing: bool = False
    started: bool = False
    shards: int = 1


Reason = Text | Callable[[Combination], Text]


@dataclass(frozen=True)
class Conflict:
    """What is refused, when, why, and what to do instead.

    parameter : the one whose value is refused; the reason speaks of "the rule".
    who : whoever refuses it: the rule, the budget, a stream, or nobody in particular.
    value : what exactly was given, where that is not the parameter's whole value.
    """

    name: str
    parameter: str
    applies: Callable[[Combination], bool]
    reason: Reason
    fix: Reason = ""
    who: str = "rule"
    value: Callable[[Combination], Any] | None = None

    def error(self, combination: Combination, parameter: str = "") -> InputError:
        """The refusal of this combination; a read-out may have come by another parameter."""
        fields: dict[str, Any] = {"who": self._refuser(combination), "topic": self.name}
        if self.parameter != "rule":
            fields["parameter"] = parameter or self.parameter
        if self.parameter not in ("rule", "sample_weight"):
            fields["got"] = self._given(combination)
        fix = _as_text(self.fix, combination)
        return InputError(_as_text(self.reason, combination), fix=fix, **fields)

    def _refuser(self, combination: Combination) -> str:
        if self.who in ("rule", "budget"):
            return type(getattr(combination, self.who)).__name__
        return self.who

    def _given(self, combination: Combination) -> Any:
        """The value, as the user may have written it."""
        if self.value is not None:
            return self.value(combination)
        if self.parameter == "order":
            order = combination.order
            return orders.to_json(order) if orders.ORDERS.holds(order) else order
        return getattr(combination, self.parameter)


def _as_text(reason: Reason, combination: Combination) -> Text:
    return reason(combination) if callable(reason) else reason
