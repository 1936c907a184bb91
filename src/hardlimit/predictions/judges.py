"""From examples to labels and scores: the same for fresh and saved models, texts and numbers."""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hardlimit import classifiers, describing, model_file
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import check_threshold
from hardlimit.predictions import kinds
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
    """A classifier in memory."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        # Python's own values: numpy's may print as np.str_('spam').
        self.classes = list(classifier.classes_.tolist())
        self.metadata = classifier.metadata
        book = classifier.fitted.classes
        self.many = bool(book.many)
        self.labels = answers_of(self.many, book.pairs)
        self.texts = hasattr(type(classifier), "vectorizer_")
        # With two classes, a score above it means the second; of several labels, the label.
        self.threshold = float(classifier.threshold_)

    @property
    def is_table(self) -> bool:
        """Whether rows are those of a mixed table."""
        return describing.is_table(self.classifier)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of texts, where there are several, or of a mixed table."""
        return describing.text_columns(self.classifier)

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores, if the model has it."""
        return self.classifier.fitted.slope

    @property
    def votes(self) -> bool:
        """Whether many hypotheses answer, of which none has the weights."""
        return self.classifier.fitted.votes is not None

    def has_texts(self, column: str) -> bool:
        """Whether a column of a row is a text."""
        classifier: Any = self.classifier
        return not self.is_table or classifier.kinds_[column] == "text"

    def explain(self, example: Any, label: Hashable | None = None) -> Explanation:
        """Return what each term or column adds; of several labels to that of one of them."""
        classifier: Any = self.classifier
        found: Explanation = classifier.explain(example, **self.labels.explained(label))
        return found

    def answers(self, examples: Examples) -> list[RowAnswer]:
        """Answer each example; the known features are not counted."""
        threshold = self.threshold
        given: Any = examples
        found = self.classifier.decision_function(given).tolist()
        rows = [scores if isinstance(scores, list) else [scores] for scores in found]
        known = self._known(examples, len(rows))
        answer, pairs = self.labels.answer, zip(rows, known, strict=True)
        return [answer(self.classes, threshold, scores, count) for scores, count in pairs]

    def check_cost_of_all(self, n_rows: int) -> None:
        """Refuse votes on so many rows, which would each be allowed in small batches."""
        answer: Any = self.classifier.fitted.answer
        if answer.cost(n_rows):
            answer.check_cost(n_rows)

    def _known(self, examples: Examples, n: int) -> Sequence[int | None]:
        return [None] * n


class Featurised(Fitted):
    """A model of texts in memory, which counts the terms that it knows."""

    def _known(self, examples: Examples, n: int) -> Sequence[int | None]:
        """Count the distinct terms of each text that are in the vocabulary."""
        classifier: Any = self.classifier
        # A row of the matrix has as many entries as the text has known terms.
        ends = classifier.vectorizer_.rows(examples).indptr.tolist()
        return [end - begin for begin, end in pairwise(ends)]


class Tabular(Featurised):
    """A model of tables in memory, which counts the categories that it does not know."""

    def __init__(self, classifier: Classifier) -> None:
        super().__init__(classifier)
        self.unknown: Counter[tuple[str, str]] = Counter()

    def _known(self, examples: Examples, n: int) -> Sequence[int | None]:
        """Count the features of each row that training saw."""
        counts = super()._known(examples, n)
        vectorizer: Any = self.classifier.fitted.vectorizer  # type: ignore[attr-defined]
        for name, values in vectorizer.unknown_.items():
            self.unknown.update({(name, value): n for value, n in values.items()})
        return counts


class Voting(Featurised):
    """A model of texts that votes: its training state is needed to answer."""

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


class Saved:
    """A model of texts in its file, of which only what an answer needs is read; no numpy."""

    text_columns: tuple[str, ...] = ()
    is_table = votes = False

    def __init__(self, file: ModelFile) -> None:
        self.answer: TextAnswer = classifiers.TextAnswer(file)
        self.classes = list(self.answer.classes)
        self.metadata = dict(file.header.get("metadata", {}))
        self.many = self.answer.many
        self.labels = answers_of(self.many, self.answer.pairs)
        self.texts = True
        self.threshold = float(self.answer.threshold)

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores, if the model has it."""
        from hardlimit.classifiers.files.header import slope_of  # late: numpy, for few models

        return slope_of(self.answer.file) if self.labels.slope in self.answer.header else None

    def has_texts(self, column: str) -> bool:
        """Whether a column of a row is a text: there are no columns."""
        return True

    def explain(self, example: Any, label: Hashable | None = None) -> Explanation:
        """Return what each term adds; of several labels to that of one of them."""
        return self.answer.explain(example, threshold=self.threshold, label=label)

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


