"""Raw texts in, a classifier out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Self, cast

from hardlimit.classifiers.explaining import ExplainingClassifier
from hardlimit.classifiers.fitting import (
    fit,
    given,
    initial_terms,
    mail,
    stream,
)
from hardlimit.classifiers.fitting.calibrating import calibrate_texts
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.measuring import measure_texts
from hardlimit.classifiers.incremental import Begun
from hardlimit.classifiers.model.choices import (
    Choices,
    GramRange,
)
from hardlimit.classifiers.model.labels import as_list
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.out_of_core import OutOfCore
from hardlimit.classifiers.targets import check_labels, of_labels, read_labels
from hardlimit.classifiers.tunable import Tunable
from hardlimit.engine import rows_of
from hardlimit.foundation.types import Labels as LabelsLike
from hardlimit.foundation.types import SampleWeight, Targets
from hardlimit.foundation.workers import with_own_workers
from hardlimit.rules import RuleLike
from hardlimit.text import TextVectorizer, default_features

if TYPE_CHECKING:
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.features import Features
    from hardlimit.classifiers.tuning import TextFront
    from hardlimit.theory.bounds import MarginProblem, ModelRun

# Weights of terms; these for each class; a TextClassifier.
InitialWeights = Mapping[Any, Any] | Any | None


@dataclass(repr=False, eq=False)
class TextClassifier(OutOfCore, Tunable, ExplainingClassifier):
    """A classifier of texts that trains in seconds and explains itself.

    It joins :class:`~hardlimit.TextVectorizer` to the rules of
    :class:`~hardlimit.LinearClassifier`, with defaults that were measured. A pipeline of the two
    learns the same weights.

    Parameters
    ----------
    words, chars : "auto", (least, most) or None
        N-grams of words and of characters. ``"auto"``: words 1-2; characters 2-5 beside them when
        the median text is shorter than 500 characters (see :mod:`hardlimit.text.default_features`).
    hash_bits, tf, idf, norm, analyzer, strip_accents, stop_words, min_df, max_df, max_features, \
