"""What the theorems promise of the training, beside what occurred; asks for the training rows."""

from __future__ import annotations

from typing import Any

from hardlimit import evaluation
from hardlimit.exceptions import HardlimitError
from hardlimit.reports._markup import Markup, joined, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import note, table
from hardlimit.theory import bounds
from hardlimit.theory.bounds import Bounds, Bracket, Line, Part, Run

PLACE = 35
TITLE = "What the theorems promise of it"
PARTS = 8


def content(study: Study) -> Markup | None:
    """A table for each problem with a margin of its own; None without the training rows."""
    train = study.train
    if train is None or train.labels is None or study.many:
        return None
    try:
        found = bounds.of(
            study.model, train.examples, evaluation.match_labels(train.labels, study.classes)
        )
    except HardlimitError:  # labels of another training file; rows of another width
        return None
    parts = [
        _part(found.run, part, lines)
        for part, lines in zip(found.parts[:PARTS], found.lines[:PARTS], strict=True)
    ]
    return joined([*parts, _more(found), _broken(found)])


def _part(run: Run, part: Part, lines: Any) -> Markup:
    told = [line for line in lines if line.value is not None]
    radius = "unknown" if part.radius is None else f"{part.radius:.6g}"
    sentence = (
        f"Every training row lies within a radius of {radius}, the bias's feature included; the "
        f"largest margin gamma of any weights is {_bracket(part.gamma(run))}."
    )
    rows = [(line.name, _number(line.value), _number(line.count), _said(line)) for line in told]
    caption = f"Bounds of {part.name}" if part.name else "Bounds beside facts"
    head = ("theorem", ">promised", ">occurred", "of what")
    return joined(
        [
            tag("p", sentence),
            table(caption, head, rows) if rows else None,
            [note(text) for text in _unsaid(lines)],
        ]
    )


def _bracket(gamma: Bracket) -> str:
    if gamma.most == 0:
        return "0: no weights answer all training rows rightly"
    least = f"{gamma.least:.6g}" if gamma.least else "0"
    if gamma.most is None:
        return f"at least {least}" if gamma.least else "not known"
    return f"between {least} and {gamma.most:.6g}"


def _said(line: Line) -> str:
    who = f"; {line.comparator}" if line.comparator else ""
    return f"{line.of}: {line.formula}{who}"


def _unsaid(lines: Any) -> list[str]:
    """Why the others do not apply, once for each reason."""
    reasons: dict[str, list[str]] = {}
    for line in lines:
        if line.value is None:
            names = reasons.setdefault(line.reason, [])
            if line.name not in names:
                names.append(line.name)
    return [f"Not said: {', '.join(names)}: {why}." for why, names in reasons.items()]


def _number(value: float | None) -> str:
    """A bound on a count is cut down, since counts are whole.

    >>> _number(None), _number(1234.9), _number(0.25), _number(0), _number(3e9)
    ('–', '1,234', '0.25', '0', '3e+09')
    """
    if value is None:
        return "–"
    return f"{int(value + 1e-9):,}" if value == 0 or 1 <= value < 1e8 else f"{value:.4g}"


def _more(found: Bounds) -> Markup | None:
    left = len(found.parts) - PARTS
    return note(f"{left} more classes left out.") if left > 0 else None


def _broken(found: Bounds) -> Markup | None:
    """A theorem that does not hold: these are not the rows of the fit."""
    if not found.broken:
        return None
    return note(
        "More occurred than was promised: the training rows given are not those that the model "
        "learnt from."
    )
