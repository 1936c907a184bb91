"""Error-driven classification in the space of a kernel."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from hardlimit import budgets, kernels, orders, rules
from hardlimit.classifiers import kernel_choices, measuring
from hardlimit.classifiers.base import Labels, Scores
from hardlimit.classifiers.kernel_answer import KernelAnswer
from hardlimit.classifiers.kernel_training import KernelTraining
from hardlimit.classifiers.labels import LabelBook
from hardlimit.classifiers.learning import Examples, LearningModel, labels_for
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.training import Method, new_examples
from hardlimit.engine import Points, Products
from hardlimit.exceptions import InputError
from hardlimit.learner import Outcome, Plan

# Kernel values that a look at the training errors may cost, where there were few epochs.
LOOK = 1 << 22
EPOCHS = 8


class KernelClassifier(LearningModel):
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
        ``"shuffled"``, ``"cyclic"`` or ``"random"``.
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
    After a short fit of many rows ``n_training_errors_`` is None: to count them would cost more
    than the fit.

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
        kernel: Any = "rbf",
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
        fit_intercept: bool = False,
        bias_feature: float = 1.0,
        class_weight: Any = None,
        budget: Any = None,
        random_state: int | None = 0,
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, callback: Any = None) -> Self:
        """Learn from all examples, from no support.

        Parameters
        ----------
        X : (n_rows, n_columns) array or CSR matrix; the (n_rows, n_rows) matrix if precomputed
        y : (n_rows,) labels, at least two different ones
        sample_weight : (n_rows,) numbers >= 0; an example of weight 0 is absent
        callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch

        Raises
        ------
        InputError
            Numbers that are not finite, lengths that differ, one class only; a precomputed matrix
            that is not square, symmetric and positive semi-definite.
        """
        method, plan = self._check_parameters(), self._plan(callback)
        interferes = callback is not None or not rules.is_registered(method.rule)
        points = Points.of(X, guarded=interferes)
        examples = self._examples(method, labels_for(points.n_rows, y, "X"), sample_weight)
        self._learn_points(method, points, examples, plan)
        return self

    def _learn_points(self, method: Method, points: Points, examples: Examples, plan: Plan) -> None:
        training = self._new_training(method, examples.book, points.n_rows)
        outcome = Outcome(weighted=measuring.is_weighed(examples.weights))
        round_ = new_examples(points.native, examples.targets, examples.weights, self.tol)
        training.watch(self._kept, plan.seed)
        try:
            training.learn(points, round_, plan, outcome)
        finally:
            if training.state.presentations:
                answer = self._frozen_answer(training, self._readout)
                facts = measuring.facts_of(training.diagonal, examples)
                training.diagonal = None
                self._adopt(training, outcome, answer, {"_facts": facts})
        cheap = points.n_rows * len(self._answer.numbers) <= LOOK
        if cheap or len(outcome.history) >= EPOCHS:
            self._count_errors(points, examples)
        self._warn_unreached()

    def partial_fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, classes: Any = None
    ) -> Self:
        """Present each row once, in order, continuing the training state.

        As in :meth:`LinearClassifier.partial_fit`. A row that is corrected is kept as a support, so
        that memory and the cost of a row grow with the corrections. Not with precomputed kernels,
        whose columns belong to the examples of the fit.

        Cost: a kernel value for each row and each support, and a copy of the supports a call.
        """
        fresh = self._book is None
        if kernels.resolve(self.kernel).given:
            raise InputError(
                "partial_fit: with kernel='precomputed' the columns are the examples of the fit, "
                "and new examples would be new columns; use fit, or a kernel that computes"
            )
        points = Points.of(X)
        labels = labels_for(points.n_rows, y, "X")
        training: Any = self._begin(points.n_rows, labels, classes) if fresh else self._state
        training.check_points(points)
        with training.lock:
            stream = self._stream(training, labels, sample_weight)
            if self._training is not training:
                self._adopt(training, Outcome("stream"), None, {})
            training.stream(points, stream.labels, stream.weights)
            self._training_errors = {}
        return self

    def decision_function(self, X: Any) -> Scores:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes)."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,); a tie goes to the first class."""
        return self.classes_[self._class_numbers(self._scores(X))]

    def _scores(self, X: Any) -> Scores:
        self._classes  # noqa: B018
        points = Points.of(X)
        if points.n_columns != self.n_features_in_:
            raise InputError(
                f"X: got {points.n_columns} columns, wanted {self.n_features_in_}, "
                + self._what_columns_are()
            )
        return self._row_scores(points)

    def _what_columns_are(self) -> str:
        if self._answer_here().kernel.given:
            return "the kernel's values with each example of the fit"
        return "as the model was fitted with"

    def _unchecked_scores(self, rows: Any) -> Scores:
        return self._answer_here().scores(rows)

    def _last_numbers(self, rows: Any) -> Any:
        """Its coefficients: the kernel's values were looked at before the fit."""
        state: Any = self._state.state
        return state.coefficients()

    def _answer_here(self) -> KernelAnswer:
        """The answer, made of the current state after a stream."""
        answer: KernelAnswer | None = self._frozen_now()
        if answer is None:
            training: Any = self._state
            with training.lock:
                answer = training.answer(self._readout, self.averaging)
        return answer

    def _frozen_answer(self, training: Any, readout: str) -> KernelAnswer:
        answer: KernelAnswer = super()._frozen_answer(training, readout).without_zeros()
        return answer

    def _norms_of(self, answer: Any, scores: Any) -> Any:
        coefficients, of_supports = answer.weights[:-1], scores[answer.numbers]
        return measuring.kernel_norms(coefficients, of_supports, self._scheme)

    def _last_lengths(self) -> Any:
        """Of the last weights: a look at all pairs of supports, where they are few."""
        training: Any = self._training
        if training is None or training.points is None or training.kernel.given:
            return None
        if training.points.n_rows * training.points.n_rows > LOOK:
            return None
        return self._norms_of_supports(training.answer("last", self.averaging))

    def _norms_of_supports(self, answer: KernelAnswer) -> Any:
        scores = answer.scores(answer.supports)
        return measuring.kernel_norms(answer.weights[:-1], scores, self._scheme)

    def _kernel_gram(self) -> Any:
        """All ``<w_c, w_r>`` of the outputs in the kernel's space: for distances."""
        answer = self._answer_here()
        self.dual_coef_  # noqa: B018  refuses votes
        if answer.kernel.given:
            raise InputError(
                "distances.of: with kernel='precomputed' the products of the supports with each "
                "other are not kept, so that ||w|| is not known; use a kernel that computes"
            )
        return measuring.cross(answer.weights[:-1], answer.scores(answer.supports))

    def _measured_with(self, X: Any, y: Any, verdict: Any) -> Any:
        """What :func:`hardlimit.bounds.of` asks."""
        if verdict is not None:
            raise InputError(
                "bounds.of: got a verdict, which is about the columns, for a model in the space of "
                "a kernel; leave it out"
            )
        points = Points.of(X)
        targets = self._classes.codes(labels_for(points.n_rows, y, "X"))
        answer = self._answer_here()
        if answer.kernel.given:
            raise InputError(
                "bounds.of: with kernel='precomputed' the supports' own products are not kept; "
                "use a kernel that computes"
            )
        read_outs = {
            name: (one.scores(points), self._norms_of_supports(one), None)
            for name, one in self._vectors().items()
        }
        lengths = Products(answer.kernel, answer.bias, points, points).diagonal()
        looked = measuring.Looked(lengths, targets, read_outs)
        return measuring.measured_with(self, looked, verdict)

    def _inside(self, name: str) -> Any:
        if name == "budget":
            return budgets.resolve(self.budget)
        if name == "kernel" and not callable(self.kernel):
            return kernels.resolve(self.kernel)
        return super()._inside(name)

    @property
    def _kept(self) -> tuple[str, ...]:
        budget = budgets.resolve(self.budget)
        asked = (
            self._inside("rule"),
            orders.resolve(self.order),
            kernels.resolve(self.kernel),
            budget,
        )
        return kernel_choices.kept(self.keep, self.averaging, asked, self._readout)

    @property
    def _readout(self) -> str:
        if isinstance(self.readout, Default) and self.budget is not None:
            return "last"
        return super()._readout

    def _check_parameters(self) -> Method:
        kernel, budget = kernels.resolve(self.kernel), budgets.resolve(self.budget)
        method = self._method
        kernel_choices.check(method, orders.resolve(self.order), kernel, budget)
        self._check_settings()
        self._kept  # noqa: B018
        return method

    def _new_training(self, method: Method, book: LabelBook, n_columns: int) -> KernelTraining:
        averaged = "averaged" in self._kept
        kernel = kernels.resolve(self.kernel), self._given_bias * self._given_bias
        budget = budgets.resolve(self.budget), self._plan(None).seed
        return KernelTraining(method, self.multiclass, book, n_columns, averaged, kernel, budget)

    def save(self, path: Any, *, training_state: bool = True) -> None:
        """Write a model file, whole or not at all; ``hardlimit.load`` reads it.

        ``training_state=False`` leaves out what ``partial_fit`` would continue. A kernel that is a
        function cannot be saved.
        """
        from hardlimit.classifiers import saving_kernel

        saving_kernel.save(self, path, training_state)

    def _restore_training(self, file: Any) -> None:
        from hardlimit.classifiers import saving_kernel

        self._training = saving_kernel.training_of(file, self._as_learnt())

    @property
    def support_(self) -> np.ndarray[Any, Any]:
        """Rows of the fit's X that count in the answer, in the order of their first correction.

        Empty after ``partial_fit``, whose examples have no numbers.
        """
        return self._answer_here().numbers

    @property
    def dual_coef_(self) -> np.ndarray[Any, Any]:
        """Coefficients ``beta`` of the supports, ``alpha_i y_i``, shape (n_outputs, n_supports)."""
        answer = self._answer_here()
        if answer.votes:
            raise InputError(
                f"{type(self).__name__}: a vote has no single vector of coefficients; ask "
                "with_readout('averaged') or with_readout('last') for one"
            )
        coefficients: np.ndarray[Any, Any] = answer.weights[:-1].T
        return coefficients

    @property
    def n_support_(self) -> int:
        """How many supports the answer has."""
        return int(self._answer_here().supports.n_rows)

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
        return int(self._answer_here().supports.n_columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = kernels.resolve(self.kernel).given
        return tags
