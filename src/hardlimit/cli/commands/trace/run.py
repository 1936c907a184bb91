"""The work of ``hardlimit trace``: read, learn by the textbook's code, print each step."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit import orders, rules, textbook
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.cli import choices, outputs, starts, terminal, textbook_rows
from hardlimit.cli.commands.trace import kernel, mapping, plot, promises
from hardlimit.cli.errors import usage_error
from hardlimit.cli.options import parse_pairs
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.schedules.constant import Constant

if TYPE_CHECKING:
    from hardlimit.cli.commands.trace.command import TraceOptions
    from hardlimit.cli.numeric_rows import Matrix
    from hardlimit.guards import Guards
    from hardlimit.maps import FeatureMap
    from hardlimit.rules import Rule
    from hardlimit.schedules import Schedule
    from hardlimit.textbook import Trace

# About two screens: enough for the exercises of a textbook, which are short.
LINES = 60
_EXTENSIONS = {
    "": "text",
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".csv": "csv",
}
_PEOPLE = ("text", "markdown")


class _Setup(NamedTuple):
    """The rule, and what multiplies with it."""

    rule: Rule
    schedule: Schedule | None
    guards: Guards
    bias: Fraction | None
    exact: bool
    start: list[Fraction] | None
    map: FeatureMap | None


def run(options: TraceOptions) -> None:
    """Trace as the options say."""
    outputs.refuse_inputs(options.output, options.source)
    plot.check(options.plot, options.source, options.output)
    if options.picture != "steps" and not options.plot:
        raise click.UsageError("--picture says what --plot FILE draws, which is missing")
    # Before reading: a wrong extension is a slip that need not wait.
    style = options.style or _style_of(options.output)
    chosen = kernel.check(options)
    setup = _set_up(options)
    promises.check(options, setup.rule, style)
    with Progress() as progress:
        data = textbook_rows.read(options.source, options.layout)
        try:
            trace = (
                _trace(data, options, setup, style)
                if chosen is None
                else _trace_kernel(data, options, setup, style, chosen)
            )
        except InputError as error:
            raise textbook_rows.locate(error, data) from None
        if options.plot:
            progress.stage(f"drawing {options.plot}")
            plot.draw(trace, options.plot, data.name, options.picture)
            # Only now: the picture needs every correction, the table the first and last.
            trace = _shortened(trace, options, style)
        progress.stage("writing the table")
        text = _render(trace, style, options.output)
        if options.bounds:
            text = f"{text.rstrip()}\n\n{promises.describe(trace)}\n"
    _write(text, options.output)


def _set_up(options: TraceOptions) -> _Setup:
    """Make what the options name, and refuse what does not go together."""
    rule, schedule = _rule(options), _schedule(options.schedule)
    guards = choices.make_guards(options.guards)
    _check(rule, schedule, guards, options)
    exact = _is_exact(options, rule, schedule)
    start = _start(rule, guards, options)
    own_map = mapping.parse_map(options.map)
    return _Setup(
        rule,
        schedule,
        guards,
        textbook_rows.parse_bias(options.bias_feature),
        exact,
        start,
        own_map,
    )


def _start(rule: Rule, guards: Guards, options: TraceOptions) -> list[Fraction] | None:
    """Read ``--start``, for a rule with which it has a meaning."""
    rows = starts.parse_start(options.start)
    if not rows:
        return None
    if len(rows) > 1:
        raise click.UsageError("--start: two classes share one row of weights")
    try:
        compatibility.check_started(Combination(rule, guards=guards))
    except InputError as error:
        raise usage_error(error) from None
    return rows[0]


def _style_of(output: str | None) -> str:
    extension = os.path.splitext(output or "")[1].lower()
    if extension not in _EXTENSIONS:
        raise click.UsageError(
            f"-o {output}: wanted {', '.join(list(_EXTENSIONS)[1:])}, or --format to write one of "
            "them under that name"
        )
    return _EXTENSIONS[extension]


def _rule(options: TraceOptions) -> Rule:
    given = parse_pairs(options.settings, "--set")
    values = {key: _parse_value(value) for key, value in given.items()}
    # Rules check their parameters as floats; fractions are put in afterwards.
    floats = {k: float(v) if isinstance(v, Fraction) else v for k, v in values.items()}
    try:
        rule: Rule = rules.get(options.rule or "perceptron", **floats)
        return rule if options.exact is False else _with_fractions(rule, values)
    except HardlimitError as error:
        hint = "" if options.rule else choices.DEFAULT_RULE_HINT
        raise usage_error(error, after=hint) from None


def _with_fractions(rule: Rule, values: dict[str, object]) -> Rule:
    """Return the same rule with fractions as parameters, if it takes them."""
    try:
        exact: Rule = rule.set_params(**values)
    except InputError:
        return rule
    return exact


def _parse_value(value: str) -> object:
    """Read a value: a number as it is typed, a fraction, or a word.

    >>> _parse_value("0.1"), _parse_value("1/3"), _parse_value("inf"), _parse_value("full")
    (0.1, Fraction(1, 3), inf, 'full')
    """
    # Narrowest first: 1 is to stay an int, and only 1/3 needs a fraction.
    for kind in (int, float, Fraction):
        try:
            return kind(value)
        except (ValueError, ZeroDivisionError):
            continue
    return value


def _is_exact(options: TraceOptions, rule: Rule, schedule: Schedule | None) -> bool:
    """Tell whether the run is in fractions; square roots take floats, unless that is refused."""
    if options.exact is False or textbook.can_be_exact(rule, schedule):
        return options.exact is not False
    by_rule = not textbook.can_be_exact(rule)
    root = rules.name_of(rule) if by_rule else f"--schedule {options.schedule}"
    # Asked for in so many words: refused, where the default only falls back with a note.
    if options.exact:
        raise click.UsageError(
            f"--exact does not go with {root}, which takes square roots: use --float"
        )
    terminal.remark(f"{root} takes square roots, so the numbers are floats")
    return False


def _schedule(text: str | None) -> Schedule | None:
    """Read the schedule as train does; a number stays the fraction that was typed."""
    schedule = choices.parse_schedule(text)
    if not isinstance(schedule, Constant) or text == "constant":
        return schedule
    above, _, below = str(text).partition("/")
    exactly: Any = Fraction(above) / Fraction(below or 1)  # which the textbook takes as it is
    return Constant(exactly)


def _check(rule: Rule, schedule: Schedule | None, guards: Guards, options: TraceOptions) -> None:
    """Refuse what train refuses; but with --combine any rule that adds has a batch."""
    # The textbook can add up what any rule would do; compiled batches exist for some only.
    if options.combine and not rule.batch:
        return
    try:
        order = orders.resolve(options.order)
        compatibility.check_choices(Combination(rule, order, schedule, guards))
    except InputError as error:
        has_no_batch = error.topic == "rule-without-batch"
        after = ", or add --combine sum or --combine average" if has_no_batch else ""
        raise usage_error(error, after=after) from None


def _trace(data: Matrix, options: TraceOptions, setup: _Setup, style: str) -> Trace:
    textbook_rows.check_two_classes(data)
    names = list((data.remembered or {}).get("columns", ()))
    rows, names = mapping.map_rows(textbook_rows.to_lists(data), names, setup.map)
    return textbook.trace(
        rows,
        data.labels,
        setup.rule,
        order=options.order,
        combine=options.combine,
        theta=choices.parse_theta(options.theta),
        schedule=setup.schedule,
        guard=setup.guards or None,
        bias_feature=setup.bias,
        w=setup.start,
        exact=setup.exact,
        until=None if options.until == "none" else options.until,
        patient=options.patient,
        # Always fixed, so that a trace that is printed can be printed again.
        random_state=options.seed or 0,
        max_iter=options.epochs,
        keep=None if options.plot else _lines_kept(options, style),
        names=names,
    )


def _trace_kernel(
    data: Matrix, options: TraceOptions, setup: _Setup, style: str, chosen: Any
) -> Trace:
    textbook_rows.check_two_classes(data)
    keep = _lines_kept(options, style)
    return kernel.trace(
        textbook_rows.to_lists(data), data.labels, chosen, setup.bias, options, keep
    )


def _lines_kept(options: TraceOptions, style: str) -> tuple[int, int] | None:
    """Return how many of the first and of the last lines are printed; None for all."""
    lines = options.lines
    if lines is None:
        lines = LINES if style in _PEOPLE else 0
    # The beginning explains more than the end, so it gets two thirds.
    last = (lines + 1) // 3
    return (lines - last, last) if lines else None


def _shortened(trace: Trace, options: TraceOptions, style: str) -> Trace:
    kept = _lines_kept(options, style)
    return trace if kept is None else trace.shortened(*kept)


def _render(trace: Trace, style: str, output: str | None) -> str:
    if style == "markdown":
        return trace.markdown()
    if style == "json":
        return trace.json(indent=2 if output else None)
    if style == "csv":
        return trace.csv()
    return trace.text(terminal.width())


def _write(text: str, output: str | None) -> None:
    if output in (None, "-"):
        terminal.say(text.rstrip("\n"))
        return
    with replacing(str(output)) as temporary:
        # The same bytes on every system.
        Path(temporary).write_text(text, encoding="utf-8", newline="\n")
