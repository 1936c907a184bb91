"""``trace``: the table of the blackboard for rows of your own."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import Any

from hardlimit import guards, rules, schedules
from hardlimit.exceptions import InputError
from hardlimit.foundation import exact_numbers
from hardlimit.foundation.exact_numbers import with_exact_parameters
from hardlimit.foundation.parameters import resolve_seed
from hardlimit.foundation.register import compiled_name, registered_name
from hardlimit.foundation.signature import asks_for
from hardlimit.textbook.asking import ask
from hardlimit.textbook.batch_mode import batch, combination
from hardlimit.textbook.data import Examples, examples
from hardlimit.textbook.incremental_mode import Order, incremental
from hardlimit.textbook.learner import Guard
from hardlimit.textbook.sentences import About, name_of
from hardlimit.textbook.traces import Trace, collected
from hardlimit.textbook.winnow_balanced import balanced_winnow
from hardlimit.textbook.worst_first import minover
from hardlimit.textbook.writing import shown

BALANCED = "balanced-winnow"  # its two vectors of weights are worth a table of their own


def can_be_exact(rule: Any, schedule: Any = None) -> bool:
    """Whether :func:`trace` computes that in fractions; Balanced Winnow on whole numbers.

    >>> can_be_exact(rules.get("perceptron"), "1/step"), can_be_exact(rules.get("alma"))
    (True, False)
    """
    schedule = _schedule(schedule)
    if isinstance(schedule, schedules.Schedule) and not schedule.search:
        scalars = {"step": 2, "margin": -1, "sqnorm": 2, "required": 1}
        exactly = {name: Fraction(value) for name, value in scalars.items()}
        if isinstance(ask(with_exact_parameters(schedule).eta, exactly), float):
            return False
    return bool(getattr(rule, "exact", True)) or compiled_name(rule) == BALANCED


def trace(
    X: Any,
    y: Any,
    rule: Any = "perceptron",
    *,
    order: Any = "cyclic",
    schedule: Any = None,
    combine: str | None = None,
    guard: Any = None,
    bias_feature: Any = -1,
    exact: bool = True,
    w: Sequence[Any] | None = None,
    until: str | None = "separated",
    patient: bool = True,
    tol: Any = 0,
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
        "cyclic", "shuffled" or "random" (as :class:`hardlimit.LinearClassifier` goes with the same
        ``random_state``), "worst" (with the perceptron: MinOver), "batch", an object of
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
    rule = rules.resolve(rule)
    kind = order_name(order)
    asked = {
        "schedule": _schedule(schedule),
        "combine": getattr(order, "combine", None) if combine is None else combine,
        "guard": _guard(guard, rule),
        "w": w,
        "until": until,
        "patient": patient,
        "tol": tol,
        "max_iter": max_iter,
    }
    rows = None if kind in ("worst", "batch") else _rows(order, len(ex), random_state)
    steps_of = _balanced if compiled_name(rule) == BALANCED else _taught
    generator = steps_of(ex, rule, kind, rows, asked)
    condition = _condition(rule, asked["guard"])
    about = About(name_of(rule), kind, condition, tuple(names), _combined(rule, kind, asked))
    return collected(generator, ex, about, keep)


def _combined(rule: Any, kind: str, asked: dict[str, Any]) -> str:
    if kind != "batch":
        return ""
    searching = getattr(asked["schedule"], "search", False)
    return "line-search" if searching else combination(asked["combine"], rule)


def order_name(order: Any) -> str:
    """The name of an order: that of the object's class, or "given" for rows.

    >>> order_name("batch"), order_name([[0, 1], [1, 0]])
    ('batch', 'given')
    """
    if isinstance(order, str):
        return order
    loop = getattr(order, "loop", "")
    if loop in ("batch", "worst"):
        return str(loop)
    return registered_name(type(order)) if hasattr(order, "positions") else "given"


def _rows(order: Any, n: int, random_state: Any) -> Order:
    """The rows of each epoch, as the package's own order gives them."""
    if not (isinstance(order, str) or hasattr(order, "positions")):
        found: Order = order
        return found
    from hardlimit import orders

    own, seed = orders.resolve(order), resolve_seed(random_state)
    if type(own) is orders.Cyclic:
        return None

    def rows(epoch: int) -> Sequence[int]:
        positions = own.positions(n, seed, epoch - 1)
        return range(n) if positions is None else positions.tolist()

    return rows


