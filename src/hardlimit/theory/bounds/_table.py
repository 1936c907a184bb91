"""The table of bounds, for people."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit.foundation.formatting import plural
from hardlimit.theory.bounds._run import Line, MarginProblem, ModelRun


def render_table(
    run: ModelRun, parts: Sequence[MarginProblem], lines: Sequence[Sequence[Line]]
) -> str:
    """Render what was run; then for each part radius, gamma, and promise beside occurrence."""
    text = [_heading(run, parts)]
    for part, part_lines in zip(parts, lines, strict=True):
        if part.name:
            text += ["", f"neuron '{part.name}': {plural(part.corrections, 'correction')}"]
        known = [line for line in part_lines if _has_number(line)]
        text += [*_geometry(run, part), "", *_table(known)]
        text += _list_inapplicable([line for line in part_lines if not _has_number(line)])
    return "\n".join(text)


def _has_number(line: Line) -> bool:
    return line.value is not None or line.at_best is not None


def _list_inapplicable(lines: Sequence[Line]) -> list[str]:
    """What does not apply, once for each reason."""
    reasons: dict[str, list[str]] = {}
    for line in lines:
        names = reasons.setdefault(line.reason, [])
        if line.name not in names:
            names.append(line.name)
    return [f"not said: {'; '.join(names)}: {reason}" for reason, names in reasons.items()]


def _heading(run: ModelRun, parts: Sequence[MarginProblem]) -> str:
    rows = "" if run.n_rows is None else f", {plural(run.n_rows, 'row')}"
    classes = (
        f", {plural(run.n_classes, 'class', 'classes')} {run.scheme}"
        if run.scheme != "single"
        else ""
    )
    how = f"{run.rule_name}, order {run.order}{rows}{classes}"
    corrections = sum(part.corrections for part in parts)
    when = f" in {plural(run.epochs, 'epoch')}" if run.epochs else ""
    heading = f"{how}: {run.stop_reason}{when}; {plural(corrections, 'correction')}"
    known = [part.mistakes for part in parts if part.mistakes is not None]
    if len(known) == len(parts):
        heading += f", {plural(sum(known), 'mistake')}"
    return heading


def _geometry(run: ModelRun, part: MarginProblem) -> list[str]:
    gamma = part.gamma(run)
    doubled = " times the root of 2: Kesler's rows" if run.scheme == "coupled" else ""
    radius = "not known" if part.radius is None else f"{part.radius:.6g}"
    lines = [f"radius  {radius}  max ||x||, the bias's feature included{doubled}"]
    where = "; ".join(dict.fromkeys(how for how in (gamma.from_below, gamma.from_above) if how))
    lines.append(f"gamma   {gamma}  {where}".rstrip())
    return lines


def _table(lines: Sequence[Line]) -> list[str]:
    if not lines:
        return []
    rows = [("", "promised", "occurred", "")]
    rows += [
        (line.name, _format_promise(line), _format_number(line.count), _describe(line))
        for line in lines
    ]
    widths = [max(len(row[c]) for row in rows) for c in range(3)]
    return [
        f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows
    ]


def _format_promise(line: Line) -> str:
    if line.value is None and line.at_best is not None:
        return f">= {_format_number(line.at_best)}"
    return _format_number(line.value)


def _format_number(value: float | None) -> str:
    """A count as it is; a bound cut down, since counts are whole.

    >>> [_format_number(value) for value in (None, 1234, 9.000000001, 0.25, 1e9)]
    ['-', '1,234', '9', '0.25', '1e+09']
    """
    if value is None:
        return "-"
    if value != 0 and (abs(value) < 1 or abs(value) >= 1e8):
        return f"{value:.4g}"
    return f"{int(value + 1e-9):,}"


def _describe(line: Line) -> str:
    who = f"; {line.comparator}" if line.comparator else ""
    why = f"; {line.reason}" if line.reason else ""
    return f"{line.of}: {line.formula}{who}{why}"