class Living:
    """A model with the corrections in its ledger."""

    many = votes = False
    labels = ONE_LABEL

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.classes = live.classes
        self.metadata = dict(live.base.metadata)
        self.texts = live.base.takes_texts
        self.text_columns, self.is_table = live.base.columns, live.base.is_table
        self.threshold = live.threshold

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores: the live slope, which every live model has."""
        from hardlimit.evaluation.calibration import Slope  # late: numpy

        return Slope(self.live.progress().slope)

    def has_texts(self, column: str) -> bool:
        """Whether a column of a row is a text."""
        base: Any = self.live.base
        return not self.is_table or base.classifier.kinds_[column] == "text"

    def explain(self, example: Any, label: Hashable | None = None) -> Explanation:
        """Return what each term adds, by the base and by corrections together."""
        from hardlimit.classifiers.model.explanation import Explanation, TermContribution

        why = self.live.why(example, sys.maxsize)
        thing = "term" if self.texts else "column"
        terms = [
            TermContribution(one.term, 1.0, one.base + one.corrections)
            for one in why.terms
            if one.term != _INTERCEPT
        ]
        return Explanation(
            why.label, why.rival, why.margin, 0.0, tuple(terms), len(terms), thing=thing
        )

    def answers(self, examples: Examples) -> list[RowAnswer]:
        """Answer each example, with the number of its terms that have weights."""
        pairs = zip(*self.live.scores_and_known(examples), strict=True)
        return [self.labels.answer(self.classes, self.threshold, *pair) for pair in pairs]


# Examples that are scored together where only their answers are wanted.
BATCH = 1 << 12


def brief_answers(
    judge: Judge,
    examples: Examples,
    take: Callable[[Sequence[RowAnswer]], object] | None = None,
) -> Iterator[RowAnswer]:
    """Yield the answers without the scores of all classes, which many rows could not all keep.

    ``take`` is shown the answers of each block with all their scores.
    """
    for answers in answer_blocks(judge, examples):
        if take is not None:
            take(answers)
        for answer in answers:
            yield answer._replace(all_scores=())


def answer_blocks(judge: Judge, examples: Examples) -> Iterator[list[RowAnswer]]:
    """Yield the answers, some at a time."""
    n = len(examples)
    if isinstance(judge, Fitted):
        judge.check_cost_of_all(n)
    for begin in range(0, n, BATCH):
        yield judge.answers(examples.part(begin, min(begin + BATCH, n)))


def rename_columns(explanation: Explanation, names: Mapping[str, str]) -> Explanation:
    """Return an explanation with other names of its columns."""
    terms = [replace(one, term=names.get(one.term, one.term)) for one in explanation.terms]
    return replace(explanation, terms=tuple(terms))


def probabilities(judge: Judge, answers: Sequence[RowAnswer]) -> list[list[float]]:
    """Return the probability of each class for each answer, which has all its scores.

    Raises
    ------
    InputError
        Where the model has none.
    """
    slope = require_slope(judge)
    import numpy as np  # late: answers alone do without

    if not answers:
        return []
    scores = np.array([answer.all_scores for answer in answers], dtype=float)
    centred = judge.labels.centre(scores, judge.threshold)
    found: list[list[float]] = slope.probabilities(centred).tolist()
    return found


def require_slope(judge: Judge) -> Slope:
    """Return what makes probabilities of scores."""
    slope = judge.slope
    if slope is None:
        raise InputError(
            "the model has no probabilities",
            fix=("train it with ", Setting("probability", True)),
        )
    return slope


# No Protocol: making one takes as long as reading this file, and there are these.
Judge = Fitted | Saved | Living


def with_threshold(judge: Judge, threshold: float | None) -> Judge:
    """Return a judge that decides by this threshold, and by its own if that is None.

    Raises
    ------
    InputError
        More than two classes, of which the best is the answer; a threshold that is not finite.
    """
    if threshold is None:
        return judge
    check_threshold(threshold, len(judge.classes), many=judge.many)
    other = copy.copy(judge)
    other.threshold = float(threshold)
    return other


def decide_by(classifier: Any, threshold: float | None) -> None:
    """Let a classifier in memory decide by this threshold, and by its own if that is None."""
    if threshold is not None:
        with_threshold(Fitted(classifier), threshold)  # which refuses what it cannot decide by
        classifier.threshold_ = threshold


def open_judge(path: str) -> Judge:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    file = model_file.open(path)
    # The kind stands in the header, so that numpy is imported only for numbers and votes.
    if file.kind in kinds.OF_TABLES and not kinds.votes(file.header):
        return Tabular(load(path))
    if file.kind not in kinds.OF_TEXTS:
        return Fitted(load(path))
    # Votes need every stored correction, so the file is loaded whole.
    if kinds.votes(file.header):
        return Voting(load(path))
    if file.kind in (kinds.TEXTS, kinds.TEXTS_MANY):
        return Saved(file)
    return Featurised(load(path))


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
