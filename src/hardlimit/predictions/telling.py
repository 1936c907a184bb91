"""The terms that tell most for an answer, to stand beside it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit import describing
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import RowAnswer

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.examples._protocol import Examples


class TellingTerm(NamedTuple):
    """A term and what it adds to the score of the label; ``label``: of one of several."""

    term: str
    contribution: float
    label: Any = None


class Teller:
    """Finds the terms that add most to the score of an answer, or take most from it.

    most : so many of an answer, of several labels so many of each.    where : what errors call the
    model.
    """

    def __init__(self, answerer: Answerer, most: int, where: str = "") -> None:
        self._answerer, self._most = answerer, most
        self._names = names_of_columns(describing.layout_of(answerer.metadata))
        answerer.check_explained(where)

    def tell(self, answers: Sequence[RowAnswer], examples: Examples) -> Iterator[list[TellingTerm]]:
        """Yield the terms of each answer, the heaviest first."""
        for place, answer in enumerate(answers):
            example = examples.example(place)
            terms: list[TellingTerm] = []
            for label in self._answerer.labels.told(answer):
                found = self._explain(example, label)
                # Another threshold than that of the model may have decided otherwise.
                turned = label is None and found.label != answer.label
                terms += [TellingTerm(*one, label) for one in _pairs(found, -1 if turned else 1)]
            yield terms

    def _explain(self, example: Any, label: Hashable | None) -> Explanation:
        form, whole = self._answerer.form, self._answerer.explain(example, label)
        named = form.renamed(whole, self._names)
        return form.share(named, form.texts_of(example), self._most)


def names_of_columns(layout: Mapping[str, Any]) -> dict[str, str]:
    """Return how the file of the training calls its columns, by the names that explain gives."""
    n_features = layout.get("n_features", len(layout.get("columns") or ()))
    names = describing.columns_of_file(layout, n_features)
    shown = names if layout.get("columns") else [f"column {name}" for name in names]
    return {f"column {i}": name for i, name in enumerate(shown)}


def _pairs(found: Explanation, sign: int) -> list[tuple[str, float]]:
    return [(one.term, sign * one.contribution) for one in found.terms]


def to_json(terms: Sequence[TellingTerm]) -> list[dict[str, Any]]:
    """Return terms as JSON has them.

    >>> to_json([TellingTerm("prize", 0.5)]), to_json([TellingTerm("goal", 0.25, "sport")])
    ([{'term': 'prize', 'contribution': 0.5}],
     [{'label': 'sport', 'term': 'goal', 'contribution': 0.25}])
    """
    return [
        ({} if one.label is None else {"label": label_to_json(one.label)})
        | {"term": one.term, "contribution": round(one.contribution, 6) + 0.0}
        for one in terms
    ]


def to_text(terms: Sequence[TellingTerm]) -> str:
    """Return terms for one cell.

    >>> to_text([TellingTerm("prize", 0.5), TellingTerm("lunch", -0.125)])
    'prize +0.500, lunch -0.125'
    >>> to_text([TellingTerm("goal", 0.25, "sport"), TellingTerm("win", 0.5, "price")])
    'sport: goal +0.250; price: win +0.500'
    """
    by_label: dict[Any, list[str]] = {}
    for one in terms:
        by_label.setdefault(one.label, []).append(f"{one.term} {one.contribution:+.3f}")
    return "; ".join(
        ("" if label is None else f"{format_label(label)}: ") + ", ".join(some)
        for label, some in by_label.items()
    )
