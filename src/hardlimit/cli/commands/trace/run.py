"""The work of ``hardlimit trace``: read, learn by the textbook's code, print each step."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

import hardlimit  # whose pictures are imported where they are asked for
from hardlimit import naming, orders, rules, textbook
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.cli import choices, outputs, plots, starts, terminal, textbook_rows
from hardlimit.cli.commands.trace import kernel, promises
from hardlimit.cli.errors import usage_error
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.rules.perceptron import Perceptron

if TYPE_CHECKING:
    from hardlimit.cli.commands.trace.command import TraceOptions
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.guards import Guards
    from hardlimit.maps import FeatureMap
    from hardlimit.orders import Order
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
    order: Order
    schedule: Schedule | None
    guards: Guards
    bias: Fraction | None
    exact: bool
    start: list[Fraction] | None
    map: FeatureMap | None


def run(options: TraceOptions) -> None:
    """Trace as the options say."""
    outputs.refuse_inputs(options.output, options.source)
    plots.check(options.plot, options.output, options.source)
    if options.picture != "steps" and not options.plot:
        raise click.UsageError("--picture says what --plot FILE draws, which is missing")
    # Before reading: a wrong extension is a slip that need not wait.
    style = options.style or _style_of(options.output)
    chosen = kernel.check(options)
    setup = _set_up(options)
    promises.check(options, setup.rule, setup.order, style)
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
            _draw(trace, options.plot, data.name, options.picture)
            # Only now: the picture needs every correction, the table the first and last.
            trace = _shortened(trace, options, style)
        progress.stage("writing the table")
        text = _render(trace, style, options.output)
        if options.bounds:
            text = f"{text.rstrip()}\n\n{promises.describe(trace)}\n"
    _write(text, options.output)


def _set_up(options: TraceOptions) -> _Setup:
    """Make what the options name, and refuse what does not go together."""
    rule = options.rule or Perceptron()
    if options.exact is False:
        rule = rule.set_params(**{name: _rounded(one) for name, one in rule.get_params().items()})
    order = options.order or orders.Cyclic()
    schedule = options.schedule
    guards = choices.order_guards(options.guard)
    _check(rule, order, schedule, guards)
    exact = _is_exact(options, rule, schedule)
    start = _start(rule, guards, options)
    return _Setup(
        rule,
        order,
        schedule,
        guards,
        textbook_rows.parse_bias(options.bias_feature),
        exact,
        start,
        options.map,
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


def _rounded(value: object) -> object:
    return float(value) if isinstance(value, Fraction) else value


def _is_exact(options: TraceOptions, rule: Rule, schedule: Schedule | None) -> bool:
    """Tell whether the run is in fractions; square roots take floats, unless that is refused."""
    if options.exact is False or textbook.can_be_exact(rule, schedule):
        return options.exact is not False
    by_rule = not textbook.can_be_exact(rule)
    root = rules.name_of(rule) if by_rule else f"--schedule {naming.name_choice(schedule)}"
    # Asked for in so many words: refused, where the default only falls back with a note.
    if options.exact:
        raise click.UsageError(
            f"--exact does not go with {root}, which takes square roots: use --float"
        )
    terminal.remark(f"{root} takes square roots, so the numbers are floats")
    return False


def _check(rule: Rule, order: Order, schedule: Schedule | None, guards: Guards) -> None:
    """Refuse what train refuses; but with combine= any rule that adds has a batch."""
    # The textbook can add up what any rule would do; compiled batches exist for some only.
    if getattr(order, "combine", None) and not rule.batch:
        return
    try:
        compatibility.check_choices(Combination(rule, order, schedule, guards))
    except InputError as error:
        has_no_batch = error.topic == "rule-without-batch"
        after = ", or name a combination, as --order batch:combine=sum" if has_no_batch else ""
        raise usage_error(error, after=after) from None


def _trace(data: Labelled, options: TraceOptions, setup: _Setup, style: str) -> Trace:
    textbook_rows.check_two_classes(data)
    names = list((data.remembered or {}).get("columns", ()))
    rows, names = textbook_rows.map_rows(textbook_rows.to_lists(data), names, setup.map)
    return textbook.trace(
        rows,
        data.labels,
        setup.rule,
        order=setup.order,
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
    data: Labelled, options: TraceOptions, setup: _Setup, style: str, chosen: object
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


def _draw(trace: Trace, path: str, name: str, picture: str) -> None:
    """Draw a picture of a trace of the file ``name``."""
    weights = len(trace.outcome.w)
    if picture == "criterion-surfaces" and weights != 2:
        raise click.UsageError(
            f"--picture {picture} draws two weights, and the trace has {weights}: trace two "
            "columns with --bias none, or one column"
        )
    try:
        make = hardlimit.pictures.PICTURES.find(picture.replace("-", "_"))
        make(trace).save(path)
    except InputError as error:
        raise error.replaced(where=f"{name}: --plot") from None


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
