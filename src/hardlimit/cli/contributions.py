"""Showing what each term of a text added to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import models, terminal

if TYPE_CHECKING:
    from hardlimit.classifiers.explanation import Explanation

_BAR = 20


def show(explanation: Explanation) -> None:
    """Print the answer and a table of contributions, the largest first."""
    label, against = models.shown(explanation.label), models.shown(explanation.against)
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {explanation.score:+.3f} against {against})")
    if not explanation.known_features:
        terminal.say("  No term of this text is known to the model: the answer is its default.")
    terminal.say()
    for line in terminal.table((">contribution", "", "term", ">value"), _rows(explanation)):
        terminal.say(line)


def _rows(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    largest = max((abs(one.contribution) for one in explanation.terms), default=0.0)
    rows = [
        (
            f"{one.contribution:+.3f}",
            _bar(one.contribution, largest),
            one.term,
            f"{one.value:.3f}",
        )
        for one in explanation.terms
    ]
    left = explanation.known_features - len(explanation.terms)
    if left > 0:
        more = f"({terminal.count(left, 'more term')})"
        rows.append((f"{explanation.others:+.3f}", "", more, ""))
    rows.append((f"{explanation.intercept:+.3f}", "", "(intercept)", ""))
    total = f"{explanation.score:+.3f}"
    rows.append(("-" * len(total), "", "", ""))
    rows.append((total, "", f"score of {models.shown(explanation.label)}", ""))
    return rows


def _bar(contribution: float, largest: float) -> str:
    length = round(_BAR * abs(contribution) / largest) if largest else 0
    return ("+" if contribution > 0 else "-") * length


def plain(explanation: Explanation) -> dict[str, Any]:
    """Return the explanation as plain JSON; terms that were cut off are summed in ``others``."""
    return {
        "label": explanation.label,
        "against": explanation.against,
        "score": explanation.score,
        "intercept": explanation.intercept,
        "known_features": explanation.known_features,
        "terms": [
            {"term": one.term, "value": one.value, "contribution": one.contribution}
            for one in explanation.terms
        ],
        "others": explanation.others,
    }
