"""The steps of ``hardlimit trace``: read, ask the textbook, print."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import models, numeric, options, outputs, terminal, wording
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.textbook import Trace

LINES = 60
MOST_CELLS = 2_000_000
_EXTENSIONS = {".md": "markdown", ".markdown": "markdown", ".json": "json", ".csv": "csv"}
_PEOPLE = ("text", "markdown")


def run(given: dict[str, Any]) -> None:
    """Trace as the options say."""
    source, output = given["source"], given["output"]
    outputs.refuse_inputs(output, source)
    style = given["style"] or _style_of(output)
    rule, bias = _rule(given), _bias(given["bias_feature"])
    schedule = _schedule(given["schedule"])
    exact = _is_exact(given, rule, schedule)
    data = numeric.read(source, _layout(given))
    try:
        found = _traced(data, given, rule, exact, bias, schedule, style)
    except InputError as error:
        raise type(error)(_said(str(error), data.name)) from None
    _write(_in_style(found, style, output), output)


def _style_of(output: str | None) -> str:
    extension = os.path.splitext(output or "")[1].lower()
    return _EXTENSIONS.get(extension, "text")


def _layout(given: dict[str, Any]) -> dict[str, Any]:
    wanted = {name: given[name] for name in ("label", "header", "delimiter")}
    return options.take_layout(wanted)


def _rule(given: dict[str, Any]) -> Any:
    from hardlimit import rules

    settings = options.pairs(given["settings"], "--set")
    values = {key: _parameter(value) for key, value in settings.items()}
    floats = {k: float(v) if isinstance(v, Fraction) else v for k, v in values.items()}
    name = given["rule"] or "perceptron"
    try:
        rule = rules.get(name, **floats)
        return rule if given["exact"] is False else _with_fractions(rule, values)
    except (ValueError, TypeError, LookupError) as error:
        raise click.UsageError(wording.of_commands(str(error))) from None


def _with_fractions(rule: Any, values: dict[str, Any]) -> Any:
    """The same rule, if it takes fractions."""
    try:
        return rule.set_params(**values)
    except InputError:
        return rule


def _parameter(value: str) -> Any:
    """Read a value: a number as it is typed, a fraction, or a word.

    >>> _parameter("0.1"), _parameter("1/3"), _parameter("inf"), _parameter("full")
    (0.1, Fraction(1, 3), inf, 'full')
    """
    for kind in (int, float, Fraction):
        try:
            return kind(value)
        except (ValueError, ZeroDivisionError):
            continue
    return value


def _is_exact(given: dict[str, Any], rule: Any, schedule: Any) -> bool:
    """Whether the run is in fractions; a root takes floats, unless fractions were demanded."""
    from hardlimit import rules
    from hardlimit.textbook import can_be_exact

    if given["exact"] is False or can_be_exact(rule, schedule):
        return given["exact"] is not False
    root = f"--schedule {given['schedule']}" if can_be_exact(rule) else rules.name_of(rule)
    if given["exact"]:
        raise click.UsageError(
            f"--exact does not go with {root}, which takes square roots: say --float"
        )
    terminal.remark(f"{root} takes square roots, so the numbers are floats")
    return False


def _bias(text: str) -> Fraction | None:
    if text.lower() in ("none", "off", "no"):
        return None
    return _number(text, "--bias-feature", "a number such as -1, or none")


def _number(text: str, option: str, wanted: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise click.BadOptionUsage(option, f"{option} wants {wanted}, got {text!r}") from None


def _schedule(text: str | None) -> Any:
    """A fraction, or a schedule of the package."""
    if text is None:
        return None
    from hardlimit import schedules

    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    try:
        return schedules.resolve(text)
    except InputError as error:
        raise click.BadOptionUsage("--schedule", "--" + str(error)) from None


def _traced(
    data: numeric.Matrix,
    given: dict[str, Any],
    rule: Any,
    exact: bool,
    bias: Fraction | None,
    schedule: Any,
    style: str,
) -> Trace:
    from hardlimit import textbook

    _two_classes(data)
    lines = given["lines"]
    if lines is None:
        lines = LINES if style in _PEOPLE else 0
    return textbook.trace(
        _dense(data),
        data.labels,
        rule,
        order=given["order"],
        schedule=schedule,
        combine=given["combine"],
        bias_feature=bias,
        exact=exact,
        until=None if given["until"] == "none" else given["until"],
        max_iter=given["epochs"],
        keep=(lines - lines // 3, lines // 3) if lines else None,
        names=(data.remembered or {}).get("columns", ()),
    )


def _two_classes(data: numeric.Matrix) -> None:
    labels = sorted(models.shown(label) for label in data.counts)
    if len(labels) == 2:
        return
    there = ", ".join(labels[:10]) + (", ..." if len(labels) > 10 else "")
    raise InputError(
        f"{data.name}: {terminal.count(len(labels), 'class', 'classes')} in the label ({there}); a "
        "trace is of one neuron, which tells two apart: keep the rows of two classes, or put one "
        "against the rest, and name the column of the label with --label"
    )


def _dense(data: numeric.Matrix) -> list[list[float]]:
    X = data.examples
    rows, columns = X.shape
    if rows * columns > MOST_CELLS:
        raise InputError(
            f"{data.name}: {rows:,} rows of {columns:,} columns are too many to print; take "
            "some of the rows (head -n 100), or 'hardlimit train'"
        )
    if not hasattr(X, "indptr"):
        dense: list[list[float]] = X.tolist()
        return dense
    found = [[0.0] * columns for _ in range(rows)]
    for i, (a, b) in enumerate(zip(X.indptr[:-1], X.indptr[1:], strict=True)):
        for j, value in zip(X.indices[a:b].tolist(), X.data[a:b].tolist(), strict=True):
            found[i][j] = value
    return found


def _said(message: str, name: str) -> str:
    """Put an error of the textbook in the words of the command line."""
    for theirs, ours in (
        ("trace: ", f"{name}: "),
        ("textbook: ", f"{name}: "),
        ("take floats (exact=False, or number=float)", "say --float"),
        ("order='", "--order '"),
        ("combine='", "--combine '"),
        ("(bias_feature=None)", "(--bias-feature none)"),
    ):
        message = message.replace(theirs, ours)
    return message


def _in_style(found: Trace, style: str, output: str | None) -> str:
    if style == "markdown":
        return found.markdown()
    if style == "json":
        return found.json(indent=2 if output else None)
    if style == "csv":
        return found.csv()
    return found.text(terminal.width())


def _write(text: str, output: str | None) -> None:
    if output in (None, "-"):
        terminal.say(text.rstrip("\n"))
        return
    from hardlimit.atomic import replacing

    with replacing(str(output)) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="\n")
