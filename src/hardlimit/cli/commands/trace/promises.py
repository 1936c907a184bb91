"""What the convergence proofs promise of a traced run: ``hardlimit trace --bounds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit import textbook
from hardlimit.textbook.writing import format_number
from hardlimit.theory.cycling import step_of

if TYPE_CHECKING:
    from hardlimit.cli.commands.trace.command import TraceOptions
    from hardlimit.orders import Order
    from hardlimit.rules import Rule
    from hardlimit.textbook import Trace

# The tables for people; a line below those for machines would spoil them.
_PEOPLE = ("text", "markdown")


def check(options: TraceOptions, rule: Rule, order: Order, style: str) -> None:
    """Refuse the bounds of runs that the proofs are not about."""
    if not options.bounds:
        return
    if style not in _PEOPLE:
        raise click.UsageError("--bounds goes with --format text or markdown")
    plain = rule.class_name == "Perceptron" and step_of(rule) is not None
    if not plain or options.schedule or options.guard or order.loop != "online":
        raise click.UsageError(
            "--bounds is about the perceptron with steps of length 1, row by row, without guards"
        )


def describe(trace: Trace) -> str:
    """Return what is promised beside what was made, with the last weights as the separator."""
    outcome, examples = trace.outcome, trace.examples
    if outcome.wrong:
        return "no bound: the last weights do not separate the patterns, and the proofs need a " + (
            "vector that does"
        )
    start = trace.steps[0].w_before if trace.steps else outcome.w
    found = textbook.convergence(examples, outcome.w, start)
    gamma, beta = format_number(found.gamma), format_number(found.beta_squared)
    lines = [
        f"corrections at most, with a = w: gamma = min a.tx = {gamma}, beta^2 = max |x|^2 = {beta}",
        _line("from a(1)", "|a(1) - alpha a|^2 / beta^2, alpha = beta^2 / gamma", found.from_start),
    ]
    if any(start):
        lines.append("  the other proofs begin at zero weights")
    else:
        lines.append(_line("max form", "max |x|^2 |a|^2 / gamma^2", found.max_form))
        lines.append(_line("sum form", "sum |x|^2 |a|^2 / gamma^2", found.sum_form))
    return "\n".join([*lines, _line("made", "", outcome.corrections)])


def _line(name: str, formula: str, value: object) -> str:
    number = value if isinstance(value, int) else format_number(value)  # type: ignore[arg-type]
    return f"  {name:<10} {number:>8}  {formula}".rstrip()
