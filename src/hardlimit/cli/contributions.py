"""The contributions of the terms of a text to its score, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hardlimit.classifiers.model.explanation import split_words
from hardlimit.cli import terminal
from hardlimit.cli.json_output import Json
from hardlimit.foundation.formatting import format_label, format_signed

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation, TermContribution

# Fits a table with terms of usual length into 80 columns.
_BAR = 20
# Of the heaviest word: what is lighter is not coloured.
_FAINT = 0.1


def show(explanation: Explanation, threshold: Threshold | None = None) -> None:
    """Print the answer and a table of contributions, the heaviest first."""
    label, against = format_label(explanation.label), format_label(explanation.against)
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {format_signed(explanation.score, 3)} against {against})")
    if threshold is not None and threshold.value:
        second = format_label(threshold.label)
        # The threshold is one for the second class; the score belongs to the predicted one.
        score = explanation.score if explanation.label == threshold.label else -explanation.score
        example = "text" if explanation.thing == "term" else "row"
        needs = f"{second} needs more than {threshold.value:.4f}"
        terminal.say(f"  {needs}; this {example} has {score:.4f}")
    if not explanation.known_features:
        what = "The model knows no term of this text"
        if explanation.thing != "term":
            what = explanation.nothing.capitalize()
        terminal.say(f"  {what}: the label is its default.")
    terminal.say()
    # Sums over fragments count their terms in whole numbers; weights of features are floats.
    is_sum = any(isinstance(one.value, int) for one in explanation.terms)
    header = (">contribution", "", "word" if is_sum else explanation.thing, ">value")
    if is_sum:
        header = (*header[:3], ">terms")
    for line in terminal.table(header, _rows(explanation)):
        terminal.say(line)
    if explanation.blocks:
        terminal.heading("Blocks of terms")
        blocks = [
            (format_signed(b.contribution, 3), b.block, f"{b.n_terms:,}")
            for b in explanation.blocks
        ]
        for line in terminal.table((">contribution", "block", ">terms"), blocks):
            terminal.say(line)


def show_text(text: str, weights: dict[str, float], largest: float) -> None:
    """Print a text with the words that decided in colour, in bold those of the largest weights."""
    # Wrapped before it is coloured: codes of colours have no width.
    for line in text.splitlines():
        for part in terminal.wrapped(line) if line.strip() else [""]:
            pieces = split_words(part, weights)
            terminal.say("".join(_coloured(*piece, largest) for piece in pieces))


def _coloured(piece: str, weight: float, largest: float) -> str:
    if abs(weight) < _FAINT * largest or not weight:
        return terminal.escape_controls(piece)
    coloured = terminal.paint(terminal.escape_controls(piece), "green" if weight > 0 else "red")
    return terminal.paint(coloured, "bold") if abs(weight) > largest / 2 else coloured


class Threshold(NamedTuple):
    """The value that a score for the second of two classes must exceed."""

    label: object
    value: float


def _heaviest_first(explanation: Explanation) -> list[TermContribution]:
    # By the term among equals: the table is the same in whatever order the terms come.
    return sorted(explanation.terms, key=lambda one: (-abs(one.contribution), one.term))


def _rows(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    largest = max((abs(one.contribution) for one in explanation.terms), default=0.0)
    rows = [
        (
            format_signed(one.contribution, 3),
            _bar(one.contribution, largest),
            one.term,
            f"{one.value}" if isinstance(one.value, int) else f"{one.value:.3f}",
        )
        for one in _heaviest_first(explanation)
    ]
    left = explanation.known_features - len(explanation.terms)
    if left > 0:
        more = f"({terminal.plural(left, f'more {explanation.thing}')})"
        rows.append((format_signed(explanation.others, 3), "", more, ""))
    rows.append((format_signed(explanation.intercept, 3), "", "(intercept)", ""))
    total = format_signed(explanation.score, 3)
    # A line as under an addition: the numbers above add up to the one below.
    rows.append(("-" * len(total), "", "", ""))
    rows.append((total, "", f"score of {format_label(explanation.label)}", ""))
    return rows


def _bar(contribution: float, largest: float) -> str:
    # All may be 0, and then none is a share of the largest.
    length = round(_BAR * abs(contribution) / largest) if largest else 0
    return ("+" if contribution > 0 else "-") * length


def to_json(explanation: Explanation, threshold: Threshold | None = None) -> Json:
    """Return the explanation as JSON; terms that were cut off are summed in ``others``."""
    return {
        "label": explanation.label,
        "against": explanation.against,
        "score": explanation.score,
        "threshold": threshold.value if threshold else None,
        "intercept": explanation.intercept,
        "known_features": explanation.known_features,
        "terms": [
            {"term": one.term, "value": one.value, "contribution": one.contribution}
            for one in _heaviest_first(explanation)
        ],
        "others": explanation.others,
        "blocks": [
            {"block": one.block, "terms": one.n_terms, "contribution": one.contribution}
            for one in explanation.blocks
        ],
    }
