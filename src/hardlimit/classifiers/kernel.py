"""Error-driven classification in the space of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from hardlimit import budgets, kernels
from hardlimit.classifiers.explaining import ExplainingClassifier
from hardlimit.classifiers.fitting import fit, stream
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.points import calibrate_points, fit_points
from hardlimit.classifiers.incremental import Begun
from hardlimit.classifiers.model import geometry
from hardlimit.classifiers.model.choices import (
    Choices,
)
from hardlimit.classifiers.model.compatibility import check_started
from hardlimit.classifiers.model.kernel_training import (
    KernelModel,
    KernelTraining,
    refuse_given,
)
from hardlimit.classifiers.targets import check_labels, labels_for
from hardlimit.classifiers.tunable import Tunable
from hardlimit.engine import Points, Products
from hardlimit.exceptions import InputError
from hardlimit.foundation.register import compiled_name
from hardlimit.foundation.tables import check_feature_names, feature_names
from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets
from hardlimit.foundation.workers import with_own_workers
from hardlimit.orders import OrderLike
from hardlimit.rules import RuleLike

if TYPE_CHECKING:
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.tuning import PointFront
    from hardlimit.theory.bounds import MarginProblem, ModelRun


KernelLike = kernels.Kernel | str | dict[str, object] | Callable[..., Any]
BudgetLike = budgets.Budget | str | dict[str, object] | None


@dataclass(repr=False, eq=False)
class KernelClassifier(Tunable, ExplainingClassifier):
    r"""Any additive rule of the family in the space of a kernel: the dual form.

    ::

        score_k(x) = sum_i beta_ik K(x_i, x);      predict = the class of the largest score

    over the supports ``x_i``, the examples that were corrected. The rule's ``tau`` moves
    ``beta_ik`` where it moves ``w_k`` in the primal form: with the linear kernel both make the same
    corrections, step for step.

    Parameters
    ----------
    kernel : str, kernel or function
        ``"linear"``, ``"polynomial"``, ``"rbf"``, ``"precomputed"``, an object of
        :mod:`hardlimit.kernels` such as ``kernels.Polynomial(degree=2, c=1)``, or a function
        ``k(X, Z)`` that gives a value for each row of X and each of Z.
    rule, schedule, guard, averaging, multiclass, until, max_iter, tol, class_weight, random_state
        As in :class:`LinearClassifier`. The rule must add multiples of the examples.
    order : str or order
        ``"shuffled"``, ``"blocks"``, ``"cyclic"`` or ``"random"``.
    keep, readout
        As in :class:`LinearClassifier`, without ``"pocket-ratchet"``.
    fit_intercept : bool
        True adds ``bias_feature^2`` to every kernel value. The default is False, since the RBF
        kernel needs no bias and the polynomial one has its own, the constant c.
    bias_feature : float
        As in :class:`LinearClassifier`.
    budget : None, str or budget
        An object of :mod:`hardlimit.budgets` such as ``budgets.Forgetron(100)``: which corrections
        are held when memory is limited. The default read-out is then ``"last"``: an average holds
        on to everything that it is the average of.
    probability : bool
        Whether a fit also fits the slope of ``predict_proba``, from the scores of examples that a
        second fit had not seen: as in :class:`LinearClassifier`, in at most twice the time.
    n_jobs : int or None
        Threads for the folds of a calibration: None is 1 and -1 all cores. A fit itself has one.

    Notes
    -----
    Cost of an epoch: a kernel value for each example and each support so far; the scores of a block
    of examples come from one matrix product. Wherever its rounding could decide a comparison, the
    score is computed again in the package's one order of summation, so that the corrections are
    those of the sequential run to the last bit, on every machine. Predicted classes are those of
    the exact scores likewise (those of votes as the matrix product gives them), while the scores
    of dense rows themselves may be off by what ``kernels.Kernel.bounds`` says, a relative 1e-12 or
    so. Memory: the supports; beside them in a fit the kernel matrix of all examples where it takes
    at most 256 MB (a kernel that is a function needs it always), else a block of 512 of its rows.
    After a fit of fewer than 8 epochs with more than 4 million kernel values
    between rows and supports ``n_training_errors_`` is None, since to count them would cost more
    than the fit; where the fit ended ``separated`` and no read-out was asked for they are counted
    all the same, to choose the one that answers.

    Examples
    --------
    >>> from hardlimit import KernelClassifier, kernels
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> clf = KernelClassifier(kernels.Polynomial(degree=2), order="cyclic").fit(X, y)
    >>> clf.stop_reason_, clf.predict(X), clf.support_, int(clf.n_corrections_)
    ('separated', array([0, 1, 1, 0]), array([0, 1, 2, 3]), 21)
    """

    kernel: KernelLike = "rbf"
    rule: RuleLike = "perceptron"
    _: KW_ONLY
    order: OrderLike = "shuffled"
    fit_intercept: bool = False
    budget: BudgetLike = None

    @with_own_workers
    def fit(
        self,
        X: ArrayLike,
        y: Targets,
        sample_weight: SampleWeight = None,
        *,
        initial_weights: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn from all examples, from no support.

        Parameters
        ----------
        X : (n_rows, n_columns) array or CSR matrix; the (n_rows, n_rows) matrix if precomputed
        y : (n_rows,) labels, at least two different ones
        sample_weight : (n_rows,) numbers >= 0; an example of weight 0 is absent
        initial_weights : None: in the space of a kernel there are no weights to begin at
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        InputError
            Numbers that are not finite, lengths that differ, one class only; a precomputed matrix
            that is not square, symmetric and positive semi-definite.
        """
        choices = self.check_parameters()
        if initial_weights is not None:
            check_started(choices.combination)
        plan = fit.make_plan(choices, callback)
        interferes = callback is not None or compiled_name(choices.rule) is None
        # No bias column: the bias is a constant that is added to each value of the kernel.
        points = Points.of(X, guarded=interferes)
        labels = labels_for(points.n_rows, y, "X")
        examples = check_labels(choices, labels, sample_weight)
        model = fit_points(choices, points, examples, plan, self.adopt, feature_names(X))
        if self.probability:
            calibrate_points(type(self), model, points, labels, sample_weight)
        return self

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

        As in :meth:`LinearClassifier.partial_fit`. A row that is corrected is kept as a support, so
        that memory and the cost of a row grow with the corrections. Not with precomputed kernels,
        whose columns belong to the examples of the fit.

        Cost: a kernel value for each row and each support, and a copy of the supports a call.
        """
        return self._learn_batch(X, y, sample_weight, classes)

    def _begin_search(self, examples: Any) -> PointFront:
        from hardlimit.classifiers.tuning import PointFront  # start-up: few are tuned

        return PointFront(self, examples)

    def _begin_model(
        self, choices: Choices, X: object, y: Targets, classes: Targets | None
    ) -> Begun:
        refuse_given(choices)
        points, names = Points.of(X), feature_names(X)
        labels = labels_for(points.n_rows, y, "X")
        # Before the first example nothing is known of the columns.
        kinds: tuple[Any, Any] = KernelTraining, KernelModel
        model = stream.begin(choices, 0, labels, classes, *kinds, feature_names=names)
        return Begun(model, model.rows_to_learn(points), labels)

    @property
    def fitted(self) -> KernelModel:
        """The model of the last fit, for parts of this package that look inside."""
        return cast(KernelModel, super().fitted)

    def measure_run(
        self, X: ArrayLike, y: Targets, verdict: Verdict | None = None
    ) -> tuple[ModelRun, list[MarginProblem]]:
        """What :func:`hardlimit.bounds.of` asks: the run, and the geometry of these rows."""
        if verdict is not None:
            raise InputError(
                "got a verdict, which is about the columns, for a model in the space of a kernel",
                who="bounds.of",
                fix="leave it out",
            )
        model, points = self.fitted, Points.of(X)
        check_feature_names(model.feature_names, X)
        targets = model.classes.codes(labels_for(points.n_rows, y, "X"))
        answer = model.supports
        # Lengths of weights are sums over pairs of supports, and those products are gone.
        if answer.kernel.given:
            raise InputError(
                "with kernel='precomputed' the supports' own products are not kept",
                who="bounds.of",
                fix="use a kernel that computes",
            )
        with model.reading:
            vectors: Any = model.vectors()
            read_outs = {
                name: (one.scores(points), one.lengths(model.scheme), None)
                for name, one in vectors.items()
            }
            lengths = Products(answer.kernel, answer.bias, points, points).diagonal()
            return geometry.measure(model, geometry.Looked(lengths, targets, read_outs), verdict)

    def _inside(self, name: str) -> Any:
        if name == "budget":
            return budgets.resolve(self.budget)
        if name == "kernel" and not callable(self.kernel):
            return kernels.resolve(self.kernel)
        return super()._inside(name)

    @property
    def support_(self) -> np.ndarray[Any, Any]:
        """Rows of the fit's X that count in the answer, in the order of their first correction.

        Empty after ``partial_fit``, whose examples have no numbers.
        """
        return self.fitted.supports.numbers

    @property
    def dual_coef_(self) -> np.ndarray[Any, Any]:
        """Coefficients ``beta`` of the supports, ``alpha_i y_i``, shape (n_outputs, n_supports)."""
        return self.fitted.supports.dual_coef.T

    @property
    def n_support_(self) -> int:
        """How many supports the answer has."""
        return int(self.fitted.supports.supports.n_rows)

    @property
    def coef_(self) -> Any:
        """Not there: the weights live in the space of the kernel; see ``dual_coef_``."""
        raise AttributeError(f"{type(self).__name__}: no coef_, but support_ and dual_coef_")

    @property
    def intercept_(self) -> Any:
        """Not there: the bias is part of the kernel."""
        raise AttributeError(f"{type(self).__name__}: no intercept_: the bias is in the kernel")

    @property
    def n_features_in_(self) -> int:
        """Columns of X."""
        return int(self.fitted.supports.supports.n_columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Cross-validation must then cut the matrix in both directions.
        tags.input_tags.pairwise = kernels.resolve(self.kernel).given
        return tags
