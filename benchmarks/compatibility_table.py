"""The tables of ``docs/choices.md``: every rule with every choice, from the table of conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from hardlimit import budgets, guards, kernels, orders, readouts, rules, schedules
from hardlimit.classifiers.model.compatibility import RESOLVED, Combination, Conflict, find_conflict
from hardlimit.exceptions import PythonFace

SETTINGS: dict[str, dict[str, Any]] = {
    "batch": {"order": orders.Batch()},
    "worst": {"order": orders.Worst()},
    "schedule": {"schedule": schedules.resolve("1/step")},
    "line-search": {"schedule": schedules.resolve("line-search"), "order": orders.Batch()},
    "projection": {"schedule": schedules.resolve("projection")},
    **{name: {"guards": (guards.GUARDS.get(name),)} for name in guards.names()},
    **{name: {"readout": name} for name in readouts.READOUTS if name != "last"},
    "coupled": {"n_classes": 3},
    "shards": {"shards": 8},
}
DATA: dict[str, dict[str, Any]] = {
    "weights": {"weighted": True},
    "stream": {"way": "batches"},
    "new columns": {"growing": True},
    "kernel": {"kernel": kernels.resolve("rbf")},
    **{
        name: {"kernel": kernels.resolve("rbf"), "budget": budgets.resolve(name)}
        for name in budgets.names()
    },
}
LOOPS = {"online": "cyclic, shuffled, blocks, random", "worst": "worst", "batch": "batch"}
_FACE = PythonFace()


class Refusal(NamedTuple):
    """A rule and a choice that do not go together, and why: the reason speaks of "the rule"."""

    rule: str
    choice: str
    conflict: Conflict
    reason: str
    fix: str

    @property
    def sentence(self) -> str:
        """The reason, and what to do instead."""
        return "; ".join(part for part in (self.reason, self.fix) if part)


def refusals() -> list[Refusal]:
    """Return every pair of a rule and a choice that is refused, with the reason."""
    pairs = (_refusal(rule, choice) for rule in rules.names() for choice in SETTINGS | DATA)
    return [refusal for refusal in pairs if refusal is not None]


def _refusal(rule: str, choice: str) -> Refusal | None:
    combination = Combination(rules.get(rule), **(SETTINGS | DATA)[choice])
    conflict = find_conflict(combination, RESOLVED)
    if conflict is None:
        return None
    error = conflict.error(combination)
    return Refusal(rule, choice, conflict, _FACE.text(error.reason), _FACE.text(error.fix))


def markdown() -> str:
    """Return the tables as Markdown."""
    letters: dict[str, str] = {}
    tables = [_table_of_rules(SETTINGS, letters), _table_of_rules(DATA, letters)]
    notes = "\n".join(f"- **{letter}**: {reason}." for reason, letter in letters.items())
    return "\n\n".join([*tables, notes, _table_of_orders()]) + "\n"


def _table_of_rules(choices: Iterable[str], letters: dict[str, str]) -> str:
    """Return a line a rule and a column a choice; values of one parameter may share a column."""
    refused = {(one.rule, one.choice): one.sentence for one in refusals()}
    columns: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for choice in choices:
        reasons = tuple(refused.get((rule, choice), "") for rule in rules.names())
        columns.setdefault((tuple((SETTINGS | DATA)[choice]), reasons), []).append(choice)
    lines = [[", ".join(names) for names in columns.values()]]
    for place in range(len(rules.names())):
        lines.append([_cell(reasons[place], letters) for _, reasons in columns])
    return _pipes(["rule", *(f"`{name}`" for name in rules.names())], lines)


def _cell(reason: str, letters: dict[str, str]) -> str:
    return letters.setdefault(reason, _letter(len(letters))) if reason else "yes"


def _letter(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ...

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', 'aa')
    """
    before, last = divmod(number, 26)
    return (_letter(before - 1) if before else "") + chr(ord("a") + last)


def _table_of_orders() -> str:
    """Return orders and read-outs, with the perceptron, which takes part in all."""
    known = {orders.resolve(name).loop: orders.resolve(name) for name in orders.ORDERS.members}
    if set(known) != set(LOOPS):
        raise AssertionError("an order has a loop that the table does not know")
    lines = [list(readouts.READOUTS)]
    for loop in LOOPS:
        combinations = (
            Combination(rules.get("perceptron"), known[loop], readout=name)
            for name in readouts.READOUTS
        )
        lines.append(["no" if find_conflict(one) else "yes" for one in combinations])
    return _pipes(["orders", *LOOPS.values()], lines)


def _pipes(firsts: list[str], lines: list[list[str]]) -> str:
    """Return a Markdown table; the first line is its head."""
    rows = [f"| {' | '.join([first, *line])} |" for first, line in zip(firsts, lines, strict=True)]
    return "\n".join([rows[0], "|---" * (len(lines[0]) + 1) + "|", *rows[1:]])
