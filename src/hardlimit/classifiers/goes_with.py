"""What goes with what: every rule asked with every choice, for the documents.

The answers are those of the checks that a fit makes, so that a table cannot say anything else.
"""

from __future__ import annotations

import re
import warnings
from typing import Any, NamedTuple

from hardlimit import guards, keep, orders, rules
from hardlimit.classifiers.kernel import KernelClassifier
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.exceptions import InputError

_ASKED: dict[str, dict[str, Any]] = {
    "batch": {"order": "batch"},
    "worst": {"order": "worst"},
    "schedule": {"schedule": "1/step"},
    "line-search": {"schedule": "line-search", "order": "batch"},
    "projection": {"schedule": "projection"},
    "lambda-trick": {"guard": guards.LambdaTrick()},
    "alpha-bound": {"guard": guards.AlphaBound()},
    "margin": {"guard": guards.Margin()},
    **{name: {"keep": (name, "last")} for name in keep.READOUTS if name != "last"},
}
_ALIKE = ("longest", "pocket", "pocket-ratchet", "random")  # one column, where they agree
_LOOPS = {"online": "cyclic, shuffled, random", "worst": "worst", "batch": "batch"}


class Refusal(NamedTuple):
    """A rule and a choice that do not go together, and why."""

    rule: str
    choice: str
    reason: str


def choices() -> list[str]:
    """The columns of the table: choices that some rule may refuse.

    ``coupled`` is three classes; ``kernel`` any of :mod:`hardlimit.kernels`, by the dual form.
    """
    return [*_ASKED, "coupled", "kernel"]


def refusals() -> list[Refusal]:
    """Every pair of a rule and a choice that is refused, with the reason."""
    found = []
    for rule in rules.names():
        for choice in choices():
            reason = _reason(rule, choice)
            if reason:
                found.append(Refusal(rule, choice, reason))
    return found


def _reason(rule: str, choice: str) -> str:
    if choice == "coupled":
        return str(rules.get(rule).alone)
    settings = {"keep": ("last",), "readout": "last"} | _ASKED.get(choice, {})
    kind: Any = KernelClassifier if choice == "kernel" else LinearClassifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            kind(rule=rule, **settings)._check_parameters()
        except InputError as error:
            return _of_any_rule(str(error), rules.get(rule))
    return ""


def _of_any_rule(message: str, rule: Any) -> str:
    """A refusal without the name of the rule that was refused."""
    name = type(rule).__name__
    message = message.replace(repr(rule), "the rule")
    message = re.sub(rf"(?<![\w.])(rules\.)?{name}\b(?!\()", "the rule", message)
    message = re.sub(r"^[\w.=': -]*?does not go with |^[\w.=':-]+: ", "", message)
    return message.removeprefix("the rule: ")


def markdown() -> str:
    """The tables of docs/choices.md."""
    return f"{_of_rules()}\n{_of_orders()}"


def _of_rules() -> str:
    refused = {(one.rule, one.choice): one.reason for one in refusals()}
    columns = [name for name in choices() if name not in _ALIKE[1:]]
    letters: dict[str, str] = {}
    lines = [f"| rule | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for rule in rules.names():
        cells = []
        for column in columns:
            alike = _ALIKE if column in _ALIKE else (column,)
            reasons = {refused.get((rule, name), "") for name in alike}
            if len(reasons) > 1:
                raise AssertionError(f"{rule}: {_ALIKE} need columns of their own")
            reason = reasons.pop()
            cells.append(_lettered(reason, letters) if reason else "yes")
        lines.append(f"| `{rule}` | {' | '.join(cells)} |")
    notes = [f"- **{letter}**: {reason}." for reason, letter in letters.items()]
    return "\n".join([*lines, "", *notes]) + "\n"


def _lettered(reason: str, letters: dict[str, str]) -> str:
    return letters.setdefault(reason, chr(ord("a") + len(letters)))


def _of_orders() -> str:
    """Orders and read-outs, with the perceptron, which takes part in all."""
    rule = rules.get("perceptron")
    lines = [f"| orders | {' | '.join(keep.READOUTS)} |", f"|---|{'---|' * len(keep.READOUTS)}"]
    for loop, named in _LOOPS.items():
        cells = ["no" if keep.reason_against(one, rule, loop) else "yes" for one in keep.READOUTS]
        lines.append(f"| {named} | {' | '.join(cells)} |")
    known = {orders.resolve(name).loop for name in orders.ORDERS.members}
    if known != set(_LOOPS):
        raise AssertionError("an order has a loop that the table does not know")
    return "\n".join(lines) + "\n"
