"""From examples to labels and scores: the same for fresh and saved models, texts and numbers."""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import classifiers, describing, model_file
from hardlimit.classifiers.model.forms import ONE_TEXT, ROW_OF_NUMBERS, NumbersForm
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import check_threshold
from hardlimit.predictions.label_answers import ONE_LABEL, RowAnswer, answers_of

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.classifiers.model.text_answer import TextAnswer
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.evaluation.calibration import Slope
    from hardlimit.examples._protocol import Examples
    from hardlimit.live.model import LiveModel
    from hardlimit.model_file import ModelFile

    Classifier = TextClassifier | LinearClassifier

_INTERCEPT = "(intercept)"  # among the terms of a live model
_AT_ONCE = 1024  # texts between two reports of progress


class Fitted:
    """A classifier in memory.

    counting : whether the features that the model knows are counted in each example.
    """

    def __init__(self, classifier: Classifier, *, counting: bool = False) -> None:
        self.classifier = classifier
        # Python's own values: numpy's may print as np.str_('spam').
        self.classes = list(classifier.classes_.tolist())
        self.metadata = classifier.metadata
        book = classifier.fitted.classes
        self.labels = answers_of(book)
        self.form = classifier.fitted.form
        self._counted = self.form if counting else ROW_OF_NUMBERS  # of which nothing is counted
        self.unknown: Counter[tuple[str, str]] = Counter()
        # With two classes, a score above it means the second; of several labels, the label.
        self.threshold = float(classifier.threshold_)

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores, if the model has it."""
        return self.classifier.fitted.slope

    @property
    def votes(self) -> bool:
        """Whether many hypotheses answer, of which none has the weights."""
        return self.classifier.fitted.votes is not None

    @property
    def n_columns(self) -> int:
        """How many numbers a row has."""
        classifier: Any = self.classifier
        return int(classifier.n_features_in_)

    def explain(
        self, example: object, label: Hashable | None = None, against: Hashable | None = None
    ) -> Explanation:
        """Return what each term or column adds; of several labels to that of one of them."""
        classifier: Any = self.classifier
        told = self.labels.explained(label)
        found: Explanation = classifier.explain(example, against=against, **told)
        return found

    def check_explained(self, where: str) -> None:
        """Refuse votes, whose answers no sum of terms explains; ``where`` is the model."""
        if self.votes:
            raise InputError(
                "this model answers by a vote, which has no single weight for a term",
                where=where,
                fix="to explain answers, train with --readout averaged or last",
            )

    def answers(self, examples: Examples) -> list[RowAnswer]:
        """Answer each example; the categories that the model does not know are counted."""
        threshold = self.threshold
        given: Any = examples
        found = self.classifier.decision_function(given).tolist()
        rows = [scores if isinstance(scores, list) else [scores] for scores in found]
        model, form = self.classifier.fitted, self._counted
        known = form.known(model, examples)
        for name, values in form.unknown(model).items():
            self.unknown.update({(name, value): n for value, n in values.items()})
        answer, pairs = self.labels.answer, zip(rows, known, strict=True)
        return [answer(self.classes, threshold, scores, count) for scores, count in pairs]

    def decide_by(self, threshold: float | None) -> None:
        """Let the classifier itself decide by a threshold."""
        decide_by(self.classifier, threshold)

    def is_default(self, answer: RowAnswer) -> bool:
        """Whether an answer is the default, of an example of which the model knows nothing."""
        return self.form.is_default(answer.known_features)

    def check_cost_of_all(self, n_rows: int) -> None:
        """Refuse votes on so many rows, which would each be allowed in small batches."""
        answer: Any = self.classifier.fitted.answer
        if answer.cost(n_rows):
            answer.check_cost(n_rows)

    def check_cost(self, n_rows: int) -> None:
        """Refuse more rows than their budget allows, which else holds for each batch alone."""
        # Late: only votes have a cost to check, and all other answers start without read-outs.
        from hardlimit import readouts

        cost = self.classifier.fitted.answer.cost(n_rows)
        if cost > readouts.VOTING_BUDGET:
            raise InputError(
                f"the votes on {plural(n_rows, 'row')} take about {cost:.1e} multiply-adds, more "
                f"than the limit of {readouts.VOTING_BUDGET:.1e}",
                fix=(
                    "ask about fewer rows at a time, or train with ",
                    Setting("readout", "averaged"),
                ),
            )


class Costless:
    """Answers of the same cost whatever the number of rows; no category is counted."""

    votes = False
    n_columns = 0
    unknown: Counter[tuple[str, str]] = Counter()

    def is_default(self, answer: RowAnswer) -> bool:
        """Whether an answer is the default, of an example of which the model knows nothing."""
        return answer.known_features == 0

    def decide_by(self, threshold: float | None) -> None:
        """Leave it at the threshold of the answerer, by which it explains."""

    def check_explained(self, where: str) -> None:
        """Allow explanations: weights answer."""

    def check_cost_of_all(self, n_rows: int) -> None:
        """Allow any number of rows."""

    def check_cost(self, n_rows: int) -> None:
        """Allow any number of rows."""


class Saved(Costless):
    """A model of texts in its file, of which only what an answer needs is read; no numpy."""

    form: NumbersForm = ONE_TEXT

    def __init__(self, file: ModelFile) -> None:
        self.answer: TextAnswer = classifiers.TextAnswer(file)
        self.classes = list(self.answer.classes)
        self.metadata = dict(file.header.get("metadata", {}))
        self.labels = answers_of(self.answer.decision)
        self.threshold = float(self.answer.threshold)

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores, if the model has it."""
        from hardlimit.classifiers.files.header import slope_of  # late: numpy, for few models

        labels, header = self.labels, self.answer.header
        return slope_of(self.answer.file, labels) if labels.slope_name in header else None

    def explain(
        self, example: Any, label: Hashable | None = None, against: Hashable | None = None
    ) -> Explanation:
        """Return what each term adds; of several labels to that of one of them."""
        return self.answer.explain(example, threshold=self.threshold, label=label, against=against)

    def answers(self, examples: Examples) -> list[RowAnswer]:
        """Answer each text, with the number of its terms that the model knows."""
        found: list[RowAnswer] = []
        texts: Any = examples
        for first in range(0, len(examples), _AT_ONCE):
            # Of one batch whoever called knows more.
            if len(examples) > _AT_ONCE:
                progress.report("predicting", first, len(examples))
            rows, known = self.answer.scores_and_known(texts[first : first + _AT_ONCE])
            answer, pairs = self.labels.answer, zip(rows, known, strict=True)
            found += [answer(self.classes, self.threshold, *pair) for pair in pairs]
        return found


