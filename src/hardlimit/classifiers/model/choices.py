"""The choices of a fit: the constructor's arguments, resolved once into objects.

A classifier keeps its arguments as they were given (``rule="perceptron"``), as scikit-learn's
protocol asks. ``fit``, and the first ``partial_fit``, turn all of them into :class:`Choices`;
everything behind them takes those, and the model keeps them. A parameter that is set later counts
from the next fit, because the model does not look at it.

>>> choices = resolve_choices({"rule": "perceptron", "order": "cyclic", "max_iter": 5})
>>> choices.rule, choices.order, choices.kept, choices.until
(Perceptron(), Cyclic(), ('last', 'averaged'), 'separated')
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Rational
from typing import TYPE_CHECKING, Any, Protocol

from hardlimit import guards, orders, readouts, rules, scaling, schedules
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.compatibility import Combination, resolve_kept
from hardlimit.classifiers.model.defaults_of_shards import (
    AUTO,
    CHOOSABLE,
    default_readout,
    resolve_mixing,
)
from hardlimit.classifiers.model.text_settings import TextSettings, text_settings
from hardlimit.exceptions import Given, InputError, KindError, Setting, abbreviate
from hardlimit.foundation.parameters import Parameterised, as_float, is_among, resolve_seed
from hardlimit.foundation.register import Choice
from hardlimit.learner import check_skip
from hardlimit.orders import OrderLike

if TYPE_CHECKING:
    from hardlimit import budgets, kernels, maps


class HasEta(Protocol):
    """Whatever says what multiplies the step of each correction."""

    def eta(self, step: int) -> Any:
        """What the step of this correction is multiplied with."""


# What users may pass.
ScheduleLike = HasEta | str | float | Rational | dict[str, object] | None
GuardLike = Choice | str | dict[str, object] | Sequence[Choice | str | dict[str, object]] | None
KeepLike = str | Sequence[str]
ScaleLike = scaling.Scaling | str | None
MapLike = Any  # a FeatureMap, a name or its JSON; None
ClassWeight = Mapping[Any, float] | str | None
GramRange = str | tuple[int, int] | None

MOST_SHARDS = 1 << 16


class Default(str):
    """A default that may give way, which the same text given by the user must not.

    ``until="separated"`` that a user asked for and that is not reached is worth a warning; a
    read-out that was asked for and does not go with the rule is refused. The defaults of the
    constructors are texts of this class, so that they survive ``get_params`` and ``clone``, and
    :func:`resolve_choices` looks: behind it there are ``until_asked`` and ``readout``, which has
    given way already. Only the end of a fit looks again, whose average may err where the last
    weights separate.
    """

    __slots__ = ()


# Gives way to the order of a stream.
DEFAULT_ORDER = Default("shuffled")


class UnknownRule(rules.Rule):
    """Stands for the rule of a model file whose class this process does not know.

    Such a model predicts; it cannot learn on until the class is registered again.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def known(self) -> rules.Rule:
        """Return the rule of that name, where its class was registered meanwhile."""
        rule: rules.Rule = rules.resolve(self.name)
        return rule


