"""Error-driven classification in the space of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from hardlimit import budgets, kernels
from hardlimit.classifiers.base import Labels, Scores
from hardlimit.classifiers.fitting import fit, stream
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.points import calibrate_points, fit_points
from hardlimit.classifiers.incremental import Begun
from hardlimit.classifiers.model import geometry
from hardlimit.classifiers.model.answers import KernelAnswer
from hardlimit.classifiers.model.choices import (
    Choices,
    ClassWeight,
    Default,
    GuardLike,
    KeepLike,
    ScheduleLike,
)
from hardlimit.classifiers.model.compatibility import check_started
from hardlimit.classifiers.model.explanation import Explanation, chosen_and_rival
from hardlimit.classifiers.model.kernel_training import KernelModel, KernelTraining
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.number_explanation import explain_supports, one_row
from hardlimit.classifiers.targets import check_labels, labels_for
from hardlimit.classifiers.tunable import Tunable
from hardlimit.engine import Points, Products
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.register import compiled_name
from hardlimit.foundation.tables import check_feature_names, feature_names
from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets
from hardlimit.foundation.workers import with_own_workers
from hardlimit.orders import OrderLike
from hardlimit.rules import RuleLike

if TYPE_CHECKING:
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.tuning import PointFront
    from hardlimit.theory.bounds import Part, Run


KernelLike = kernels.Kernel | str | dict[str, object] | Callable[..., Any]
BudgetLike = budgets.Budget | str | dict[str, object] | None


class KernelClassifier(Tunable):
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

    def __init__(
        self,
        kernel: KernelLike = "rbf",
        rule: RuleLike = "perceptron",
        *,
        order: OrderLike = "shuffled",
        schedule: ScheduleLike = None,
        guard: GuardLike = None,
        keep: KeepLike = ("last", "averaged"),
        readout: str = Default("averaged"),
        averaging: str = "post",
        multiclass: str = "coupled",
        until: str | None = Default("separated"),
        max_iter: int = 1000,
        tol: float = 0.0,
        fit_intercept: bool = False,
        bias_feature: float = 1.0,
        class_weight: ClassWeight = None,
        budget: BudgetLike = None,
        random_state: int | None = 0,
        probability: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
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
        self.budget = budget
        self.random_state = random_state
        self.probability = probability
        self.n_jobs = n_jobs

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
        self._refuse_given(choices)
        points, names = Points.of(X), feature_names(X)
        labels = labels_for(points.n_rows, y, "X")
        # Before the first example nothing is known of the columns.
        kinds: tuple[Any, Any] = KernelTraining, KernelModel
        model = stream.begin(choices, 0, labels, classes, *kinds, feature_names=names)
        return Begun(model, self._rows_to_learn(model, points), labels)

    def _read_batch(self, model: Model, X: object) -> tuple[Points, int]:
        self._refuse_given(model.choices)
        check_feature_names(model.feature_names, X)
        points, training = Points.of(X), cast(KernelTraining, model.state)
        training.check_points(points)
        return points, points.n_rows

    def _rows_to_learn(self, model: Model, batch: Points) -> Points:
        cast(KernelTraining, model.state).begin_points(batch)
        return batch

    @staticmethod
    def _refuse_given(choices: Choices) -> None:
        """Refuse to go on with a matrix whose columns are the examples of a fit."""
        if choices.kernel is not None and choices.kernel.given:
            raise InputError(
                "with kernel='precomputed' the columns are the examples of the fit, and new "
                "examples would be new columns",
                who="partial_fit",
                fix="use fit, or a kernel that computes",
            )

    @with_own_workers
    def decision_function(self, X: ArrayLike) -> Scores:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes)."""
        scores = self._scores(self.fitted, X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @with_own_workers
    def predict(self, X: ArrayLike) -> Labels:
        """Classes of the rows, shape (n_rows,); a tie goes to the first class."""
        # Asked once: a fit in another thread puts a new model in its place.
        model = self.fitted
        answer: Any = model.answer
        return model.decide(self._points(model, answer, X), answer)

    def explain(
        self, x: Any, top: int | None = None, *, against: Hashable | None = None
    ) -> Explanation:
        """Why this row gets its class: every support with what it adds, largest first.

        A support adds its coefficient times ``K(support, x)``, its value; ``row 3`` is that of the
        fit's X (after ``partial_fit`` supports count by themselves). ``against`` and ``top`` as in
        :meth:`LinearClassifier.explain`. Not for votes, which have no single coefficients.
        """
        model, X = self.fitted, one_row(x)
        answer = self._kernel_answer(model)
        with model.reading:
            points = self._points(model, answer, X)
            scores = model.scores(points, answer)[0].tolist()
            coefficients, values = answer.dual_coef, answer.values_of(points)
            numbers, labels = answer.numbers, list(model.classes.numbers)
        pair = chosen_and_rival(scores, labels, model.threshold, against)
        return explain_supports(
            labels,
            pair,
            coefficients,
            values,
            lambda i: f"row {numbers[i]}" if len(numbers) else f"support {i}",
            top,
        )

    def _kernel_answer(self, model: Model | None = None) -> KernelAnswer:
        """The supports that answer, and what each counts; of the current state after a stream."""
        answer: Any = (model or self.fitted).answer
        kernel_answer: KernelAnswer = answer
        return kernel_answer

    def _scores(self, model: Model, X: ArrayLike) -> Scores:
        answer: Any = model.answer
        return model.scores(self._points(model, answer, X), answer)

    def _repeatable_scores(self, model: Model, X: ArrayLike) -> Scores:
        answer: Any = model.answer
        return model.repeatable_scores(self._points(model, answer, X))

    @staticmethod
    def _points(model: Model, answer: KernelAnswer, X: ArrayLike) -> Points:
        """Return X where its columns are those of the model."""
        check_feature_names(model.feature_names, X)
        points = Points.of(X)
        if points.n_columns != answer.n_columns:
            columns = (
                "the kernel's values with each example of the fit"
                if answer.kernel.given
                else "as the model was fitted with"
            )
            raise InputError(
                parameter="X",
                got=Given(f"{plural(points.n_columns, 'column')}"),
                wanted=f"{answer.n_columns}, {columns}",
            )
        return points

    def measure_run(
        self, X: ArrayLike, y: Targets, verdict: Verdict | None = None
    ) -> tuple[Run, list[Part]]:
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
        answer = self._kernel_answer(model)
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
        return self._kernel_answer().numbers

    @property
    def dual_coef_(self) -> np.ndarray[Any, Any]:
        """Coefficients ``beta`` of the supports, ``alpha_i y_i``, shape (n_outputs, n_supports)."""
        return self._kernel_answer().dual_coef.T

    @property
    def n_support_(self) -> int:
        """How many supports the answer has."""
        return int(self._kernel_answer().supports.n_rows)

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
        return int(self._kernel_answer().supports.n_columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Cross-validation must then cut the matrix in both directions.
        tags.input_tags.pairwise = kernels.resolve(self.kernel).given
        return tags
