"""Raw texts in, a classifier out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

import numpy as np

from hardlimit._native import Rows
from hardlimit.classifiers import features, loading, measuring, saving
from hardlimit.classifiers.base import Labels, LinearModel, Scores
from hardlimit.classifiers.explanation import Explanation, TermContribution, explain
from hardlimit.classifiers.learning import LearningModel, checked_pair, labels_for
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.text_answer import TextAnswer
from hardlimit.engine import rows_of
from hardlimit.exceptions import KindError, NotFittedError
from hardlimit.model_file import ModelFile
from hardlimit.text import TextVectorizer


class TextClassifier(LearningModel):
    """A classifier of texts that trains in seconds and explains itself.

    It joins :class:`~hardlimit.TextVectorizer` to the rules of
    :class:`~hardlimit.LinearClassifier`, with defaults that were measured. A pipeline of the two
    learns the same weights.

    Parameters
    ----------
    words, chars : "auto", (least, most) or None
        N-grams of words and of characters. ``"auto"``: words 1-2; characters 2-5 beside them when
        the median text is shorter than 200 characters (see :mod:`hardlimit.classifiers.features`).
    hash_bits, tf, idf, norm
        As in :class:`~hardlimit.TextVectorizer`.
    rule, multiclass, until, max_iter, tol, fit_intercept, bias_feature, class_weight, \
