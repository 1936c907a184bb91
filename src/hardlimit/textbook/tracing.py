"""``trace``: the table of the blackboard for rows of your own."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import Any

from hardlimit import guards, orders, rules, schedules
from hardlimit.exceptions import InputError, Parameter, Setting
from hardlimit.foundation import exact_numbers
from hardlimit.foundation.exact_numbers import Scalar, with_exact_parameters
from hardlimit.foundation.parameters import resolve_seed
from hardlimit.foundation.register import compiled_name, registered_name
from hardlimit.foundation.signature import asks_for
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.rules import Rule
from hardlimit.rules.balanced_winnow import BalancedWinnow
from hardlimit.textbook.asking import RuleLike, ScheduleLike, ask
from hardlimit.textbook.batch_mode import batch, resolve_combination
from hardlimit.textbook.data import Examples, examples
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.learner import Guard
from hardlimit.textbook.plan import Order
from hardlimit.textbook.sentences import About, describe_rule
from hardlimit.textbook.traces import Trace, collect
from hardlimit.textbook.winnow_balanced import balanced_winnow
from hardlimit.textbook.worst_first import minover
from hardlimit.textbook.writing import format_number

OrderLike = str | orders.Order | Order
GuardLike = (
    Guard | guards.Guard | Sequence[guards.Guard] | None
)  # guards of the package, or the textbook's

BALANCED = "balanced-winnow"  # its two vectors of weights are worth a table of their own


def can_be_exact(rule: Rule, schedule: ScheduleLike = None) -> bool:
    """Whether :func:`trace` computes that in fractions; Balanced Winnow on whole numbers.

    >>> can_be_exact(rules.get("perceptron"), "1/step"), can_be_exact(rules.get("alma"))
    (True, False)
    """
    schedule = _resolve_schedule(schedule)
    if isinstance(schedule, schedules.Schedule) and not schedule.search:
        # Asked at step 2: a root that is exact at 1 is none at 2.
        scalars = {"step": 2, "margin": -1, "sqnorm": 2, "required": 1}
        exactly = {name: Fraction(value) for name, value in scalars.items()}
        if isinstance(ask(with_exact_parameters(schedule).eta, exactly), float):
            return False
    return rule.exact or compiled_name(rule) == BALANCED


def trace(
    X: ArrayLike,
    y: Labels,
    rule: RuleLike = "perceptron",
    *,
    order: OrderLike = "cyclic",
    schedule: ScheduleLike = None,
    combine: str | None = None,
    guard: GuardLike = None,
    bias_feature: Scalar | None = -1,
    exact: bool = True,
    w: Sequence[Scalar] | None = None,
    until: str | None = "separated",
    patient: bool = True,
    tol: Scalar = 0,
    theta: Scalar | None = None,
    max_iter: int = 1000,
    random_state: int | None = 0,
    keep: tuple[int, int] | None = None,
    names: Sequence[str] = (),
) -> Trace:
    """Teach one neuron and keep every step.

    Parameters
    ----------
    X, y
        Rows of numbers, and labels of two classes, the second in sorted order being +1.
    rule
        Name or object of :mod:`hardlimit.rules`.
    order
        "cyclic", "shuffled", "blocks" or "random" (as :class:`hardlimit.LinearClassifier` goes with
        the same ``random_state``), "worst" (with the perceptron: MinOver), "batch", an object of
        :mod:`hardlimit.orders`, or the rows of each epoch.
    schedule
        None, a name such as "1/step", an object with ``eta(step)``, a function of the step, or a
        number.
    combine
        "sum" or "average" in batches; default what the rule says.
    guard
        An object of ``hardlimit.guards``, several, or :class:`hardlimit.textbook.Guard`.
    bias_feature
        -1: the last weight is the threshold; +1: the bias; None: through the origin.
    exact
        Fractions, in which 0.1 is 1/10; False: floats.
    w
        Starting weights, the bias's last.
    until
        "separated", "margin" or None, with ``tol``, as in :func:`hardlimit.textbook.incremental`.
    patient
        False: look whether that is reached after every epoch, also after one with mistakes. The
        counts that are printed for relaxation on the exercises of Duda, Hart and Stork need it.
    theta
        In batches: ends the run at the first step that is shorter; see
        :func:`hardlimit.textbook.batch`.
    max_iter
        Epochs, iterations of batches, or picks of the worst, at most.
    keep
        Keep so many of the first and of the last steps only.
    names
        Names of the columns of X.

    Returns
    -------
    Trace
        With ``steps``, ``stop_reason``, ``text()``, ``markdown()``, ``json()`` and ``csv()``.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> textbook.trace(X, y, order="batch").stop_reason
    'separated'
    """
    number = exact_numbers.exact if exact else exact_numbers.to_float
    ex = examples(X, y, bias_feature=bias_feature, number=number)
    resolved: Rule = rules.resolve(rule)
    kind = order_name(order)
    settings = _Settings(
        schedule=_resolve_schedule(schedule),
        combine=getattr(order, "combine", None) if combine is None else combine,
        guard=_resolve_guard(guard, resolved),
        w=w,
        until=until,
        patient=patient,
        tol=tol,
        theta=getattr(order, "theta", None) if theta is None else theta,
        max_iter=max_iter,
    )
    # Batches and the worst first choose their rows themselves.
    rows = None if kind in ("worst", "batch") else _epochs(order, len(ex), random_state)
    teach = _teach_balanced if compiled_name(resolved) == BALANCED else _teach
    generator = teach(ex, resolved, kind, rows, settings)
    condition = _condition(resolved, settings.guard)
    combination = _combination(resolved, kind, settings)
    # Relaxation goes a share of the way to a plane, and the way is worth a column.
    distances = bool(resolved.quadratic)
    about = About(describe_rule(resolved), kind, condition, tuple(names), combination, distances)
    return collect(generator, ex, about, keep)


@dataclasses.dataclass(frozen=True)
class _Settings:
    """What was asked for, resolved; the parameters of :func:`trace` that the modes share."""

    schedule: ScheduleLike
    combine: str | None
    guard: Guard | None
    w: Sequence[Scalar] | None
    until: str | None
    patient: bool
    tol: Scalar
    theta: Scalar | None
    max_iter: int

    def refuse(self, goes_with: str | Setting, *names: str) -> None:
        """Refuse settings that were given and do not go with a mode."""
        for name in names:
            value = getattr(self, name)
            if value is None:
                continue
            setting = Setting(name, value) if isinstance(value, str) else Parameter(name)
            reason = (setting, " does not go with ", goes_with)
            raise InputError(reason, who="trace")


def _combination(rule: Rule, kind: str, settings: _Settings) -> str:
    if kind != "batch":
        return ""
    searching = getattr(settings.schedule, "search", False)
    return "line-search" if searching else resolve_combination(settings.combine, rule)


def order_name(order: OrderLike) -> str:
    """Return the name of an order: that of the object's class, or "given" for rows.

    >>> order_name("batch"), order_name([[0, 1], [1, 0]])
    ('batch', 'given')
    """
    if isinstance(order, str):
        return order
    loop = getattr(order, "loop", "")
    if loop in ("batch", "worst"):
        return str(loop)
    return registered_name(type(order)) if hasattr(order, "positions") else "given"


def _epochs(order: OrderLike, n: int, random_state: int | None) -> Order:
    """The rows of each epoch, as the package's own order gives them."""
    if not (isinstance(order, str) or hasattr(order, "positions")):
        rows_of_epochs: Order = order
        return rows_of_epochs
    named: orders.OrderLike = order  # type: ignore[assignment]  # no sequence of rows: see above
    own, seed = orders.resolve(named), resolve_seed(random_state)
    # A function hides that epochs repeat, and then no run could be seen to go round.
    if type(own) is orders.Cyclic:
        return None

    def rows(epoch: int) -> Sequence[int]:
        # The package counts epochs from 0, the blackboard from 1.
        positions = own.positions(n, seed, epoch - 1)
        return range(n) if positions is None else positions.tolist()

    return rows


