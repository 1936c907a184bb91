"""What the theorems promise of the training, beside what occurred; asks for the training rows."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit import evaluation
from hardlimit.exceptions import HardlimitError
from hardlimit.reports._markup import Markup, join, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import render_note, render_table
from hardlimit.theory import bounds
from hardlimit.theory.bounds import Bounds, Bracket, Line, MarginProblem, ModelRun

PLACE = 35
TITLE = "Mistake bounds from theory"
BACKGROUND = True
PARTS = 8


def content(study: Study) -> Markup | None:
    """Render a table for each problem with a margin; None without the training rows."""
    train = study.train
    if train is None or train.labels is None or study.has_label_sets:
        return None
    try:
        result = bounds.of(
            study.model, train.examples, evaluation.match_labels(train.labels, study.classes)
        )
    except HardlimitError:  # labels of another training file; rows of another width
        return None
    parts = [
        _render_part(result.run, part, lines)
        for part, lines in zip(result.parts[:PARTS], result.lines[:PARTS], strict=True)
    ]
    return join([*parts, _remark_on_more(result), _remark_on_broken(result)])


def _render_part(run: ModelRun, part: MarginProblem, lines: Sequence[Line]) -> Markup:
    applicable = [line for line in lines if line.value is not None]
    radius = "unknown" if part.radius is None else f"{part.radius:.6g}"
    sentence = (
        f"Every training row lies within a radius of {radius} (bias feature included); the largest "
        f"margin that any weights reach, gamma, is {_format_bracket(part.gamma(run))}."
    )
    rows = [
        (line.name, _format_bound(line.value), _format_bound(line.count), _describe_line(line))
        for line in applicable
    ]
    caption = f"Bounds of {part.name}" if part.name else "Bounds and what happened"
    head = ("theorem", ">bound", ">actual", "of what")
    return join(
        [
            tag("p", sentence),
            render_table(caption, head, rows) if rows else None,
            [render_note(text) for text in _list_inapplicable(lines)],
        ]
    )


def _format_bracket(gamma: Bracket) -> str:
    if gamma.most == 0:
        return "0: no weights are correct on all training rows"
    least = f"{gamma.least:.6g}" if gamma.least else "0"
    if gamma.most is None:
        return f"at least {least}" if gamma.least else "not known"
    return f"between {least} and {gamma.most:.6g}"


def _describe_line(line: Line) -> str:
    who = f"; {line.comparator}" if line.comparator else ""
    return f"{line.of}: {line.formula}{who}"


def _list_inapplicable(lines: Sequence[Line]) -> list[str]:
    """List why the others do not apply, once for each reason."""
    reasons: dict[str, list[str]] = {}
    for line in lines:
        if line.value is None:
            names = reasons.setdefault(line.reason, [])
            if line.name not in names:
                names.append(line.name)
    return [f"Not applicable: {', '.join(names)}: {why}." for why, names in reasons.items()]


def _format_bound(value: float | None) -> str:
    """Return a bound on a count, cut down to whole numbers.

    >>> [_format_bound(value) for value in (None, 1234.9, 0.25, 0, 3e9)]
    ['–', '1,234', '0.25', '0', '3e+09']
    """
    if value is None:
        return "–"
    # 1e-9: a bound of 9 that is computed as 8.999... allows nine
    return f"{int(value + 1e-9):,}" if value == 0 or 1 <= value < 1e8 else f"{value:.4g}"


def _remark_on_more(result: Bounds) -> Markup | None:
    left = len(result.parts) - PARTS
    return render_note(f"{left} more classes are not shown.") if left > 0 else None


def _remark_on_broken(result: Bounds) -> Markup | None:
    """Say so where a theorem does not hold: these are not the rows of the fit."""
    if not result.broken:
        return None
    return render_note(
        "A bound is exceeded: the training rows given are not those that the model learnt from."
    )