random_state
        As in :class:`~hardlimit.LinearClassifier`. The bias feature is 0.1 because rows have length
        1; all epochs are run.
    order, schedule, guard
        As there: who is presented next, what multiplies the steps, what guards against wrong
        labels. ``guards.Margin(b)`` and ``rules.MarginPerceptron(b)`` mean a b of the order of 1,
        since rows have length 1.
    keep, readout, averaging
        As there: which hypotheses of the one fit are remembered, and which one answers. A model
        that votes has no weights to explain or to list, and is saved with its training state.

    Notes
    -----
    The answer is single precision from the moment of ``fit``, so that a model that was saved and
    loaded agrees with the fresh one to the last bit. After ``partial_fit`` the current state
    answers.

    N-grams combine neighbours. For words that belong together at any distance put
    ``maps.Cross(which="seen")`` between a TextVectorizer and a LinearClassifier: see
    :class:`~hardlimit.maps.Cross`.

    Examples
    --------
    >>> import hardlimit as hl
    >>> texts = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
    >>> clf = hl.TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
    >>> print(clf.predict(["prize prize prize"])[0], clf.n_training_errors_)
    spam 0
    >>> clf.explain("prize now", top=1).terms[0].contribution > 0
    True
    """

    _single_precision = True
    _vectorizer: TextVectorizer | None = None
    _frozen: TextAnswer | None = None  # the answer of a file that was loaded, until one learns on

    def __init__(
        self,
        words: Any = "auto",
        chars: Any = "auto",
        hash_bits: int | None = None,
        tf: str = "sublinear",
        idf: str | None = "smooth",
        norm: str | None = "l2",
        *,
        rule: Any = "passive-aggressive",
        order: Any = "shuffled",
        schedule: Any = None,
        guard: Any = None,
        keep: Any = ("last", "averaged"),
        readout: str = Default("averaged"),
        averaging: str = "post",
        multiclass: str = "coupled",
        until: str | None = None,
        max_iter: int = 10,
        tol: float = 0.0,
        fit_intercept: bool = True,
        bias_feature: float = 0.1,
        class_weight: Any = None,
        random_state: int | None = 0,
    ) -> None:
        self.words = words
        self.chars = chars
        self.hash_bits = hash_bits
        self.tf = tf
        self.idf = idf
        self.norm = norm
        self.rule = rule
        self.order = order
        self.schedule = schedule
        self.guard = guard
        self.keep = keep
        self.readout = readout
        self.averaging = averaging
        self.multiclass = multiclass
        self.until = until
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.bias_feature = bias_feature
        self.class_weight = class_weight
        self.random_state = random_state

    # Learning

    def fit(
        self,
        texts: Iterable[str | bytes],
        labels: Any,
        sample_weight: Any = None,
        *,
        validation: tuple[Any, Any] | None = None,
        callback: Any = None,
    ) -> Self:
        """Forget everything and learn from all texts.

        Parameters
        ----------
        texts : iterable of str or bytes (UTF-8); read once
        labels : str, int, float, bool or bytes, one a text, at least two different ones
        sample_weight : numbers >= 0, one a text
        validation : (texts, labels) to be scored by every kept read-out: ``validation_scores_``
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        KindError, InputError
            Something that is no text, one class only, numbers of texts and labels that differ.
        """
        validation = checked_pair(validation)
        method, plan = self._check_parameters(), self._plan(callback)
        vectorizer, texts = self._new_vectorizer(texts)
        found = vectorizer.fit_rows(texts)
        examples = self._examples(method, labels_for(len(found), labels, "texts"), sample_weight)
        rows = rows_of(found, self._given_bias, "texts")
        self._learn(method, rows, examples, plan, _vectorizer=vectorizer, _frozen=None)
        self._validate(validation)
        return self

    def partial_fit(
        self,
        texts: Iterable[str | bytes],
        labels: Any,
        sample_weight: Any = None,
        *,
        classes: Any = None,
    ) -> Self:
        """Learn from more texts, each once, in order; new terms and new classes may come.

        Terms already learnt keep their idf until ``vectorizer_.refresh_idf()``. Without a ``fit``
        before, the first batch gives the idf.

        From now on the read-out of the current state answers, in double precision. An average over
        many presentations moves slowly; ``with_readout("last")`` follows each correction at once.
        """
        texts = checked_batch(texts)
        names = labels_for(len(texts), labels, "texts")
        if self._frozen is not None:
            self._thaw()
        if self._book is None:
            return self._first_batch(texts, names, sample_weight, classes)
        training = self._state
        with training.lock:
            examples = self._stream(training, names, sample_weight)
            if self.vectorizer_.hash_bits is None:
                training.check_growing()
            found = self.vectorizer_.learn_rows(texts)
            training.state.grow_columns(found.n_columns)
            self._stream_rows(training, rows_of(found, self._bias, "texts"), examples)
        return self

    def _first_batch(self, texts: Any, names: Any, sample_weight: Any, classes: Any) -> Self:
        """Begin a stream: nothing is kept of a batch that is refused."""
        vectorizer, texts = self._new_vectorizer(texts)
        found = vectorizer.learn_rows(texts)
        training = self._begin(found.n_columns, names, classes)
        if vectorizer.hash_bits is None:
            training.check_growing()
        examples = self._stream(training, names, sample_weight)
        rows = rows_of(found, self._given_bias, "texts")
        self._stream_rows(training, rows, examples, _vectorizer=vectorizer)
        return self

    def _new_vectorizer(self, texts: Any) -> tuple[TextVectorizer, Any]:
        if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
            words, chars, _ = features.choose(self.words, self.chars, [])  # refused by what follows
        else:
            words, chars, texts = features.choose(self.words, self.chars, texts)
        vectorizer = TextVectorizer(words, chars, self.hash_bits, self.tf, self.idf, self.norm)
        return vectorizer, texts

    def _rows(self, found: Any) -> Rows:
        """Rows of the vectorizer, whose columns may have grown since the weights were frozen."""
        training = self._state
        if found.n_columns > training.state.n_columns:
            training.state.grow_columns(found.n_columns)
            training.version += 1
        return rows_of(replace(found, n_columns=training.state.n_columns), self._bias, "texts")

    # Answers

    def _scores(self, texts: Iterable[str | bytes]) -> Scores:
        if self._frozen is not None:
            found = np.frombuffer(self._frozen.scorer.scores(checked_batch(texts)))
            self._frozen.check_finite(bool(np.isfinite(found).all()))
            return found.reshape(-1, self._frozen.n_outputs)
        with self._state.lock:
            return self._row_scores(self._rows(self.vectorizer_.rows(texts)))

    def decision_function(self, texts: Iterable[str | bytes]) -> Scores:
        """Scores: (n,) for two classes, positive for the second; else (n, n_classes)."""
        scores = self._scores(texts)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, texts: Iterable[str | bytes]) -> Labels:
        """Classes of the texts; a tie, also of a text without a known term, goes to the first."""
        return self.classes_[self._class_numbers(self._scores(texts))]

    @LinearModel.threshold_.setter  # type: ignore[attr-defined,untyped-decorator]
    def threshold_(self, value: float) -> None:  # noqa: D102
        self._move_threshold(value)
        if self._frozen is not None:
            self._frozen.threshold = self._threshold

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The fitted vectorizer; of a loaded model it comes with the training state."""
        self._state  # noqa: B018
        if self._vectorizer is None:
            raise NotFittedError("TextClassifier: asked before fit; call fit(texts, labels) first")
        return self._vectorizer

    def _restore_training(self, file: ModelFile) -> None:
        self._vectorizer = loading.vectorizer_of(file)
        super()._restore_training(file)

    def _answer_now(self) -> Any:
        if self._frozen is not None:
            return loading.answer_of(self._frozen)
        return super()._answer_now()

    def with_readout(self, readout: str) -> Self:  # noqa: D102
        other = super().with_readout(readout)
        if self._frozen is not None and readout != self.readout:
            other._frozen = None
            other._freeze()
        return other

    def save(self, path: Any, *, training_state: bool = True) -> None:
        """Write a model file, whole or not at all; ``hardlimit.load`` reads it.

        ``training_state=False`` leaves out what ``partial_fit`` would continue: a smaller file that
        only predicts.
        """
        saving.save_text(self, path, training_state)

    def _without_file(self) -> dict[str, Any]:
        if self._frozen is not None:
            self._thaw()
        return super()._without_file()

    def _thaw(self) -> None:
        """Leave the file: from now on the state in memory answers."""
        training = self._state
        self._answer, self._version = self._answer_now(), training.version
        self._frozen = self._file = None

    def explain(self, text: str | bytes, top: int | None = None) -> Explanation:
        """Why this text gets its class: every known term with what it adds, largest first.

        For many classes the difference to the runner-up is explained. ``top`` keeps the terms of
        the largest contributions, for or against.
        """
        if self._frozen is not None:
            return self._frozen.explain(text, top)
        with self._state.lock:
            return self._explain_now(text, top)

    def _explain_now(self, text: str | bytes, top: int | None) -> Explanation:
        found = self.vectorizer_.rows([text])
        scores = self._row_scores(self._rows(found))
        chosen, rival = self._chosen_and_rival(scores)
        columns = found.indices.tolist()
        weights = self._weights_of([*columns, self._answer_columns()])
        toward = _toward(weights, chosen, rival)
        intercept = _toward(weights[-1:] * self._bias, chosen, rival)[0]
        terms = [
            TermContribution(term, float(value), float(value) * weight)
            for term, value, weight, row in zip(
                self.vectorizer_.terms(columns), found.data, toward, weights, strict=False
            )
            if row.any()  # a term without weights is unknown, as to a saved model
        ]
        names = list(self._classes.numbers)
        labels = (names[chosen], names[rival])
        return explain(labels, terms, intercept, top)

    def _measured_with(self, texts: Any, labels: Any, verdict: Any) -> Any:
        """What :func:`hardlimit.bounds.of` asks."""
        texts = checked_batch(texts)
        targets = self._classes.codes(labels_for(len(texts), labels, "texts"))
        with self._state.lock:
            found = self.vectorizer_.rows(texts)
            rows, x_inf = self._rows(found), measuring.largest_value(found, self._bias)
            measuring.check_verdict(self, verdict, rows.n_columns)
            extra = measuring.weights_of(verdict, self._bias)
            looked = measuring.looked_at(self, rows, targets, x_inf, extra)
        return measuring.measured_with(self, looked, verdict)

    def _chosen_and_rival(self, scores: Scores) -> tuple[int, int]:
        chosen = int(self._class_numbers(scores)[0])
        if scores.shape[1] == 1:
            return chosen, 1 - chosen
        others = scores[0].copy()
        others[chosen] = -np.inf
        return chosen, int(others.argmax())

    def _answer_columns(self) -> int:
        return self._state.state.n_columns

    def _weights_of(self, columns: list[int]) -> Any:
        """Weights (len(columns), n_outputs) of the read-out that answers."""
        answer = self._frozen_weights()
        if answer is not None:
            return answer[columns].astype(np.float64)
        training = self._state
        return training.state.weights_of(columns, *training.mixture(self._readout, self.averaging))

    def telling_terms(self, top: int = 10) -> dict[Any, list[tuple[str, float]]]:
        """The terms of the largest weights for each class, with the weights, largest first."""
        if self._frozen is not None:
            answer, name = self._frozen.file.array("answer.weights"), self._frozen.scorer.term
        else:
            answer, name = self._answer_now()[:-1], None
        telling = {}
        for number, label in enumerate(self._classes.numbers):
            weights = answer[:, number] if answer.shape[1] > 1 else answer[:, 0] * (2 * number - 1)
            best = _largest(weights, top)
            terms = [name(c) for c in best] if name else self.vectorizer_.terms(best)
            telling[label] = [(t, float(weights[c])) for t, c in zip(terms, best, strict=True)]
        return telling

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags


def checked_batch(texts: Any) -> list[str | bytes]:
    """All of a batch, so that nothing is learnt of one that holds something else than texts."""
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise KindError(
            f"texts: got {type(texts).__name__}, wanted an iterable of str or bytes: [text]"
        )
    batch = list(texts)
    for position, text in enumerate(batch):
        if not isinstance(text, str | bytes):
            raise KindError(f"texts[{position}]: got {type(text).__name__}, wanted str or bytes")
    return batch


def _largest(weights: Any, top: int) -> list[int]:
    """Places of the largest positive weights, largest first; the earlier place among equals."""
    if not 0 < top < len(weights):
        candidates = np.flatnonzero(weights > 0)
    else:
        least = max(np.partition(weights, -top)[-top], np.finfo(weights.dtype).tiny)
        candidates = np.flatnonzero(weights >= least)
    return sorted(candidates.tolist(), key=lambda place: (-weights[place], place))[:top]


def _toward(weights: Any, chosen: int, rival: int) -> list[float]:
    """Weights for the chosen class against its rival."""
    if weights.shape[1] == 1:
        return [float(w) for w in weights[:, 0] * (1.0 if chosen == 1 else -1.0)]
    return [float(w) for w in weights[:, chosen] - weights[:, rival]]
