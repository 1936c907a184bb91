"""The table of bounds, for people."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit.theory.bounds._run import Line, Part, Run


def as_text(run: Run, parts: Sequence[Part], lines: Sequence[Sequence[Line]]) -> str:
    """What was run; then for each part radius, gamma, and promise beside occurrence."""
    text = [_heading(run, parts)]
    for part, said in zip(parts, lines, strict=True):
        if part.name:
            text += ["", f"neuron '{part.name}': {_count(part.corrections, 'correction')}"]
        text += [*_geometry(run, part), "", *_table([line for line in said if _tells(line)])]
        text += _unsaid([line for line in said if not _tells(line)])
    return "\n".join(text)


def _tells(line: Line) -> bool:
    return line.value is not None or line.at_best is not None


def _unsaid(lines: Sequence[Line]) -> list[str]:
    """What does not apply, once for each reason."""
    reasons: dict[str, list[str]] = {}
    for line in lines:
        names = reasons.setdefault(line.reason, [])
        if line.name not in names:
            names.append(line.name)
    return [f"not said: {'; '.join(names)}: {reason}" for reason, names in reasons.items()]


def _heading(run: Run, parts: Sequence[Part]) -> str:
    rows = "" if run.n_rows is None else f", {_count(run.n_rows, 'row')}"
    classes = f", {run.n_classes} classes {run.scheme}" if run.scheme != "single" else ""
    how = f"{run.rule_name}, order {run.order}{rows}{classes}"
    corrections = sum(part.corrections for part in parts)
    when = f" in {_count(run.epochs, 'epoch')}" if run.epochs else ""
    told = f"{how}: {run.stop_reason}{when}; {_count(corrections, 'correction')}"
    known = [part.mistakes for part in parts if part.mistakes is not None]
    if len(known) == len(parts):
        told += f", {_count(sum(known), 'mistake')}"
    return told


def _geometry(run: Run, part: Part) -> list[str]:
    gamma = part.gamma(run)
    doubled = " times the root of 2: Kesler's rows" if run.scheme == "coupled" else ""
    radius = "not known" if part.radius is None else f"{part.radius:.6g}"
    found = [f"radius  {radius}  max ||x||, the bias's feature included{doubled}"]
    where = "; ".join(dict.fromkeys(how for how in (gamma.from_below, gamma.from_above) if how))
    found.append(f"gamma   {gamma}  {where}".rstrip())
    return found


def _table(lines: Sequence[Line]) -> list[str]:
    if not lines:
        return []
    rows = [("", "promised", "occurred", "")]
    rows += [(line.name, _promised(line), _number(line.count), _said(line)) for line in lines]
    widths = [max(len(row[c]) for row in rows) for c in range(3)]
    return [
        f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows
    ]


def _promised(line: Line) -> str:
    if line.value is None and line.at_best is not None:
        return f">= {_number(line.at_best)}"
    return _number(line.value)


def _number(value: float | None) -> str:
    """A count as it is; a bound cut down, since counts are whole.

    >>> _number(None), _number(1234), _number(9.000000001), _number(0.25), _number(1e9)
    ('-', '1,234', '9', '0.25', '1e+09')
    """
    if value is None:
        return "-"
    if value != 0 and (abs(value) < 1 or abs(value) >= 1e8):
        return f"{value:.4g}"
    return f"{int(value + 1e-9):,}"


def _said(line: Line) -> str:
    who = f"; {line.comparator}" if line.comparator else ""
    why = f"; {line.reason}" if line.reason else ""
    return f"{line.of}: {line.formula}{who}{why}"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"
