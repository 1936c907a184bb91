"""The training state of a model with a kernel: coefficients of supports, and no weights."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from hardlimit import _native, budgets, kernels, rules, schedules
from hardlimit.classifiers.model.answers import KernelAnswer, Votes, Weights
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import GRAM_BYTES, DualState, Points, Products, new_holding, pair_examples
from hardlimit.exceptions import Given, HardlimitWarning, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_memory
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.signature import asks_for
from hardlimit.foundation.tables import check_feature_names
from hardlimit.foundation.types import Array
from hardlimit.learner import BUDGET, FitOutcome, Plan, Round

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation

# Pairs of supports that are looked at for the length of the last weights.
FEW_PAIRS = 1 << 22


class KernelModel(Model):
    """A model in the space of a kernel, whose columns are those of its supports."""

    codec = "kernel"

    @property
    def n_columns(self) -> int:
        """Columns of the rows that the model takes."""
        return self.answer.n_columns

    @property
    def supports(self) -> KernelAnswer:
        """The supports that answer, and what each counts; of the current state after a stream."""
        return cast(KernelAnswer, self.answer)

    def read_batch(self, X: object) -> tuple[Points, int]:
        """Return rows whose columns are those of the supports, and how many."""
        refuse_given(self.choices)
        check_feature_names(self.feature_names, X)
        points = Points.of(X)
        cast(KernelTraining, self.state).check_points(points)
        return points, points.n_rows

    def rows_to_learn(self, batch: Points) -> Points:
        """Return the rows of a batch, which is the first one if no columns are known."""
        cast(KernelTraining, self.state).begin_points(batch)
        return batch

    def read(self, X: object, answer: KernelAnswer | None = None) -> Points:
        """Return X where its columns are those of the supports that answer."""
        check_feature_names(self.feature_names, X)
        points, answer = Points.of(X), answer or self.supports
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

    def scores_of(self, X: object) -> Array:
        """Scores (n_rows, n_outputs), finite."""
        answer = self.supports
        return self.scores(self.read(X, answer), answer)

    def repeatable_scores_of(self, X: object) -> Array:
        """Scores with the same bits on every machine: without products of matrices."""
        return self.repeatable_scores(self.read(X))

    def predict(self, X: object) -> Array:
        """The class of each row."""
        answer = self.supports  # asked once: a stream in another thread makes new ones
        return self.decide(self.read(X, answer), answer)

    def explain(
        self,
        x: object,
        top: int | None,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why a row gets its class: what each support adds; not of votes."""
        # start-up: few processes explain
        from hardlimit.classifiers.model.number_explanation import explain_supports, one_row

        answer, classes = self.supports, self.classes
        with self.reading:
            points = self.read(one_row(x), answer)
            scores = self.scores(points, answer)[0].tolist()
            coefficients, values = answer.dual_coef, answer.values_of(points)
            numbers, labels = answer.numbers, list(classes.numbers)
        opposed = classes.oppose(labels, scores, self.threshold, against, label)

        def name(support: int) -> str:
            return f"row {numbers[support]}" if len(numbers) else f"support {support}"

        return explain_supports(opposed, coefficients, values, name, top)


def refuse_given(choices: Choices) -> None:
    """Refuse to go on with a matrix whose columns are the examples of a fit."""
    if choices.kernel is not None and choices.kernel.given:
        raise InputError(
            "with kernel='precomputed' the columns are the examples of the fit, and new "
            "examples would be new columns",
            who="partial_fit",
            fix="use fit, or a kernel that computes",
        )


