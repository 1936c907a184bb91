"""The columns of answers beside those of the input: their names and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import SEPARATOR
from hardlimit.predictions.showing import Showing, Shown, WantedColumns

if TYPE_CHECKING:
    from hardlimit.predictions.telling import TellingTerm

Value = str | int | float | bool | list[Any] | None


def separator_of(answerer: Answerer, asked: str | None) -> str:
    """Return what stands between labels: what is asked for, else as in the training file."""
    remembered = describing.layout_of(answerer.metadata).get("labels_separator")
    return asked or remembered or SEPARATOR


def format_labels(label: object, separator: str = f"{SEPARATOR} ") -> str:
    """Return a label for people, or several.

    >>> format_labels("sport"), format_labels(("sport", "price"))
    ('sport', 'sport, price')
    """
    return (
        separator.join(map(format_label, label))
        if isinstance(label, tuple)
        else format_label(label)
    )


def agree(one: object, other: object) -> bool:
    """Tell whether two labels are the same, or two tuples of labels in any order."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return set(one) == set(other)
    return bool(one == other)


def labels_to_json(label: object) -> Any:
    """Return a label as JSON has it; several as a list."""
    if isinstance(label, tuple):
        return [label_to_json(one) for one in label]
    return label_to_json(label)


class AnswerColumns:
    """What stands beside a row: the names of the columns, and their values of an answer.

    in_one_cell : whether what is several (labels, terms) is one text, as CSV wants it, and not a
    list.
    """

    def __init__(
        self,
        answerer: Answerer,
        showing: Showing,
        wanted: WantedColumns,
        *,
        in_one_cell: bool = False,
    ) -> None:
        self._counted, self._scores = answerer.form.counted, wanted.scores
        self._labels = answerer.labels
        self._separator = separator_of(answerer, wanted.separator) if in_one_cell else None
        places = range(1, min(wanted.top or 0, len(answerer.classes)) + 1)
        self.names = [
            *answerer.labels.names(answerer.classes),
            *answerer.labels.names_of_scores(),
            *(
                answerer.labels.names_of_probabilities(answerer.classes)
                if showing.probability
                else []
            ),
            *(name for n in places for name in (f"label_{n}", f"{showing.top_name}_{n}")),
            *self._counted,
            *(
                [f"score_{format_label(label)}" for label in answerer.classes]
                if self._scores
                else []
            ),
            *(["terms"] if wanted.explain is not None else []),
        ]
        self._in_one_cell = in_one_cell

    def values(self, shown: Shown) -> list[Value]:
        """Return the values of an answer."""
        answer = shown.answer
        values: list[Value] = self._labels.cells(shown.label, self._separator)
        values += [shorten(answer.score) for _ in self._labels.names_of_scores()]
        values += map(shorten, shown.probabilities)
        for label, value in shown.top:
            values += [label_to_json(label), shorten(value)]
        values += [answer.known_features] * len(self._counted)
        values += [shorten(x) for _, x in answer.scores()] if self._scores else []
        if shown.terms is not None:
            values.append(format_terms(shown.terms, self._in_one_cell))
        return values


def format_terms(terms: Sequence[TellingTerm], in_one_cell: bool) -> Value:
    """Return telling terms as one text, or as JSON has them."""
    from hardlimit.predictions import telling  # start-up: answers do without

    return telling.to_text(terms) if in_one_cell else telling.to_json(terms)


def shorten(score: float) -> float:
    """Round a score for a table: more than six places are noise to those who read it."""
    # + 0.0 turns -0.0 into 0.0.
    return round(score, 6) + 0.0
