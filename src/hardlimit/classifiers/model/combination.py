"""The choices of a training, as the table of conflicts looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit import guards, orders, rules, scaling
from hardlimit.classifiers.model.ask import CLUSTER, Ask
from hardlimit.orders import Order

if TYPE_CHECKING:
    from hardlimit.budgets import Budget
    from hardlimit.classifiers.model.text_settings import TextSettings
    from hardlimit.kernels import Kernel
    from hardlimit.maps import FeatureMap


@dataclass(frozen=True)
class Combination(Ask):
    """The choices of a training that are resolved already, beside what was asked for.

    readout : the one in question.          n_classes : 2 where there is one row of weights.
    weighted : examples weigh other than 0 and 1.
    growing : columns may come that nobody knew at the start.
    started : the user gives the weights at the start.
    shards : that learn an epoch each and are mixed; 1 where all rows are learnt in one run.
    text : how texts become rows; None of numbers.
    by_chance : the seed of the order was drawn, so that nobody can begin again with it.
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
    weighted: bool = False
    growing: bool = False
    started: bool = False
    shards: int = 1
    scale: scaling.Scaling | None = None
    map: FeatureMap | None = None
    text: TextSettings | None = None
    by_chance: bool = False

    @property
    def mixed(self) -> bool:
        """Whether the weights of shards are mixed, of a single one too."""
        return self.shards > 1 or self.way == CLUSTER
