"""Error-driven linear classification of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

from hardlimit.classifiers.explaining import ExplainingClassifier
from hardlimit.classifiers.fitting import fit, given, stream
from hardlimit.classifiers.fitting.calibrating import calibrate_rows
from hardlimit.classifiers.fitting.examples import map_rows
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.measuring import measure_rows
from hardlimit.classifiers.incremental import Begun
from hardlimit.classifiers.model.choices import (
    Choices,
    MapLike,
    ScaleLike,
)
from hardlimit.classifiers.model.labels import as_list
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.classifiers.out_of_core import OutOfCore
from hardlimit.classifiers.targets import check_labels, of_labels, read_labels
from hardlimit.classifiers.tunable import Tunable
from hardlimit.engine import layout_of, rows_of
from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_truth
from hardlimit.foundation.register import compiled_name
from hardlimit.foundation.tables import feature_names
from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets
from hardlimit.foundation.workers import with_own_workers
from hardlimit.rules import RuleLike

if TYPE_CHECKING:
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.tuning import NumberFront
    from hardlimit.maps import FeatureMap
    from hardlimit.theory.bounds import MarginProblem, ModelRun


@dataclass(repr=False, eq=False)
class LinearClassifier(OutOfCore, Tunable, ExplainingClassifier):
    r"""Any rule of the family on rows of numbers, dense or sparse, two classes or many.

    ::

        score_k(x) = <w_k, x> + intercept_k;      predict = the class of the largest score

    Parameters
    ----------
    rule : str or rule
        A name of :func:`hardlimit.rules.names` or an object, ``rules.PassiveAggressive(C=0.1)``.
    order : str or order
        Who is presented next, a name or an object of :mod:`hardlimit.orders`: ``"shuffled"`` (a new
        permutation each epoch), ``"blocks"`` (of neighbours), ``"cyclic"``, ``"random"`` (with
        replacement), ``"worst"`` (the smallest margin first; the perceptron is then MinOver) or
        ``"batch"``, all violators at once: ``orders.Batch(combine="sum" or "average")``, by default
        what the rule prefers.
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
        average, and where the fit ended ``separated`` or ``margin_reached`` and the average errs
        on training examples; ``readout_`` is the one that answers. :meth:`with_readout` answers by
        another without a refit; a vote has no ``coef_``.
    averaging : "post", "pre" or "ciml"
        What the average counts: see :mod:`hardlimit.readouts`.
    multiclass : "coupled" or "ovr"
        ``coupled``: the right class and its best rival move together, and new classes may come at
        any time. ``ovr``: an independent neuron a class, with targets -1 and +1. Where the targets
        are several an example, neurons are independent anyway: see :meth:`fit`.
    until : "separated", "margin" or None
        When to stop before ``max_iter`` epochs: see :mod:`hardlimit.learner`. A fit that cannot
        move any more stops too: ``stop_reason_`` is then ``settled``, ``stalled`` where the
        corrections of a batch cancel each other, ``small_step`` where one was shorter than the
        order's ``theta``, or ``cycling`` where the weights come round, which
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
        Weights of the classes: one above 1 finds more of its class, and more often wrongly. What
        a weight multiplies is the rule's affair; some refuse it. ``"balanced"`` is
        ``examples / (classes * examples of the class)``; in a stream the examples seen so far.
    random_state : int or None
        Seed of the order, >= 0. The same seed gives the same bits on every machine.
    scale : "none", "rows", "maxabs" or "standard"
        In which units the learner sees X: see :mod:`hardlimit.scaling`. Measured by ``fit``, part
        of the model, kept by streams. ``coef_`` and ``intercept_`` are in the units of X all the
        same: ``decision_function(X)`` is ``X @ coef_.T + intercept_`` to rounding (``"rows"``: of
        X in rows of unit length). Columns whose norms differ by more than 1,000 are warned of
        where nothing scales them.
    map : None, str or map
        New columns that the learner sees in the place of those of X, of :mod:`hardlimit.maps`:
        ``"polynomial"``, ``"cross"`` or an object such as ``maps.Polynomial(degree=3)``. Part of
        the model and of its file, so that ``predict`` takes rows as they are; ``scale`` comes
        after it, and ``coef_`` has a weight for each new column (``map_`` has their names).
    skip : "auto", True or False
        Whether rows that provably call for no correction are passed over: the same bits from fewer
        products. ``"auto"`` does so in long runs, where it pays; ``history_`` tells the share of
        rows that were visited. It goes with two classes, orders that present row by row, and
        additive rules that require the same of all rows of a class (perceptron, margin perceptron,
        PAUM, relaxation, passive-aggressive, with a schedule, weights or ``guards.Margin``);
        elsewhere every row is visited, whatever is said here.

    probability : bool
        Whether ``fit`` also fits what :meth:`predict_proba` needs, by a second fit on three
        quarters of the rows; of fewer than 1,000 rows five fits. Not with several labels a row.
    n_jobs : int or None
        Threads: None is 1 and -1 all cores. They learn the folds of a calibration and of
        :meth:`tune`, and groups of neurons that learn by themselves (``multiclass="ovr"``, several
        labels) where there are enough, 12 a thread at least; and shards. Other fits have one. All
        results are the same, to the last bit; a model file does not hold it.
    shards : int
        Parts of the rows that learn each epoch side by side, from the same weights, which are then
        mixed (iterative parameter mixing: see :mod:`hardlimit.engine.mixing`): by as many threads
        as ``n_jobs`` says. 1 is the ordinary run. Row r is in shard ``r mod shards``. The number
        of shards changes the result, the number of threads does not. For rules that only add:
        ``docs/choices.md``.
    mixing : "auto", "uniform", "mistakes", "inertial" or "accelerated"
        The share of a shard in the mixture: the same for all (``"uniform"``); in proportion to its
        corrections in the epoch (``"mistakes"``); or the same for all, and then on with momentum
        (``"inertial"``, and ``"accelerated"``, which also moves further than the mean:
        :mod:`hardlimit.engine.acceleration`). ``"auto"`` is ``"inertial"`` for rules that require a
        margin, as passive-aggressive, and ``"uniform"`` for the perceptron. With momentum the
        default of ``readout`` is ``"last"``.

    Notes
    -----
    Cost of an epoch: O(nnz x outputs); memory limits it. The interpreter's lock is released.
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
    >>> sorted(clf.validation_scores_)[:3]
    ['averaged', 'last', 'longest']
    >>> clf.with_readout("voted").predict([[2, 2]])
    array(['yes'], dtype='<U3')
    >>> batch = LinearClassifier("relaxation", order="batch", schedule="line-search").fit(X, y)
    >>> batch.stop_reason_
    'separated'
    """

    rule: RuleLike = "perceptron"
    _: KW_ONLY
    scale: ScaleLike = "none"
    map: MapLike = None
    skip: bool | str = "auto"
    shards: int = 1
    mixing: str = "auto"

    @with_own_workers
    def fit(
        self,
        X: ArrayLike,
        y: Targets,
        sample_weight: SampleWeight = None,
        *,
        initial_weights: ArrayLike | None = None,
        count_examples: bool = False,
        validation: tuple[Any, Any] | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn from all examples, from zero weights or from those that are given.

        Parameters
        ----------
        X : (n_rows, n_columns) array or CSR matrix of finite numbers
        y : (n_rows,) labels, at least two different ones; or targets of M neurons that learn by
            themselves: (n_rows, M), any two values a column, or a list of sets of labels (see
            :mod:`hardlimit.classifiers.model.many_labels`)
        sample_weight : (n_rows,) numbers >= 0; an example of weight 0 is absent
        initial_weights : where a rule that adds begins: (n_columns + 1,), the bias's weight last
            (its intercept is that times ``bias_feature``), or a row an output, (n_outputs,
            n_columns + 1); without a bias a number less. Not with ``scale``, nor with votes.
        count_examples : whether to count how often each example was corrected: ``n_i_``, and
            ``alpha_i_``, which the perceptron's weights are a sum by; not in batches
        validation : (X, y) to be scored by every kept read-out: ``validation_scores_``
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        InputError
            Numbers that are not finite, lengths that differ, one class only.

        Examples
        --------
        >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
        >>> clf = LinearClassifier(order="cyclic", readout="last")
        >>> clf.fit(X, y, initial_weights=[2, 2, 2]).n_corrections_
        0
        """
        fit.check_pair(validation)
        choices = self.check_parameters()
        plan = fit.make_plan(choices, callback)
        # Code of the user's that runs in the middle of the fit could change the very arrays.
        interferes = callback is not None or compiled_name(choices.rule) is None
        names, (mapped, own_map) = feature_names(X), map_rows(choices.map, X)
        layout = layout_of(mapped)
        n_rows = layout.n_rows
        # Everything is checked before the old model is let go; what takes longest comes last.
        labels = WholeNumbers.read(y, n_rows) or read_labels(n_rows, y)
        examples = check_labels(choices, labels, sample_weight)
        if labels is not y:
            of_labels(labels).warn(labels, examples.present)
        training = Training(choices, examples.book, layout.n_columns)
        rows, scale = fit.read_rows(training, layout, examples, guarded=interferes)
        model = fit.fit_rows(
            training,
            rows,
            examples,
            plan,
            self.adopt,
            start=initial_weights,
            count=as_truth("count_examples", count_examples),
            scale=scale,
            feature_names=names,
            map=own_map,
        )
        if self.probability:
            given_weights = sample_weight, initial_weights
            each = labels.to_list() if isinstance(labels, WholeNumbers) else labels
            calibrate_rows(type(self), model, X, each, *given_weights)
        self._validate(model, validation)
        return self

    @classmethod
    def from_weights(
        cls,
        weights: Mapping[str, float] | ArrayLike,
        threshold: float | Sequence[float] = 0.0,
        *,
        classes: Targets = (-1, 1),
        **parameters: Any,
    ) -> Self:
        """Make a classifier of weights that are known; it predicts, is saved, and learns on.

        Parameters
        ----------
        weights : a number for each column, by its name or in order; for more than two classes a
            row each, (n_classes, n_columns)
        threshold : what a score must exceed: the second class is predicted where
            ``<weights, x> > threshold``. It is the bias's weight, and moves when learning goes on.
        classes : the two classes, or one for each row
        parameters : of the constructor: the rule that learns on, the bias's feature, ...

        Raises
        ------
        InputError, KindError
            No numbers, other classes than rows, a rule that does not begin at given weights.

        Examples
        --------
        >>> clf = LinearClassifier.from_weights({"x1": 1, "x2": 1}, threshold=-1)  # OR
        >>> clf.predict([[-1, -1], [1, -1]]).tolist(), clf.stop_reason_
        ([-1, 1], 'given')
        >>> clf.partial_fit([[1, -1]], [-1]).n_corrections_  # AND: learns on
        1
        """
        classifier = cls(**parameters)
        choices = classifier.check_parameters()
        if choices.map is not None:
            raise InputError(
                "the weights are of the columns of X",
                parameter="map",
                got=choices.map,
                fix="leave the map out",
            )
        columns = given.read_columns(weights)
        book = given.make_book(as_list(classes), len(columns.weights))
        return classifier.adopt(
            given.make_model(choices, book, columns.weights, threshold, feature_names=columns.names)
        )

    @with_own_workers
    def partial_fit(
        self,
        X: ArrayLike,
        y: Targets,
        sample_weight: SampleWeight = None,
        *,
        classes: Targets | None = None,
    ) -> Self:
        """Present each row once, in order, continuing the training state.

        New classes may come at any time (not with ``multiclass="ovr"``) and are appended to
        ``classes_``. Before a second class is known there is nothing to learn: where the first rows
        are all of one class, name the others with ``classes=``.

        From now on the read-out of the current state answers. An average over many presentations
        moves slowly; ``with_readout("last")`` follows each correction at once.

        Cost: O(non-zeros of the rows x outputs), whatever the number of columns.
        """
        return self._learn_batch(X, y, sample_weight, classes)

    def _begin_search(self, examples: Any) -> NumberFront:
        from hardlimit.classifiers.tuning import NumberFront  # start-up: few are tuned

        return NumberFront(self, examples)

    def _begin_model(self, choices: Choices, X: Any, y: Targets, classes: Targets | None) -> Begun:
        names, (mapped, own_map) = feature_names(X), map_rows(choices.map, X)
        rows, scale = rows_of(mapped, choices.bias), stream.begin_scale(choices.scale)
        labels = read_labels(rows.n_rows, y, classes=classes)
        more: dict[str, Any] = {"scale": scale, "feature_names": names, "map": own_map}
        model = stream.begin(choices, rows.n_columns, labels, classes, **more)
        return Begun(model, model.rows_to_learn(rows), labels)

    def measure_run(
        self, X: ArrayLike, y: Targets, verdict: Verdict | None = None
    ) -> tuple[ModelRun, list[MarginProblem]]:
        """What :func:`hardlimit.bounds.of` asks: the run, and the geometry of these rows."""
        return measure_rows(self.fitted, X, y, verdict)

    @property
    def n_features_in_(self) -> int:
        """Columns of X."""
        model = self.fitted
        return model.n_columns if model.map is None else model.map.n_features_in_

    @property
    def map_(self) -> FeatureMap | None:
        """The map as the model has it, fitted to the columns of X; None without."""
        return self.fitted.map
