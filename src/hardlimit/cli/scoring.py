"""From texts to labels and scores, the same for two classes and for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hardlimit.cli.models import Classifier


class Answer(NamedTuple):
    """What a model says of one text.

    ``score`` is that of the answer; with two classes that of the second class against the first.
    """

    label: Any
    score: float
    known_features: int | None
    classes: Sequence[Any]
    all_scores: Sequence[float]

    def scores(self) -> Iterator[tuple[Any, float]]:
        """Give each class with its score; of two classes, the first has the second's negative."""
        if len(self.classes) == 2 and len(self.all_scores) == 1:
            yield self.classes[0], 0.0 - self.all_scores[0]
            yield self.classes[1], self.all_scores[0]
        else:
            yield from zip(self.classes, self.all_scores, strict=True)


def answers(classifier: Classifier, examples: Any) -> list[Answer]:
    """Score examples; ties go to the first class, as everywhere."""
    classes = list(classifier.classes_)
    threshold = getattr(classifier, "threshold_", 0.0)
    found = []
    for scores in classifier.decision_function(examples).tolist():
        if isinstance(scores, float):
            label = classes[1] if scores > threshold else classes[0]
            found.append(Answer(label, scores, None, classes, (scores,)))
        else:
            best = max(range(len(scores)), key=scores.__getitem__)
            found.append(Answer(classes[best], scores[best], None, classes, scores))
    return found
