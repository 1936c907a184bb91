"""The contributions of the terms of a text to its score, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hardlimit.cli import terminal
from hardlimit.cli.json_output import Json
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation, TermContribution
    from hardlimit.classifiers.model.text_answer import TextAnswer

# Fits a table with terms of usual length into 80 columns.
_BAR = 20
_HEADER = (">contribution", "", "term", ">value")


def show(explanation: Explanation, threshold: Threshold | None = None) -> None:
    """Print the answer and a table of contributions, the heaviest first."""
    label, against = format_label(explanation.label), format_label(explanation.against)
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {explanation.score:+.3f} against {against})")
    if threshold is not None and threshold.value:
        second = format_label(threshold.label)
        # The threshold is one for the second class; the score belongs to the predicted one.
        score = explanation.score if explanation.label == threshold.label else -explanation.score
        terminal.say(f"  {second} needs more than {threshold.value:.4f}; this text has {score:.4f}")
    if not explanation.known_features:
        terminal.say("  The model knows no term of this text: the label is its default.")
    terminal.say()
    # Sums over fragments count their terms in whole numbers; weights of features are floats.
    is_sum = any(isinstance(one.value, int) for one in explanation.terms)
    header = (">contribution", "", "word", ">terms") if is_sum else _HEADER
    for line in terminal.table(header, _rows(explanation)):
        terminal.say(line)


class Threshold(NamedTuple):
    """The value that a score for the second of two classes must exceed."""

    label: object
    value: float


def threshold_of(answer: TextAnswer) -> Threshold | None:
    """Return the decision threshold of a model of two classes."""
    if answer.n_outputs != 1 or len(answer.classes) < 2:
        return None
    return Threshold(answer.classes[1], answer.threshold)


def _heaviest_first(explanation: Explanation) -> list[TermContribution]:
    # By the term among equals: the table is the same in whatever order the terms come.
    return sorted(explanation.terms, key=lambda one: (-abs(one.contribution), one.term))


def _rows(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    largest = max((abs(one.contribution) for one in explanation.terms), default=0.0)
    rows = [
        (
            f"{one.contribution:+.3f}",
            _bar(one.contribution, largest),
            one.term,
            f"{one.value}" if isinstance(one.value, int) else f"{one.value:.3f}",
        )
        for one in _heaviest_first(explanation)
    ]
    left = explanation.known_features - len(explanation.terms)
    if left > 0:
        more = f"({terminal.plural(left, 'more term')})"
        rows.append((f"{explanation.others:+.3f}", "", more, ""))
    rows.append((f"{explanation.intercept:+.3f}", "", "(intercept)", ""))
    total = f"{explanation.score:+.3f}"
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
    }