class KernelTraining(Training):
    """What ``partial_fit`` continues: the supports so far and their coefficients.

    ``points`` are the rows of the supports, ``numbers`` their places in the examples of the fit.
    """

    state: DualState
    diagonal: Any = None  # K(x, x) of the examples of the fit, while it is under way

    def _begin(self, choices: Choices, rule: rules.Rule, book: LabelBook, mistakes: int) -> None:
        super()._begin(choices, rule, book, mistakes)
        if choices.kernel is None:
            raise KindError(parameter="kernel", got=None, wanted="a kernel, such as 'rbf'")
        self.kernel, self.budget = choices.kernel, choices.budget
        # A column of the constant b would add b * b to each inner product.
        self.bias = choices.bias * choices.bias  # what it adds to each value of the kernel
        self.points: Points | None = None
        self.numbers_of_rows: Any = np.empty(0, np.int64)

    def _blank_state(
        self, rule: _native.Rule, scheme: str, n_columns: int, outputs: int, averaged: bool
    ) -> DualState:
        state = DualState(rule, scheme, n_columns, outputs, averaged)
        state.exact_margins = asks_margin(self.rule, self.choices.schedule)
        if self.budget is not None:
            # A budget that compares margins needs more than their signs.
            state.exact_margins |= self.budget.required > 0
            state.inverts = f"budgets.{type(self.budget).__name__}" if self.budget.inverts else ""
            state.set_holding(self._holding(self.budget))
        return state

    def _holding(self, budget: budgets.Budget) -> Any:
        parameters = budget.compiled_parameters()
        name, seed = budgets.BUDGETS.name_of(budget), self.choices.seed
        return new_holding(name, parameters, seed, budgets.NEGLIGIBLE)

    def _require_weights(
        self, rule: _native.Rule, scheme: str, n_columns: int, outputs: int, averaged: bool
    ) -> None:
        require_memory(n_columns, outputs, averaged)  # coefficients of supports: never in cells

    def _rule_asked(self) -> Any:
        """The rule, which lets a budget that wants them see small margins too."""
        if self.budget is None or self.budget.required == 0:
            return self.rule
        return rules.get("margin-perceptron", b=self.budget.required)

    def _split(self) -> rules.Split:
        if self.budget is not None:
            raise InputError(
                "a third class came to a model of two on a budget, whose entries cannot be split",
                who="labels",
                fix="name all classes from the start with partial_fit(..., classes=[...])",
            )
        return super()._split()

    def numbers(self) -> dict[str, Any]:
        """With what the budget remembers."""
        return super().numbers() | {"held": self.state.held}

    def _state_of(self, numbers: dict[str, Any]) -> DualState:
        state: Any = super()._state_of(numbers)
        if self.budget is not None:
            state.held = numbers["held"]
        restored: DualState = state
        return restored

    def learn(self, points: Points, round_: _native.Examples, plan: Plan, out: FitOutcome) -> None:
        """Learn from these examples, as long as the plan says."""
        products = Products(self.kernel, self.bias, points, points)
        self._check(products)
        # Before the first presentation: one NaN in the matrix would spoil every score.
        products.check_finite()
        self.diagonal = products.diagonal()
        how = self._how_far(ahead(products, plan.max_iter))
        self.state.examples(products, 0, how, kernels.combined)
        try:
            self.fit(round_, plan, out)
        finally:
            self._keep_supports(points)
        self._warn_of_nothing_held()

    def _warn_of_nothing_held(self) -> None:
        """A tolerance that forgives every mistake leaves nothing to answer with."""
        budget: Any = self.budget
        if self.state.inverts and self.corrections and not len(self.state.supports):
            warnings.warn(
                f"{self.state.inverts}: {plural(self.corrections, 'mistake')} and no example was "
                f"held, since each lies within eta={budget.eta:g} of nothing: all scores are 0; "
                "wanted an eta below the K(x, x) of the examples",
                HardlimitWarning,
                stacklevel=caller_stacklevel(),
            )

    def _detector(self, round_: Round, plan: Plan) -> None:
        """None: coefficients only grow, and the weights themselves are nowhere."""

    def _running_margin(self, round_: Round, plan: Plan, out: FitOutcome) -> None:
        """None: the length of the weights would cost a look at all supports."""

    def _how_far(self, ahead: str) -> str:
        """Scores ahead, which a budget that takes corrections back would make stale each time."""
        return ahead if self.budget is None or self.budget.votes else "nothing"

    def _check(self, products: Products) -> None:
        """Refuse a matrix of no inner products."""
        if products.matrix is None:
            return
        who = f"kernel {self.kernel!r}"
        kernels.check_square(products.matrix, who)
        if not getattr(self.kernel, "indefinite", False):
            given = products.rows.arrays[-1].dtype if self.kernel.given else products.matrix.dtype
            kernels.check_semidefinite(products.matrix, who, kernels.precision_of(given))

    def _keep_supports(self, points: Points) -> None:
        """From now on only the supports are remembered of the examples."""
        self.numbers_of_rows = np.array(self.state.kept(), np.int64)
        self.state.compact()
        if self.kernel.given:  # no other rows will ever be multiplied with theirs
            self.points = Points.blank(len(self.numbers_of_rows), points.n_columns)
        else:
            self.points = points.take(self.numbers_of_rows)
        self.state.release()
        # Coefficients of examples that were never corrected are zeros, and are let go.
        self.state.resize(len(self.numbers_of_rows))

    def _take_hypotheses(self, round_: _native.Examples) -> None:
        if not self.watched or not self.state.presentations:
            return
        self.state.close(round_)
        n = len(self.state.supports)
        for name in self.watched:
            if name != "voted":
                kept: Any = self.state.hypothesis(name)
                self.kept[name] = kept[: n + 1]
        self.state.resize(n)
        if "voted" in self.watched:
            self.kept["voted"] = Votes(self.state.votes(round_))
        self.watched = ()
        self.state.watch([], 0)

    def answer(self, readout: str, averaging: str, single_precision: bool = False) -> KernelAnswer:
        """Return the read-out with its supports, as it is now."""
        counts: Any = super().answer(readout, averaging, single_precision)
        if isinstance(counts, Weights):
            counts = counts.array
        return KernelAnswer(self.kernel, self.bias, self._points(), self.numbers_of_rows, counts)

    def frozen_answer(self, readout: str, averaging: str) -> KernelAnswer:
        """Return the answer of a fit: supports that count nothing are left out."""
        return self.answer(readout, averaging).without_zeros()

    def live_answer(self, readout: str, averaging: str) -> KernelAnswer:
        """Return the read-out as it is now: a stream moves the supports themselves."""
        with self.reading:
            return self.answer(readout, averaging)

    def last_is_finite(self, rows: Any) -> bool:
        """Whether the coefficients are finite: the kernel's values were looked at before."""
        return bool(np.isfinite(self.state.coefficients()).all())

    def last_lengths(self) -> Any:
        """Of the last weights: a look at all pairs of supports, where they are few."""
        points = self.points
        if points is None or self.kernel.given or points.n_rows * points.n_rows > FEW_PAIRS:
            return None
        return self.answer("last", "post").lengths(self.scheme)

    def _points(self) -> Points:
        if self.points is None:
            raise InputError("the model has seen no examples yet", who="kernel")
        return self.points

    def begin_points(self, points: Points) -> None:
        """Hold no support yet, of rows like these, where none were seen before."""
        if self.points is None:
            self.points = points.take([])

    def check_points(self, points: Points) -> None:
        """Refuse rows of another number of columns than those before."""
        if self.points is not None and self.points.n_columns != points.n_columns:
            raise InputError(
                parameter="X",
                got=Given(f"{plural(points.n_columns, 'column')}"),
                wanted=f"{self.points.n_columns}, as the model was fitted with",
            )

    def _present(
        self, rows: Any, targets: Array, weights: Array | None, positions: Array | None
    ) -> None:
        """Present these rows of a stream; what was learnt before comes first among the examples."""
        before = self._points()
        n, joined = before.n_rows, before.joined(rows)
        products = Products(self.kernel, self.bias, joined, joined)
        products.check_finite()
        self._attach(products, n)
        try:
            round_ = pair_examples(
                joined.native,
                # The supports come first and are never presented; nobody looks at their targets.
                np.concatenate([np.zeros(n, np.int32), targets]),
                None if weights is None else np.concatenate([np.ones(n), weights]),
            )
            chosen = np.arange(len(targets)) if positions is None else positions
            # Only the new rows; the supports stand there to be multiplied with.
            round_.set_order(n + chosen)
            position = 0
            while position < round_.length:
                position = self.state.present(round_, position, BUDGET)
        finally:
            # Also after an interruption: points and coefficients must stay one to one. The matrix
            # goes first, and leaves the room for what follows.
            self.state.release()
            self._keep_corrected(joined)
        self.mistakes += sum(tally[0] for tally in self.state.take_tally())
        self._warn_of_nothing_held()

    def _attach(self, products: Products, n_supports: int) -> None:
        """Take examples, of which the first are the supports so far, or change nothing."""
        self.state.resize(products.rows.n_rows)
        try:
            self.state.examples(products, n_supports, self._how_far("block"), kernels.combined)
        except BaseException:
            self.state.resize(n_supports)
            raise

    def _keep_corrected(self, joined: Points) -> None:
        """From now on only the supports are remembered of the examples of a stream."""
        try:
            points = joined.take(np.array(self.state.kept(), np.int64))
            self.state.compact()
        except MemoryError:
            # Then all of them are, for which there is room: what was not corrected counts 0.
            self.state.spread()
            self._keep(joined)
            raise
        self._keep(points)

    def _keep(self, points: Points) -> None:
        self.points = points
        self.numbers_of_rows = np.empty(0, np.int64)
        self.state.resize(points.n_rows)

    def add_class(self, label: Hashable) -> None:
        """Append a class to those known; the lengths of its weights are sums over the supports."""
        if self.points is not None:
            products = Products(self.kernel, self.bias, self.points, self.points)
            self.state.examples(products, self.points.n_rows, "nothing", kernels.combined)
        super().add_class(label)


def ahead(products: Products, epochs: int) -> str:
    """Whose scores are computed ahead: of all examples, or of a block at a time."""
    n = products.rows.n_rows
    whole = n * n * 8 <= GRAM_BYTES and epochs > 1
    return "all" if whole or products.matrix is not None else "block"


def asks_margin(rule: rules.Rule, schedule: schedules.Schedule | None) -> bool:
    """Whether the margin itself decides how far to move, and not only that it is short."""
    asks = any(asks_for(method, "margin", "wsq") for method in (rule.tau, rule.required))
    return asks or bool(getattr(schedule, "only_margin", False))
