"""Showing what each term of a text added to its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.classifiers.model.explanation import share_among_words as share_among_words
from hardlimit.cli import models, terminal

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation, TermContribution
    from hardlimit.classifiers.model.text_answer import TextAnswer

_BAR = 20
_HEADER = (">contribution", "", "term", ">value")


def show(explanation: Explanation, bar: Bar | None = None) -> None:
    """Print the answer and a table of contributions, the heaviest first."""
    label, against = (
        models.format_label(explanation.label),
        models.format_label(explanation.against),
    )
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {explanation.score:+.3f} against {against})")
    if bar is not None and bar.threshold:
        second = models.format_label(bar.label)
        has = explanation.score if explanation.label == bar.label else -explanation.score
        terminal.say(f"  {second} needs more than {bar.threshold:.4f}; this text has {has:.4f}")
    if not explanation.known_features:
        terminal.say("  No term of this text is known to the model: the answer is its default.")
    terminal.say()
    is_sum = any(isinstance(one.value, int) for one in explanation.terms)
    header = (">contribution", "", "word", ">terms") if is_sum else _HEADER
    for line in terminal.table(header, _rows(explanation)):
        terminal.say(line)


class Bar(NamedTuple):
    """What a score for the second of two classes must exceed."""

    label: Any
    threshold: float


def bar_of(answer: TextAnswer) -> Bar | None:
    """Return the decision threshold of a model of two classes."""
    if answer.n_outputs != 1 or len(answer.classes) < 2:
        return None
    return Bar(answer.classes[1], answer.threshold)


def _heaviest_first(explanation: Explanation) -> list[TermContribution]:
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
    rows.append(("-" * len(total), "", "", ""))
    rows.append((total, "", f"score of {models.format_label(explanation.label)}", ""))
    return rows


def _bar(contribution: float, largest: float) -> str:
    length = round(_BAR * abs(contribution) / largest) if largest else 0
    return ("+" if contribution > 0 else "-") * length


def plain(explanation: Explanation, bar: Bar | None = None) -> dict[str, Any]:
    """Return the explanation as plain JSON; terms that were cut off are summed in ``others``."""
    return {
        "label": explanation.label,
        "against": explanation.against,
        "score": explanation.score,
        "threshold": bar.threshold if bar else None,
        "intercept": explanation.intercept,
        "known_features": explanation.known_features,
        "terms": [
            {"term": one.term, "value": one.value, "contribution": one.contribution}
            for one in _heaviest_first(explanation)
        ],
        "others": explanation.others,
    }