class Living(Costless):
    """A model with the corrections in its ledger."""

    labels = ONE_LABEL

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.classes = live.classes
        self.metadata = dict(live.base.metadata)
        self.form = live.base.form
        self.threshold = live.threshold

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores: the live slope, which every live model has."""
        from hardlimit.evaluation.calibration import Slope  # late: numpy

        return Slope(self.live.progress().slope)

    def explain(
        self, example: object, label: Hashable | None = None, against: Hashable | None = None
    ) -> Explanation:
        """Return what each term adds to the answer, by the base and by corrections together."""
        from hardlimit.classifiers.model.explanation import Explanation, TermContribution

        why = self.live.why(example, sys.maxsize)
        terms = [
            TermContribution(one.term, 1.0, one.base + one.corrections)
            for one in why.terms
            if one.term != _INTERCEPT
        ]
        return Explanation(
            why.label, why.rival, why.margin, 0.0, tuple(terms), len(terms), thing=self.form.part
        )

    def answers(self, examples: Examples) -> list[RowAnswer]:
        """Answer each example, with the number of its terms that have weights."""
        pairs = zip(*self.live.scores_and_known(examples), strict=True)
        return [self.labels.answer(self.classes, self.threshold, *pair) for pair in pairs]


# Examples that are scored together where only their answers are wanted.
BATCH = 1 << 12


def answer_blocks(answerer: Answerer, examples: Examples) -> Iterator[list[RowAnswer]]:
    """Yield the answers, some at a time."""
    n = len(examples)
    answerer.check_cost_of_all(n)
    for begin in range(0, n, BATCH):
        yield answerer.answers(examples.part(begin, min(begin + BATCH, n)))


def probabilities(answerer: Answerer, answers: Sequence[RowAnswer]) -> list[list[float]]:
    """Return the probability of each class for each answer, which has all its scores.

    Raises
    ------
    InputError
        Where the model has none.
    """
    slope = require_slope(answerer)
    import numpy as np  # late: answers alone do without

    if not answers:
        return []
    scores = np.array([answer.all_scores for answer in answers], dtype=float)
    centred = answerer.labels.centre(scores, answerer.threshold)
    found: list[list[float]] = slope.probabilities(centred).tolist()
    return found


def require_slope(answerer: Answerer) -> Slope:
    """Return what makes probabilities of scores."""
    slope = answerer.slope
    if slope is None:
        raise InputError(
            "the model has no probabilities", fix=("train it with ", Setting("probability", True))
        )
    return slope


# No Protocol: making one takes as long as reading this file, and there are these.
Answerer = Fitted | Saved | Living


def with_threshold(answerer: Answerer, threshold: float | None) -> Answerer:
    """Return an answerer that decides by this threshold, and by its own if that is None.

    Raises
    ------
    InputError
        More than two classes, of which the best is the answer; a threshold that is not finite.
    """
    if threshold is None:
        return answerer
    n_classes = len(answerer.classes)
    check_threshold(threshold, n_classes, decides=answerer.labels.has_threshold(n_classes))
    other = copy.copy(answerer)
    other.threshold = float(threshold)
    return other


def decide_by(classifier: Classifier, threshold: float | None) -> None:
    """Let a classifier in memory decide by this threshold, and by its own if that is None."""
    if threshold is not None:
        with_threshold(Fitted(classifier), threshold)  # which refuses what it cannot decide by
        classifier.threshold_ = threshold


def open_answerer(path: str) -> Answerer:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    file = model_file.open(path)
    # The kind stands in the header, so that numpy is imported only for numbers and votes.
    kind = classifiers.kind_of(file)
    # Votes need every stored correction, so the file is loaded whole.
    if kind.answers_alone and not classifiers.votes(file.header):
        return Saved(file)
    return Fitted(load(path), counting=True)


def load(path: str) -> Classifier:
    """Load a classifier whole."""
    loaded: Any = classifiers.load(path)
    model: Classifier = loaded
    _remember_names(model)
    return model


def _remember_names(model: Classifier) -> None:
    """Read files as a model fitted in Python knows its columns: by their names."""
    names = model.fitted.feature_names
    layout = describing.layout_of(model.metadata)
    if names is not None and layout.get("format") == "vw":
        known = {**layout, "columns": list(names), "n_features": len(names)}
        model.metadata = {**model.metadata, describing.LAYOUT: known}
    elif names is not None and not layout and len(set(names)) == len(names):
        known = {"columns": list(names), "n_features": len(names)}
        model.metadata = {**model.metadata, describing.LAYOUT: known}
