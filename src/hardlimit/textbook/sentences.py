"""What stands above and below the table."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit import rules
from hardlimit.foundation.exact_numbers import Scalar, exact
from hardlimit.foundation.formatting import plural
from hardlimit.textbook.data import Examples
from hardlimit.textbook.steps import Outcome
from hardlimit.textbook.writing import format_number

_ROUNDS = {
    "batch": ("iteration", "iterations"),
    "descent": ("iteration", "iterations"),
    "worst": ("pick", "picks"),
}
_MODES = {
    "cyclic": "one by one",
    "shuffled": "one by one, in a new order each epoch",
    "blocks": "one by one, in blocks of neighbours that come in a new order each epoch",
    "random": "one by one, drawn with replacement",
    "given": "one by one, in the order given",
    "worst": "the worst first",
    "batch": "all violators at once",
    "descent": "gradient descent",
}
_COMBINED = {
    "sum": ", summed",
    "average": ", averaged over the violators",
    "line-search": ", as far as a line search goes",
    "": "",
}
_FEW = 24


@dataclass(frozen=True)
class About:
    """What a run was, in words: rule, order, when it corrects, the names of the columns.

    ``combine`` says what a batch does with its corrections: "sum", "average" or "line-search".
    ``distances``: the table tells how far the weights were from the plane of each violator.
    """

    rule: str
    order: str = "cyclic"
    corrects: str = ""
    names: tuple[str, ...] = ()
    combine: str = ""
    distances: bool = False


def describe_rule(rule: rules.RuleLike) -> str:
    """Name and parameters of a rule.

    >>> describe_rule(rules.get("margin-perceptron", b=0.5))
    'margin-perceptron, b = 1/2'
    """
    # Parameters as Fractions, so that 0.1 is shown as 1/10, as it was typed.
    name = rules.name_of(rule)
    rule = rule.own if isinstance(rule, rules.Rule) else rule
    if not dataclasses.is_dataclass(rule):
        return name
    fields = [(f.name, getattr(rule, f.name)) for f in dataclasses.fields(rule)]
    return ", ".join(
        [name, *(f"{key} = {_format_value(value)}" for key, value in fields if value is not None)]
    )


def _format_value(value: Scalar) -> str:
    if isinstance(value, float) and math.isfinite(value):
        value = exact(value)
    return format_number(value)


def heading(about: About, examples: Examples, steps: Sequence[Any], width: int | None) -> list[str]:
    """The rule, the coding, and what a correction depends on."""
    arithmetic = "exact fractions" if examples.number is exact else "floating point"
    mode = _MODES.get(about.order, about.order) + _COMBINED[about.combine]
    columns, coding = describe_coding(about.names, examples)
    sentences = [
        f"{about.rule}; {mode}; {arithmetic}",
        columns,
        f"{coding}; corrected where {about.corrects}" if about.corrects else coding,
    ]
    return _wrap(sentences, width)


def describe_coding(names: Sequence[str], examples: Examples) -> tuple[str, str]:
    """What the columns are, and what the targets -1 and +1 stand for."""
    low, high = map(_label, examples.classes)
    coding = "t is the label" if (low, high) == ("-1", "1") else f"t = +1 for {high}, -1 for {low}"
    return "; ".join([*_legend(names), _bias(examples.bias_feature)]), coding


def _label(label: Hashable) -> str:
    text = str(label)
    return text if text.isprintable() else ascii(text)[1:-1]


def _legend(names: Sequence[str]) -> list[str]:
    plain = [name if name.isprintable() else ascii(name)[1:-1] for name in names]
    listed = ", ".join(f"x{j} = {name}" for j, name in enumerate(plain, 1) if name != f"x{j}")
    return [listed] if listed else []


def _bias(value: Scalar | None) -> str:
    if value is None:
        return "through the origin: no bias"
    role = "threshold" if value < 0 else "bias"
    return f"x0 = {format_number(value)} in every row, so that w0 is the {role}"


def summarise(about: About, examples: Examples, outcome: Outcome, width: int | None) -> list[str]:
    """How it ended, with which weights."""
    one, many = _ROUNDS.get(about.order, ("epoch", "epochs"))
    rounds = f"{outcome.epochs:,} {one if outcome.epochs == 1 else many}"
    corrections = f"{outcome.corrections:,} correction{'s' * (outcome.corrections != 1)}"
    when = rounds if about.order in ("batch", "descent") else f"{corrections} in {rounds}"
    sentences = [_describe_end(outcome, len(examples), when)]
    if outcome.w:
        sentences.append("w = (" + ", ".join(map(format_number, outcome.w)) + ")")
    if outcome.counts and len(examples) <= _FEW:
        listed = " ".join(map(str, outcome.counts))
        sentences.append(f"corrections of pattern 1 to {len(examples)}: {listed}")
    return _wrap(sentences, width)


def _describe_end(outcome: Outcome, n: int, when: str) -> str:
    verb = "is" if len(outcome.wrong) == 1 else "are"
    wrong = f"{len(outcome.wrong):,} of {plural(n, 'pattern')} {verb}"
    if 0 < len(outcome.wrong) <= _FEW:
        wrong += f" wrong (no. {', '.join(str(i + 1) for i in outcome.wrong)})"
    else:
        wrong += " wrong" if outcome.wrong else ""
    none = "no pattern is wrong" if not outcome.wrong else wrong
    return {
        "separated": f"separated after {when}: {none}",
        "margin_reached": f"margin reached after {when}: every pattern has what is required",
        "settled": f"settled after {when}: nothing is left to correct, and {none}",
        "stalled": f"stalled after {when}: the corrections add up to zero, and {none}",
        "small_step": f"stopped after {when} by a step shorter than theta, which is no separation: "
        f"{none}",
        "cycling": f"{_period(outcome)} after {when}: the weights are what they were, and so is "
        f"all that follows; no hyperplane separates these patterns, and {none}",
        "max_iter": f"stopped after {when}, as many as were allowed; {none}",
    }.get(outcome.reason, f"{outcome.reason} after {when}")


def _period(outcome: Outcome) -> str:
    epochs, corrections = outcome.cycle or (0, 0)
    return f"cycling, period {epochs:,} ({corrections:,} correction{'s' * (corrections != 1)}),"


def _wrap(sentences: Sequence[str], width: int | None) -> list[str]:
    if width is None:
        return list(sentences)
    return [line for text in sentences for line in textwrap.wrap(text, width)]
