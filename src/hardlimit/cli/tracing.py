"""The steps of ``hardlimit trace``: read, ask the textbook, print."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import (
    building,
    choices,
    models,
    numeric,
    options,
    outputs,
    plotting,
    terminal,
    wording,
)
from hardlimit.exceptions import DataFormatError, InputError

if TYPE_CHECKING:
    from hardlimit.textbook import Trace

LINES = 60
MOST_CELLS = 2_000_000
_EXTENSIONS = {
    "": "text",
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".csv": "csv",
}
_PEOPLE = ("text", "markdown")


def run(given: dict[str, Any]) -> None:
    """Trace as the options say."""
    source, output, plot = given["source"], given["output"], given["plot"]
    outputs.refuse_inputs(output, source)
    plotting.check(plot, source, output)
    style = given["style"] or _style_of(output)
    rule, bias = _rule(given), _bias(given["bias_feature"])
    schedule, guard = _schedule(given["schedule"]), choices.guards(given)
    _check(rule, schedule, guard, given)
    exact = _is_exact(given, rule, schedule)
    data = _read(source, _layout(given))
    how = {"bias_feature": bias, "schedule": schedule, "guard": guard or None, "exact": exact}
    try:
        found = _traced(data, given, rule, style, how)
        if plot:
            found = _plotted(found, given, style)
    except InputError as error:
        said = _said(numeric.placed(str(error), data), data.name)
        raise type(error)(said) from None
    _write(_in_style(found, style, output), output)


def _style_of(output: str | None) -> str:
    extension = os.path.splitext(output or "")[1].lower()
    if extension not in _EXTENSIONS:
        raise click.UsageError(
            f"-o {output}: wanted {', '.join(list(_EXTENSIONS)[1:])}, or --format to write one of "
            "them under that name"
        )
    return _EXTENSIONS[extension]


def _read(source: str, wanted: dict[str, Any]) -> numeric.Matrix:
    """Read the file; where its label stands elsewhere, the error says which option helps."""
    try:
        return numeric.read(source, wanted)
    except DataFormatError as error:
        found = None if {"label", "header"} & wanted.keys() else numeric.look(source)
        if found is None or found.label is None:
            raise
        raise type(error)(
            f"{error}; if {found.label!r} is the label, say --label {found.label}"
        ) from None


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
        named = "" if given["rule"] else building.NOT_NAMED
        raise click.UsageError(wording.of_commands(str(error)) + named) from None


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
    try:
        if bias := Fraction(text):
            return bias
    except (ValueError, ZeroDivisionError):
        pass
    wanted = "a number such as -1, not 0, or none, which learns through the origin"
    raise click.BadOptionUsage("--bias-feature", f"--bias-feature wants {wanted}; got {text!r}")


def _schedule(text: str | None) -> Any:
    """As train reads it; a number stays the fraction that was typed."""
    from hardlimit.schedules.constant import Constant

    found = choices.schedule(text)
    if not isinstance(found, Constant) or text == "constant":
        return found
    above, _, below = str(text).partition("/")
    exactly: Any = Fraction(above) / Fraction(below or 1)
    return Constant(exactly)


def _check(rule: Any, schedule: Any, guard: tuple[Any, ...], given: dict[str, Any]) -> None:
    """Refuse what train refuses; but with --combine any rule that adds has a batch."""
    from hardlimit import orders
    from hardlimit.classifiers.model.compatibility import Combination, check_choices

    if given["combine"] and not getattr(rule, "batch", ""):
        return
    try:
        check_choices(Combination(rule, orders.resolve(given["order"]), schedule, guard))
    except InputError as error:
        said = wording.of_commands(str(error), with_names=True)
        if "no batch form" in said:
            said += ", or say --combine sum or --combine average"
        raise click.UsageError(said) from None


def _traced(
    data: numeric.Matrix, given: dict[str, Any], rule: Any, style: str, how: dict[str, Any]
) -> Trace:
    from hardlimit import textbook

    _two_classes(data)
    keep = None if given["plot"] else _kept(given, style)
    return textbook.trace(
        _dense(data),
        data.labels,
        rule,
        order=given["order"],
        combine=given["combine"],
        **how,
        until=None if given["until"] == "none" else given["until"],
        patient=given["patient"],
        random_state=given["seed"] or 0,
        max_iter=given["epochs"],
        keep=keep,
        names=(data.remembered or {}).get("columns", ()),
    )


def _kept(given: dict[str, Any], style: str) -> tuple[int, int] | None:
    """How many of the first and of the last lines are printed; None for all."""
    lines = given["lines"]
    if lines is None:
        lines = LINES if style in _PEOPLE else 0
    return (lines - lines // 3, lines // 3) if lines else None


def _plotted(found: Trace, given: dict[str, Any], style: str) -> Trace:
    """Draw all corrections, and keep the lines that are printed."""
    from hardlimit import pictures

    pictures.steps(found).save(given["plot"])
    keep = _kept(given, style)
    return found if keep is None else found.shortened(*keep)


def _two_classes(data: numeric.Matrix) -> None:
    labels = sorted(models.format_label(label) for label in data.counts)
    if len(labels) == 2:
        return
    there = ", ".join(labels[:10]) + (", ..." if len(labels) > 10 else "")
    raise InputError(
        f"{data.name}: {terminal.plural(len(labels), 'class', 'classes')} in the label "
        f"({there}); a "
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
        ("pictures.steps: ", f"{name}, --plot: "),
        ("textbook: ", f"{name}: "),
        ("take floats (exact=False, or number=float)", "say --float"),
        ("order='", "--order '"),
        ("combine='", "--combine '"),
        ("(bias_feature=None)", "(--bias-feature none)"),
        ("got fit_intercept=False, wanted True", "got --bias-feature none, wanted a number"),
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
    from hardlimit.foundation.atomic_file import replacing

    with replacing(str(output)) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="\n")