vocabulary
        As in :class:`~hardlimit.TextVectorizer`.
    block_weights
        As there: words and characters, where a model has both, are each scaled to length 1 and
        weighed 0.85 and 0.53, which leaves a row the length 1. None gives both one length.
    text_columns : None or a sequence of names
        Texts then come in several columns, each a block of features of its own: a table that has
        these columns, or a tuple of texts an example. See
        :class:`~hardlimit.text.columns.ColumnsVectorizer`.
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
    probability : bool
        Whether ``fit`` also fits what :meth:`predict_proba` needs, by a second fit on three
        quarters of the texts (equal texts on one side): at most twice the time; of fewer than
        1,000 texts five fits.
    n_jobs : int or None
        Threads: None is 1 and -1 all cores. They turn texts into features, score texts by a stored
        model, learn the folds of a calibration and of :meth:`tune`, and groups of neurons that
        learn by themselves (``multiclass="ovr"``, several labels) where there are enough, 12 a
        thread at least, and shards. Same results, to the last bit; not in a model file.
    shards, mixing
        As there: parts of the texts that learn each epoch side by side, and how they are mixed.

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

    examples_name = "texts"

    words: GramRange = "auto"
    chars: GramRange = "auto"
    hash_bits: int | None = None
    tf: str = "sublinear"
    idf: str | None = "smooth"
    norm: str | None = "l2"
    _: KW_ONLY
    block_weights: tuple[float, float] | None = default_features.BLOCK_WEIGHTS
    analyzer: str = "char_wb"
    strip_accents: str | None = None
    stop_words: str | Collection[str] | None = None
    min_df: int | float = 1
    max_df: int | float = 1.0
    max_features: int | None = None
    vocabulary: Iterable[str] | Mapping[str, int] | None = None
    text_columns: Sequence[str] | None = None
    rule: RuleLike = "passive-aggressive"
    until: str | None = None
    max_iter: int = 5
    bias_feature: float = 0.1
    shards: int = 1
    mixing: str = "auto"

    @with_own_workers
    def fit(
        self,
        texts: Iterable[str | bytes],
        labels: Targets,
        sample_weight: SampleWeight = None,
        *,
        initial_weights: InitialWeights = None,
        validation: tuple[Any, Any] | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Forget everything and learn from all texts, from zero weights or those that are given.

        Parameters
        ----------
        texts : iterable of str or bytes (UTF-8), or a table of one column; read once
        labels : str, int, float, bool or bytes, one a text, at least two different ones; or several
            a text, a sequence of sets, lists or tuples, or a matrix (n, n_labels) of two values a
            column, also sparse: each label is then learnt by itself, as by LinearClassifier
        sample_weight : numbers >= 0, one a text
        initial_weights : where a rule that adds begins: weights of terms, above 0 for the second of
            two classes; for several classes such a dict for each; or a TextClassifier, whose
            weights and bias are taken. A term that no text has keeps its weight, and counts where
            a text has it later. Weights multiply the features as this classifier makes them.
        validation : (texts, labels) to be scored by every kept read-out: ``validation_scores_``
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        KindError, InputError
            Something that is no text, one class only, numbers of texts and labels that differ;
            weights of a term that no text can have, or of other classes.

        Examples
        --------
        >>> texts, labels = ["win a prize now", "lunch at noon?"], ["spam", "ham"]
        >>> clf = TextClassifier().fit(texts, labels, initial_weights={"free": 2, "lecture": -2})
        >>> clf.predict(["a free offer", "a lecture"]).tolist()
        ['spam', 'ham']
        """
        fit.check_pair(validation)
        choices = self.check_parameters()
        start = initial_terms.read_for(choices, initial_weights)
        plan = fit.make_plan(choices, callback)
        # The choice of features looks at the first texts of an iterator, and hands on all of them.
        features = _features_of(choices)
        gathered = features.gather(texts, again=self.probability)
        featurised, vectorizer = features.fit_rows(gathered), features.vectorizer
        names = read_labels(len(featurised), labels, rows_name=self.examples_name)
        examples = check_labels(choices, names, sample_weight)
        if names is not labels:
            of_labels(names).warn(names, examples.present)
        begun: Any = None
        if start is not None:
            begun = start.at_start(vectorizer, examples.book, choices.bias)
            featurised = replace(featurised, n_columns=vectorizer.n_columns_)
        model: Any = fit.fit_rows(
            Training(choices, examples.book, featurised.n_columns),
            rows_of(featurised, choices.bias, "texts"),
            examples,
            plan,
            self.adopt,
            features.kind,
            begun,
            fitted_vectorizer=vectorizer,
        )
        if self.probability:
            weights = sample_weight, initial_weights
            calibrate_texts(type(self), model, model.batch(gathered), names, *weights)
        self._validate(model, validation)
        if type(model) is TextModel:
            mail.warn_of_headers(gathered, model)
        return self

    @classmethod
    def from_weights(
        cls,
        weights: Mapping[str, float],
        threshold: float = 0.0,
        *,
        classes: LabelsLike = ("no", "yes"),
        **parameters: Any,
    ) -> Self:
        """Make a classifier of terms whose weights are known: a rule written by hand.

        It explains, predicts, is saved, and learns on by ``partial_fit``. A term counts as often as
        it occurs: ``tf="raw"``, without idf and norm, unless ``parameters`` say otherwise.

        Parameters
        ----------
        weights : weights of terms: words, or n-grams of words
        threshold : the second class is predicted where the score exceeds it. It is the bias's
            weight, and moves when learning goes on.
        classes : two classes; the second is meant above the threshold
        parameters : of the constructor, such as ``rule``, ``tf="binary"`` or ``words=(1, 2)``

        Raises
        ------
        InputError, KindError
            A term that no text can have, such as ``"Free"``, which is read as ``free``.

        Examples
        --------
        >>> clf = TextClassifier.from_weights(
        ...     {"free": 0.124, "offer": 2.5, "lecture": -2.31}, threshold=2.12,
        ...     classes=["nospam", "spam"])
        >>> clf.predict(["a free offer", "a free lecture"]).tolist()
        ['spam', 'nospam']
        """
        terms = given.read_terms(weights)
        classifier = cls(**{**given.PARAMETERS, "words": terms.words, **parameters})
        choices = classifier.check_parameters()
        book = given.make_book(as_list(classes), 1)
        features = _features_of(choices)
        features.open(list(terms.weights))
        columns = given.learn_terms(features.vectorizer, terms)
        return classifier.adopt(
            given.make_model(
                choices, book, columns, threshold, TextModel, fitted_vectorizer=features.vectorizer
            )
        )

    @with_own_workers
    def partial_fit(
        self,
        texts: Iterable[str | bytes],
        labels: Targets,
        sample_weight: SampleWeight = None,
        *,
        classes: Targets | None = None,
    ) -> Self:
        """Learn from more texts, each once, in order; new terms and new classes may come.

        Terms already learnt keep their idf until ``vectorizer_.refresh_idf()``. Without a ``fit``
        before, the first batch gives the idf.

        From now on the read-out of the current state answers, in double precision. An average over
        many presentations moves slowly; ``with_readout("last")`` follows each correction at once.
        """
        return self._learn_batch(texts, labels, sample_weight, classes)

    def _begin_search(self, examples: Any) -> TextFront:
        from hardlimit.classifiers.tuning import TextFront  # start-up: few are tuned

        return TextFront(self, examples)

    def _begin_model(
        self, choices: Choices, X: object, y: Targets, classes: Targets | None
    ) -> Begun:
        features = _features_of(choices)
        texts = features.gather(X, again=True)
        labels = read_labels(len(texts), y, classes=classes, rows_name=self.examples_name)
        featurised, vectorizer = features.learn_rows(texts), features.vectorizer
        more: dict[str, Any] = {"kind": features.kind, "fitted_vectorizer": vectorizer}
        model = stream.begin(choices, featurised.n_columns, labels, classes, **more)
        if vectorizer.hash_bits is None:
            model.state.check_growing()
        return Begun(model, rows_of(featurised, choices.bias, "texts"), labels)

    @property
    def fitted(self) -> TextModel:
        """The model of the last fit, for parts of this package that look inside."""
        return cast("TextModel", super().fitted)

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The fitted vectorizer; of a loaded model it comes with the training state."""
        return self.fitted.vectorizer

    def telling_terms(self, top: int = 10) -> dict[Hashable, list[tuple[str, float]]]:
        """The terms of the largest weights for each class, with the weights, largest first."""
        return self.fitted.telling_terms(top)

    def measure_run(
        self, texts: Iterable[str | bytes], labels: Targets, verdict: Verdict | None = None
    ) -> tuple[ModelRun, list[MarginProblem]]:
        """What :func:`hardlimit.bounds.of` asks: the run, and the geometry of these rows."""
        return measure_texts(self.fitted, self.fitted.batch(texts), labels, verdict)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags


def _features_of(choices: Choices) -> Features:
    from hardlimit.classifiers.features import make_features  # start-up: predictions do without

    return make_features(choices)