def _resolve_schedule(schedule: ScheduleLike) -> Any:
    return schedules.resolve(schedule) if isinstance(schedule, str | dict) else schedule


def _resolve_guard(given: GuardLike, rule: Rule) -> Guard | None:
    """All guards together, if they go with the rule."""
    if given is None or isinstance(given, Guard):
        return given
    resolved = guards.resolve(given)
    guards.check(resolved, rule)
    params = {key: value for guard in resolved for key, value in guard.get_params().items()}
    if unknown := params.keys() - {"b", "lam", "alpha"}:
        raise InputError(
            f"the blackboard has no guard with {', '.join(sorted(unknown))}",
            who="trace",
            parameter="guard",
            got=given,
        )
    return Guard(params.get("b", 0), params.get("lam", 0), params.get("alpha"))


def _teach(
    ex: Examples, rule: Rule, kind: str, rows: Order, settings: _Settings
) -> Generator[Any, None, Any]:
    if settings.schedule is not None:
        _check_schedule(rule, settings.schedule, kind)
    given = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}
    if kind == "batch":
        if not (settings.combine or rule.batch):
            raise InputError(
                f"{rules.name_of(rule)} has no batch form of its own",
                who="trace",
                topic="no-batch",
                fix=(
                    "take ", Setting("order", "cyclic"), ", or say ", Setting("combine", "sum"),
                    " or ", Setting("combine", "average"),
                ),
            )  # fmt: skip
        return batch(ex, rule, **{**given, "theta": settings.theta or 0})
    settings.refuse(Setting("order", kind), "combine", "theta")
    del given["combine"], given["theta"]
    if kind == "worst":
        for aim in ("until", "patient", "tol"):  # MinOver has an end of its own
            del given[aim]
        return minover(ex, rule, **given)
    return incremental(ex, rule, order=rows, **given)


