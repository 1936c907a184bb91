"""Showing what each term of a text added to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import terminal

if TYPE_CHECKING:
    from hardlimit.classifiers import Explanation

_BAR = 20


def show(explanation: Explanation, top: int) -> None:
    """Print the answer and a table of contributions, the largest first."""
    label, against = (terminal.harmless(str(x)) for x in (explanation.label, explanation.against))
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {explanation.score:.3f}, against {against})")
    if not explanation.known_features:
        terminal.say("  No term of this text is known to the model: the answer is its default.")
    terminal.say()
    shown, rest = explanation.terms[:top], explanation.terms[top:]
    rows = [(term, value, contribution) for term, value, contribution in shown]
    others = sum(contribution for _, _, contribution in rest)
    largest = max((abs(c) for _, _, c in rows), default=0.0)
    cells = [
        (f"{contribution:+.3f}", _bar(contribution, largest), term, f"{value:.3f}")
        for term, value, contribution in rows
    ]
    if rest:
        cells.append((f"{others:+.3f}", "", f"({terminal.count(len(rest), 'more term')})", ""))
    cells.append((f"{explanation.intercept:+.3f}", "", "(intercept)", ""))
    total = f"{explanation.score:+.3f}"
    cells += [("-" * len(total), "", "", ""), (total, "", f"score of {label}", "")]
    for line in terminal.table((">contribution", "", "term", ">value"), cells):
        terminal.say(line)


def _bar(contribution: float, largest: float) -> str:
    length = round(_BAR * abs(contribution) / largest) if largest else 0
    return ("+" if contribution > 0 else "-") * length


def plain(explanation: Explanation, top: int | None) -> dict[str, Any]:
    """Return the explanation as plain JSON; what ``top`` leaves out is in ``others``."""
    shown = explanation.terms if top is None else explanation.terms[:top]
    rest = explanation.terms[len(shown) :]
    return {
        "label": explanation.label,
        "against": explanation.against,
        "score": explanation.score,
        "intercept": explanation.intercept,
        "known_features": explanation.known_features,
        "terms": [
            {"term": term, "value": value, "contribution": contribution}
            for term, value, contribution in shown
        ],
        "others": sum(contribution for _, _, contribution in rest),
    }