def stream_order(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a classifier's parameters with the order of a stream, where none was asked for."""
    return {**given, "order": "stream"} if isinstance(given["order"], Default) else given


@dataclass(frozen=True)
class Choices:
    """What a fit was asked to do, as objects that are in range.

    kept : the read-outs that a fit remembers; ``readout`` is the one that answers.
    bias : the value of the bias's feature; 0 learns through the origin.
    until_asked : whether a user asked for ``until``, or it is the default.
    combine : what a batch makes of its corrections: ``sum``, ``average`` or ``line-search``.
    map : makes the columns that are learnt from; of rows of numbers.
    kernel, budget : of the dual form; None elsewhere.
    text : of texts; None elsewhere.
    shards, mixing : of how many shards an epoch is mixed, and how; never ``auto``.
    combination : what the table of conflicts looks at, with the read-out of the fit.
    seed : of the order; drawn by chance where ``random_state`` is None.
    given : the constructor's arguments as they were, for a classifier made of a loaded model.
    """

    rule: rules.Rule
    order: orders.Order
    schedule: schedules.Schedule | None
    guards: guards.Guards
    keep: str | tuple[str, ...]
    kept: tuple[str, ...]
    readout: str
    averaging: str
    multiclass: str
    until: str | None
    until_asked: bool
    max_iter: int
    tol: float
    bias: float
    class_weight: Mapping[Any, float] | str | None
    random_state: int | None
    scale: scaling.Scaling | None
    map: maps.FeatureMap | None
    skip: bool | str
    combine: str
    kernel: kernels.Kernel | None
    budget: budgets.Budget | None
    text: TextSettings | None
    shards: int
    mixing: str
    combination: Combination = field(repr=False, compare=False)
    seed: int = field(compare=False)
    given: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def balanced(self) -> bool:
        """Whether classes weigh the same, however many examples each has."""
        return self.class_weight == "balanced" and isinstance(self.class_weight, str)

    def weighing(self, class_weight: Mapping[Any, float] | str | None) -> Choices:
        """Return the same choices with the class weights of a stream, asked for at each batch."""
        if class_weight is self.class_weight:
            return self
        given = {**self.given, "class_weight": class_weight}
        return replace(self, class_weight=class_weight, given=given)

    @property
    def mixture(self) -> str:
        """How shards are mixed; empty of one shard."""
        return self.mixing if self.shards > 1 else ""

    def mixed_as(self, begun: Choices) -> Choices:
        """Return the choices of a run that goes on, mixed as it was begun unless a user asked."""
        if self.given.get("mixing") != AUTO:
            return self
        return resolve_choices({**self.given, "mixing": begun.mixing}, ask=self.combination)

    def answering_by(self, readout: str) -> Choices:
        """Return the same choices with another read-out that answers."""
        return replace(self, readout=str(readout), given={**self.given, "readout": readout})


@dataclass(kw_only=True, repr=False, eq=False)
class LearningParameters(Parameterised):
    """The parameters that all classifiers have beside their rule, with the usual defaults."""

    order: OrderLike = DEFAULT_ORDER
    schedule: ScheduleLike = None
    guard: GuardLike = None
    keep: KeepLike = readouts.DEFAULT
    readout: str = Default("averaged")
    averaging: str = "post"
    multiclass: str = "coupled"
    until: str | None = Default("separated")
    max_iter: int = 1000
    tol: float = 0.0
    fit_intercept: bool = True
    bias_feature: float = 1.0
    class_weight: ClassWeight = None
    random_state: int | None = 0
    probability: bool = False
    n_jobs: int | None = None


# Of whatever a file or a caller does not name.
DEFAULTS: Mapping[str, Any] = {
    **{field.name: field.default for field in fields(LearningParameters)},
    "scale": "none",
    "map": None,
    "skip": "auto",
    "kernel": None,
    "budget": None,
    "shards": 1,
    "mixing": AUTO,
}


# Choices that are what was asked for.
_AS_GIVEN = (
    "keep", "averaging", "multiclass", "max_iter", "tol", "class_weight", "random_state", "skip",
    "shards",
)  # fmt: skip


NOTHING_ASKED = Ask()


def resolve_choices(
    given: Mapping[str, Any], *, rule_known: bool = True, ask: Ask = NOTHING_ASKED
) -> Choices:
    """Turn a classifier's arguments into choices, each checked by itself.

    What does not go together is the subject of :mod:`hardlimit.classifiers.model.compatibility`.

    Parameters
    ----------
    given : arguments by name; those that a kind of classifier has not may be missing
    rule_known : False for a model file, which predicts without the class of its rule
    ask : what else is asked of the training: the way of the rows decides which read-outs go

    Raises
    ------
    InputError, KindError
        A name that there is not, a number out of range, a read-out that is not kept.
    """
    asked = {**DEFAULTS, **given}
    combination, scale = _resolve_combination(asked, rule_known, ask)
    until = asked["until"]
    return Choices(
        **{name: asked[name] for name in _AS_GIVEN},
        rule=combination.rule,
        order=combination.order,
        schedule=combination.schedule,
        guards=combination.guards,
        kernel=combination.kernel,
        budget=combination.budget,
        readout=combination.readout,
        mixing=resolve_mixing(asked["mixing"], asked["shards"], combination.rule),
        # The read-outs are checked here and not with the rest, since what is kept depends on them.
        kept=resolve_kept(asked["keep"], combination, asked["averaging"]),
        until=until,
        # A default that was typed by the user is a plain text, and counts as asked for.
        until_asked=until is not None and not isinstance(until, Default),
        # One number behind the constructor: 0 is learning through the origin.
        bias=float(asked["bias_feature"]) if asked["fit_intercept"] else 0.0,
        scale=scale,
        map=combination.map,
        combine=resolve_combine(combination.rule, combination.order, combination.schedule),
        text=combination.text,
        combination=combination,
        seed=resolve_seed(asked["random_state"]),
        # A loaded model makes its classifier from them, defaults included.
        given=given,
    )


def _resolve_combination(
    asked: Mapping[str, Any], rule_known: bool, ask: Ask
) -> tuple[Combination, Any]:
    """Return what is looked at together, and the scale.

    In this order, which decides whose error a user sees first.
    """
    _refuse_incomparable(asked)
    order = orders.resolve(asked["order"])
    schedule = schedules.resolve(asked["schedule"])
    chosen_guards = guards.resolve(asked["guard"])
    scale = scaling.resolve(asked["scale"])
    kernel, budget = _resolve_dual_form(asked["kernel"], asked["budget"])
    _check_values(asked)
    rule = rules.resolve(asked["rule"]) if rule_known else _resolve_stored_rule(asked["rule"])
    shards = asked["shards"]
    mixture = "" if shards == 1 else resolve_mixing(asked["mixing"], shards, rule)
    combination = Combination(
        rule,
        order,
        schedule,
        chosen_guards,
        kernel,
        budget,
        asked["multiclass"],
        # The rule must be known by now: the default gives way where it has no average.
        resolve_readout(asked["readout"], rule, budget, mixture),
        shards=shards,
        scale=scale,
        map=None if asked["map"] is None else _resolve_map(asked["map"]),
        text=text_settings(asked),
        by_chance=asked["random_state"] is None,
        command=ask.command,
        features=ask.features,
        targets=ask.targets,
        way=ask.way,
        asked=ask.asked,
        piped=ask.piped,
    )
    return combination, scale


def _check_values(asked: Mapping[str, Any]) -> None:
    """Refuse single values that are out of their range."""
    check_skip(asked["skip"])
    if asked["class_weight"] is not None:
        check_class_weight(asked["class_weight"])
    check_bias_feature(asked["bias_feature"])
    check_tol(asked["tol"])
    check_shards(asked["shards"], asked["mixing"])


def _refuse_incomparable(asked: Mapping[str, Any]) -> None:
    """Refuse values that cannot even be compared with a name, such as arrays."""
    flags = ("fit_intercept", "probability")
    for name in ("averaging", "multiclass", "readout", "until", "keep", *flags):
        value: Any = asked.get(name)
        try:
            bool(value == "")
            bool(value)
            len(value) if hasattr(value, "__len__") else None
        except Exception as error:
            wanted = "True or False" if name in flags else "a name"
            raise KindError(parameter=name, got=value, wanted=wanted) from error


def _resolve_stored_rule(rule: rules.Rule | str) -> rules.Rule:
    # A name without a class is enough to predict with.
    if isinstance(rule, str) and rule not in rules.names():
        return UnknownRule(rule)
    return rules.resolve(rule)


def _resolve_dual_form(
    kernel: kernels.Kernel | str | None, budget: budgets.Budget | str | None
) -> tuple[kernels.Kernel | None, budgets.Budget | None]:
    # The linear classifiers have neither, and must not import them.
    if kernel is None:
        return None, None
    from hardlimit import budgets, kernels  # start-up: who learns without kernels has not to load

    return kernels.resolve(kernel), budgets.resolve(budget)


def _resolve_map(given: object) -> maps.FeatureMap:
    from hardlimit import maps  # start-up: few classifiers have one

    found = maps.resolve(given)
    found.check_parameters()
    return found


def resolve_readout(
    readout: str, rule: rules.Rule, budget: budgets.Budget | None = None, mixture: str = ""
) -> str:
    """Return the read-out that answers; a default gives way where another one suits better.

    A rule may have no average, and the average of a bounded model would hold on to everything that
    it is the average of: ``last`` answers then. Of shards it depends on how they are mixed.

    mixture : how; empty of one shard
    """
    if not isinstance(readout, Default):
        return str(readout)
    if budget is not None or not readouts.averages(rule):
        return "last"
    return default_readout(mixture, str(readout))


def resolve_combine(
    rule: rules.Rule, order: orders.Order, schedule: schedules.Schedule | None
) -> str:
    """Return how the corrections of a batch are combined: sum, average or line-search."""
    if not isinstance(order, orders.Batch):
        return "sum"
    if getattr(schedule, "search", False):
        return "line-search"
    return order.combine or str(getattr(rule, "batch", ""))


def check_class_weight(class_weight: Mapping[Any, float] | str | None) -> None:
    """Refuse what is no weight for classes, whichever they are."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return
    if not isinstance(class_weight, Mapping):
        raise InputError(
            parameter="class_weight",
            got=class_weight,
            wanted="None, 'balanced' or a dict of weights",
        )
    for label, weight in class_weight.items():
        if not 0 <= as_float(weight) < math.inf:
            raise InputError(
                parameter="class_weight",
                got=Given(f"{abbreviate(weight)} for {label!r}"),
                wanted="a finite number >= 0",
            )


def check_bias_feature(bias_feature: float) -> None:
    """Refuse a bias feature that is no feature."""
    if not 0 < abs(as_float(bias_feature)) < math.inf:
        raise InputError(
            parameter="bias_feature",
            got=bias_feature,
            wanted="a finite number other than 0",
            fix=("to learn through the origin use ", Setting("fit_intercept", False)),
        )


def check_shards(shards: object, mixing: object) -> None:
    """Refuse what is no number of shards, and no way to mix them."""
    # By type: True is a number to Python.
    if type(shards) is not int or not 1 <= shards <= MOST_SHARDS:
        wanted = f"a whole number from 1 to {MOST_SHARDS:,}"
        raise InputError(parameter="shards", got=shards, wanted=wanted)
    if not is_among(mixing, CHOOSABLE):
        wanted = ", ".join(map(repr, CHOOSABLE[:-1])) + f" or {CHOOSABLE[-1]!r}"
        raise InputError(parameter="mixing", got=mixing, wanted=wanted)


def check_tol(tol: float) -> None:
    """Refuse a slack that is negative or not finite."""
    if not 0 <= as_float(tol) < math.inf:
        raise InputError(parameter="tol", got=tol, wanted="a finite number >= 0")