def _check_schedule(rule: Rule, schedule: ScheduleLike, kind: str) -> None:
    name = rules.name_of(rule)
    if not (rule.takes_schedule or getattr(schedule, "search", False)):
        raise InputError(
            f"{name} finds the length of its steps itself, so that schedule does not go with it",
            who="trace",
            fix="take the perceptron, its margin form or relaxation",
        )
    if not getattr(schedule, "only_margin", False):
        return
    if kind == "batch" or callable(rule.required) or not rule.required > 0:
        raise InputError(
            f"{schedule!r} brings one example at a time to the margin that the rule requires, "
            f"which must be above 0, but the rule is {name} and order={kind!r}",
            who="trace",
            fix=("take the rule margin-perceptron and ", Setting("order", "cyclic")),
        )
    if asks_for(rule.tau, "margin"):
        raise InputError(
            f"{name} goes to its margin itself, and {schedule!r} would go there twice",
            who="trace",
            fix="leave the schedule out",
        )


def _teach_balanced(
    ex: Examples, rule: Rule, kind: str, rows: Order, settings: _Settings
) -> Generator[Any, None, Any]:
    if kind in ("worst", "batch"):
        raise InputError(
            f"{BALANCED} does not go with it",
            who="trace",
            parameter="order",
            got=kind,
            wanted="'cyclic' or 'shuffled'",
        )
    settings.refuse(f"the rule {BALANCED}", "guard", "combine", "schedule", "w")
    assert isinstance(rule, BalancedWinnow)
    return balanced_winnow(ex, rule.alpha, order=rows, max_iter=settings.max_iter)


def _condition(rule: Rule, guard: Guard | None) -> str:
    """When an example is corrected, as the table says it."""
    if compiled_name(rule) == BALANCED:
        return "t score <= 0"
    sign = "<=" if rule.equality_violates else "<"
    if callable(rule.required) or (guard and guard.lam):
        return f"t w.x {sign} required"
    bound = rule.required + (guard.margin if guard else 0)
    silenced = (
        f" and it was corrected fewer than {guard.bound} times" if guard and guard.bound else ""
    )
    return f"t w.x {sign} {format_number(exact_numbers.exact(bound))}{silenced}"