def _schedule(schedule: Any) -> Any:
    return schedules.resolve(schedule) if isinstance(schedule, str | dict) else schedule


def _guard(given: Any, rule: Any) -> Guard | None:
    """All guards together, if they go with the rule."""
    if given is None or isinstance(given, Guard):
        return given
    found = guards.resolve(given)
    guards.check(found, rule)
    params = {key: value for guard in found for key, value in guard.get_params().items()}
    return Guard(params.get("b", 0), params.get("lam", 0), params.get("alpha"))


def _taught(
    ex: Examples, rule: Any, kind: str, rows: Order, asked: dict[str, Any]
) -> Generator[Any, None, Any]:
    if asked["schedule"] is not None:
        _check_schedule(rule, asked["schedule"], kind)
    if kind == "batch":
        if not (asked["combine"] or getattr(rule, "batch", "")):
            raise InputError(
                f"trace: {rules.name_of(rule)} has no batch form of its own; take order='cyclic', "
                "or say combine='sum' or combine='average'"
            )
        return batch(ex, rule, **asked)
    if kind == "worst":
        left = _without(asked, f"order={kind!r}", "combine")
        aims = ("until", "patient", "tol")
        return minover(ex, rule, **{k: v for k, v in left.items() if k not in aims})
    return incremental(ex, rule, order=rows, **_without(asked, f"order={kind!r}", "combine"))


def _check_schedule(rule: Any, schedule: Any, kind: str) -> None:
    name = rules.name_of(rule)
    if not (getattr(rule, "takes_schedule", True) or getattr(schedule, "search", False)):
        raise InputError(
            f"trace: {name} finds the length of its steps itself, so that schedule does not go "
            "with it; take the perceptron, its margin form or relaxation"
        )
    if not getattr(schedule, "only_margin", False):
        return
    if kind == "batch" or callable(rule.required) or not rule.required > 0:
        raise InputError(
            f"trace: {schedule!r} brings one example at a time to the margin that the rule "
            f"requires, which must be above 0, but the rule is {name} and order={kind!r}; take "
            "the rule margin-perceptron and order='cyclic'"
        )
    if asks_for(rule.tau, "margin"):
        raise InputError(
            f"trace: {name} goes to its margin itself, and {schedule!r} would go there twice; "
            "leave the schedule out"
        )


def _balanced(
    ex: Examples, rule: Any, kind: str, rows: Order, asked: dict[str, Any]
) -> Generator[Any, None, Any]:
    if kind in ("worst", "batch"):
        raise InputError(
            f"trace: {BALANCED} does not go with order={kind!r}; wanted 'cyclic' or 'shuffled'"
        )
    _without(asked, f"the rule {BALANCED}", "guard", "combine", "schedule", "w")
    return balanced_winnow(ex, rule.alpha, order=rows, max_iter=asked["max_iter"])


def _without(asked: dict[str, Any], where: str, *names: str) -> dict[str, Any]:
    """What was asked for, less what does not go with it and must not have been given."""
    for name in names:
        if asked[name] is not None:
            value = f"={asked[name]!r}" if isinstance(asked[name], str) else ""
            raise InputError(f"trace: {name}{value} does not go with {where}")
    return {key: value for key, value in asked.items() if key not in names}


def _condition(rule: Any, guard: Guard | None) -> str:
    """When an example is corrected, in the words of the table."""
    if compiled_name(rule) == BALANCED:
        return "t score <= 0"
    sign = "<=" if rule.equality_violates else "<"
    if callable(rule.required) or (guard and guard.lam):
        return f"t w.x {sign} required"
    bound = rule.required + (guard.margin if guard else 0)
    silenced = (
        f" and it was corrected fewer than {guard.bound} times" if guard and guard.bound else ""
    )
    return f"t w.x {sign} {shown(exact_numbers.exact(bound))}{silenced}"
