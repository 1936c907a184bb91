"""Error-driven linear classification of numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from hardlimit import rules, scaling
from hardlimit.classifiers import many_labels, measuring
from hardlimit.classifiers.base import Labels, Scores
from hardlimit.classifiers.labels import single
from hardlimit.classifiers.learning import (
    LearningModel,
    checked_pair,
    labels_for,
    require_length,
    require_rows,
)
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.votes import Votes
from hardlimit.engine import rows_of, sparse_scores
from hardlimit.exceptions import InputError, KindError


class LinearClassifier(LearningModel):
    r"""Any rule of the family on rows of numbers, dense or sparse, two classes or many.

    ::

        score_k(x) = <w_k, x> + intercept_k;      predict = the class of the largest score

    Parameters
    ----------
    rule : str or rule
        A name of :func:`hardlimit.rules.names` or an object, ``rules.PassiveAggressive(C=0.1)``.
    order : str or order
        Who is presented next, a name or an object of :mod:`hardlimit.orders`: ``"shuffled"`` (a new
        permutation each epoch), ``"cyclic"``, ``"random"`` (with replacement), ``"worst"`` (the
        smallest margin first; the perceptron is then MinOver) or ``"batch"``, all violators at
        once: ``orders.Batch(combine="sum" or "average")``, by default what the rule prefers.
    schedule : None, str or schedule
        What multiplies the steps, of :mod:`hardlimit.schedules`: a number as a text, ``"1/step"``,
        ``"1/sqrt(step)"``, ``"1/(10+step/5)"``, ``"line-search"`` (batch, relaxation),
        ``"projection"``, or any object with ``eta(step)``; ``step`` counts corrections, in batches
        iterations. For rules that leave the length of their steps open.
    guard : None, guard or tuple of guards
        Against wrong labels, of :mod:`hardlimit.guards`: ``LambdaTrick(lam)``,
        ``AlphaBound(alpha)`` and ``Margin(b)``, any of them together. They know each example again:
        not for streams.
    keep : "all" or tuple of read-outs
        The hypotheses that are remembered; all come from one fit. ``"all"`` and the default mean
        those that go with the rule and the order.
    readout : str
        The one that answers, one of those kept: ``"averaged"``, ``"last"``, ``"longest"``,
        ``"pocket"``, ``"pocket-ratchet"``, ``"voted"`` or ``"random"``: see
        :mod:`hardlimit.readouts`. The default gives way to ``"last"`` where the rule has no
        average. :meth:`with_readout` answers by another without a refit; a vote has no ``coef_``.
    averaging : "post", "pre" or "ciml"
        What the average counts: see :mod:`hardlimit.readouts`.
    multiclass : "coupled" or "ovr"
        ``coupled``: the right class and its best rival move together, and new classes may come at
        any time. ``ovr``: an independent neuron a class, with targets -1 and +1. Where the targets
        are several an example, neurons are independent anyway: see :meth:`fit`.
    until : "separated", "margin" or None
        When to stop before ``max_iter`` epochs: see :mod:`hardlimit.learner`. A fit that cannot
        move any more stops too: ``stop_reason_`` is then ``settled``, ``stalled`` where the
        corrections of a batch cancel each other, or ``cycling`` where the weights come round, which
        proves that the examples are not separable (``cycle_`` is the period).
    max_iter : int
        Most epochs, >= 1.
    tol : float
        Slack of ``until="margin"``, >= 0.
    fit_intercept : bool
        False learns through the origin.
    bias_feature : float
        The constant value of the bias's feature, other than 0; part of the margin and of the norm.
    class_weight : None, "balanced" or dict
        Weights of the classes; what a weight means is the rule's affair. ``"balanced"`` is
        ``examples / (classes * examples of the class)``; in a stream the examples seen so far.
    random_state : int or None
        Seed of the order, >= 0. The same seed gives the same bits on every machine.
    scale : "none", "rows", "maxabs" or "standard"
        In which units the learner sees X: see :mod:`hardlimit.scaling`. Measured by ``fit``, part
        of the model, kept by streams. ``coef_`` and ``intercept_`` are in the units of X all the
        same: ``decision_function(X)`` is ``X @ coef_.T + intercept_`` to rounding (``"rows"``: of
        X in rows of unit length). Columns whose norms differ by more than 1,000 are warned of
        where nothing scales them.
    skip : "auto", True or False
        Whether rows that provably call for no correction are passed over: the same bits from fewer
        products. ``"auto"`` does so in long runs, where it pays; ``history_`` tells the share of
        rows that were visited. It goes with two classes, orders that present row by row, and
        additive rules that require the same of all rows of a class (perceptron, margin perceptron,
        PAUM, relaxation, passive-aggressive, with a schedule, weights or ``guards.Margin``);
        elsewhere every row is visited, whatever is said here.

    Notes
    -----
    Cost of an epoch: O(nnz x outputs), at the speed of memory. The interpreter's lock is released.
    Dense, CSR, one at a time and batches of a stream give the same bits for the same order.
    What does not go together is refused before learning, with the reason; ``docs/choices.md`` has
    the table.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], ["no", "yes", "yes", "yes"]
    >>> clf = LinearClassifier(rules.Perceptron(), order="cyclic", readout="last").fit(X, y)
    >>> clf.stop_reason_, clf.coef_, clf.intercept_, clf.predict([[2, 2]])
    ('separated', array([[1., 1.]]), array([1.]), array(['yes'], dtype='<U3'))

    One fit, every read-out; and all violators at once, with the exact step:

    >>> clf = LinearClassifier(order="random", keep="all").fit(X, y, validation=(X, y))
    >>> sorted(clf.validation_scores_)
    ['averaged', 'last', 'longest', 'pocket', 'pocket-ratchet', 'random', 'voted']
    >>> clf.with_readout("voted").predict([[2, 2]])
    array(['yes'], dtype='<U3')
    >>> batch = LinearClassifier("relaxation", order="batch", schedule="line-search").fit(X, y)
    >>> batch.stop_reason_
    'separated'
    """

    def __init__(
        self,
        rule: Any = "perceptron",
        *,
        order: Any = "shuffled",
        schedule: Any = None,
        guard: Any = None,
        keep: Any = ("last", "averaged"),
        readout: str = Default("averaged"),
        averaging: str = "post",
        multiclass: str = "coupled",
        until: str | None = Default("separated"),
        max_iter: int = 1000,
        tol: float = 0.0,
        fit_intercept: bool = True,
        bias_feature: float = 1.0,
        class_weight: Any = None,
        random_state: int | None = 0,
        scale: Any = "none",
        skip: bool | str = "auto",
    ) -> None:
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
        self.scale = scale
        self.skip = skip

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: tuple[Any, Any] | None = None,
        callback: Any = None,
    ) -> Self:
        """Learn from all examples, from zero weights.

        Parameters
        ----------
        X : (n_rows, n_columns) array or CSR matrix of finite numbers
        y : (n_rows,) labels, at least two different ones; or targets of M neurons that learn by
            themselves: (n_rows, M), any two values a column, or a list of sets of labels (see
            :mod:`hardlimit.classifiers.many_labels`)
        sample_weight : (n_rows,) numbers >= 0; an example of weight 0 is absent
        validation : (X, y) to be scored by every kept read-out: ``validation_scores_``
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        InputError
            Numbers that are not finite, lengths that differ, one class only.
        """
        validation = checked_pair(validation)
        method, plan = self._check_parameters(), self._plan(callback)
        interferes = callback is not None or not rules.is_registered(method.rule)
        rows = rows_of(X, self._given_bias, guarded=interferes)
        labels = self._labels(rows.n_rows, y)
        examples = self._examples(method, labels, sample_weight)
        if isinstance(labels, many_labels.ManyLabels):
            labels.warn_of_constants(examples.present)
        rows, scale = self._measured(rows, examples.present)
        self._learn(method, rows, examples, plan, _fitted_scale=scale)
        self._validate(validation)
        return self

    def _labels(self, n_rows: int, y: Any, book: Any = None, classes: Any = None) -> Any:
        """A plain label a row, or the targets of several neurons; as the model knows them."""
        if book is None or not book.many:
            one = single(y) if n_rows == 1 else None
            if one is not None:
                return one
            if not many_labels.is_many(y):
                return labels_for(n_rows, y, "X")
            if book is not None:
                raise KindError("y: got several labels an example, wanted one, as the model learnt")
        require_rows(n_rows, "X")
        labels = many_labels.read(y, book, classes)
        require_length(len(labels), n_rows, "X")
        return labels

    def _measured(self, rows: Any, present: Any) -> tuple[Any, scaling.Scale | None]:
        """The rows as they are to be learnt from, and the scale that made them so."""
        found = scaling.resolve(self.scale)
        if found is None:
            scaling.warn_of_norms(rows, present)
            return rows, None
        scale = found.fitted(rows, present)
        return scale.rows(rows), scale

    def _begun_scale(self) -> scaling.Scale | None:
        """The scale of a stream without a fit before."""
        found = scaling.resolve(self.scale)
        if found is not None and found.measures:
            raise InputError(
                f"scale={self.scale!r}: partial_fit without a fit before does not know the columns "
                "yet; call fit(X, y) on the first examples, or use scale='rows' or 'none'"
            )
        return None if found is None else found.fitted(None)

    def partial_fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, classes: Any = None
    ) -> Self:
        """Present each row once, in order, continuing the training state.

        New classes may come at any time (not with ``multiclass="ovr"``) and are appended to
        ``classes_``. Before a second class is known there is nothing to learn: where the first rows
        are all of one class, name the others with ``classes=``.

        From now on the read-out of the current state answers. An average over many presentations
        moves slowly; ``with_readout("last")`` follows each correction at once.

        Cost: O(non-zeros of the rows x outputs), whatever the number of columns.
        """
        if self._book is None:
            return self._first_rows(X, y, sample_weight, classes)
        rows = rows_of(X, self._bias)
        labels = self._labels(rows.n_rows, y, self._book)
        training = self._training or self._state
        if rows.n_columns != training.state.n_columns:
            self._check_columns(rows)
        if self._fitted_scale is not None:
            rows = self._fitted_scale.rows(rows)
        with training.lock:
            self._stream_rows(training, rows, self._stream(training, labels, sample_weight))
        return self

    def _first_rows(self, X: Any, y: Any, sample_weight: Any, classes: Any) -> Self:
        """Begin a stream."""
        rows, scale = rows_of(X, self._given_bias), self._begun_scale()
        labels = self._labels(rows.n_rows, y, classes=classes)
        training = self._begin(rows.n_columns, labels, classes)
        if scale is not None:
            rows = scale.rows(rows)
        examples = self._stream(training, labels, sample_weight)
        with training.lock:
            self._stream_rows(training, rows, examples, _fitted_scale=scale)
        return self

    def _check_columns(self, rows: Any) -> None:
        wanted = self.n_features_in_
        if rows.n_columns != wanted:
            raise InputError(
                f"X: got {rows.n_columns} columns, wanted {wanted}, as the model was fitted with"
            )

    def _scores(self, X: Any) -> Scores:
        self._classes  # noqa: B018
        answer = self._frozen_now()
        if isinstance(answer, np.ndarray) and self._fitted_scale is None:
            found: Scores | None = sparse_scores(X, self._bias, answer)
            if found is not None:
                return found
        rows = rows_of(X, self._bias)
        self._check_columns(rows)
        if self._fitted_scale is not None:
            rows = self._fitted_scale.rows(rows)
        return self._row_scores(rows)

    def decision_function(self, X: Any) -> Scores:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes).

        Of several labels (n_rows, M), positive where the neuron says the second of its values.
        """
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 and not self._classes.many else scores

    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,); a tie goes to the first class.

        Of several labels the values of Y, (n_rows, M), or a tuple of labels a row.
        """
        return self._classes.decided(self._scores(X), self._threshold)

    def _right(self, X: Any, y: Any) -> Any:
        if not self._classes.many:
            return super()._right(X, y)
        scores = self._scores(X)
        labels = self._labels(len(scores), y, self._classes)
        return ~self._classes.wrong(scores, 0.0, labels.targets)

    def _measured_with(self, X: Any, y: Any, verdict: Any) -> Any:
        """What :func:`hardlimit.bounds.of` asks."""
        rows = rows_of(X, self._bias)
        self._check_columns(rows)
        measuring.check_verdict(self, verdict, rows.n_columns)
        labels = self._labels(rows.n_rows, y, self._book)
        many = isinstance(labels, many_labels.ManyLabels)
        targets = labels.targets if many else self._classes.codes(labels)
        x_inf, extra = None, None
        if self._fitted_scale is not None:
            rows = self._fitted_scale.rows(rows)
        else:
            x_inf = measuring.largest_value(X, self._bias)
            extra = measuring.weights_of(verdict, self._bias)
        looked = measuring.looked_at(self, rows, targets, x_inf, extra)
        return measuring.measured_with(self, looked, verdict)

    def save(self, path: Any, *, training_state: bool = True) -> None:
        """Write a model file, whole or not at all; ``hardlimit.load`` reads it.

        ``training_state=False`` leaves out what ``partial_fit`` would continue.
        """
        from hardlimit.classifiers.saving import save_linear

        save_linear(self, path, training_state)

    @property
    def n_features_in_(self) -> int:
        """Columns of X."""
        self._classes  # noqa: B018
        if self._training is not None:
            return self._training.state.n_columns
        answer = self._answer_or_votes()
        return answer.n_columns if isinstance(answer, Votes) else len(answer) - 1
