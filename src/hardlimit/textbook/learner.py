"""One neuron that is taught: what it remembers, what a rule says of an example, the correction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import Cell, Given, InputError, Setting
from hardlimit.foundation.exact_numbers import Scalar, Vector, dot, subtract
from hardlimit.foundation.signature import asks_for
from hardlimit.rules import MultiplicativeRule, Rule
from hardlimit.textbook.asking import RuleLike, ScheduleLike, ask, make_eta, prepare_rule, violates
from hardlimit.textbook.data import Examples
from hardlimit.textbook.moving import make_weights
from hardlimit.textbook.steps import Outcome, Step
from hardlimit.theory.cycling import Cycle


@dataclass(frozen=True)
class Guard:
    """Tolerance of noise: ``<w, z_i> + lam alpha_i`` is compared with ``required + margin``.

    The rule sees the margin and the length of an example that has a coordinate of its own, of
    squared length ``lam``. One that was corrected ``bound`` times is not corrected again: nothing
    is required of it.
    """

    margin: Scalar = 0
    lam: Scalar = 0
    bound: int | None = None


@dataclass(frozen=True)
class RuleLook:
    """What a rule says of an example, before anything is changed."""

    z: Vector
    margin: Any
    required: Any
    violates: bool
    scalars: dict[str, Any]


class Learner:
    """Weights and all that a rule may ask for, kept in the obvious way."""

    def __init__(
        self,
        examples: Examples,
        rule: RuleLike,
        schedule: ScheduleLike = None,
        w: Sequence[Scalar] | None = None,
        guard: Guard | None = None,
        classes: int = 1,
    ) -> None:
        self.examples = examples
        self.number = examples.number
        self.rule = prepare_rule(rule, examples)
        check_signs(self.rule, examples)
        self.schedule = schedule
        self.searching = bool(getattr(schedule, "search", False))
        self.eta = make_eta(None if self.searching else schedule, examples)
        start = initial_weights(self.rule, examples) if w is None else w
        self.weights = make_weights(self.rule, examples.start(start, classes), classes)
        self.guard = guard or Guard()
        # Who divides by a length cannot correct a row of zeros, nor move zero weights.
        self.divides = any(
            asks_for(answer, name)
            for answer in (self.rule.tau, self.rule.required, getattr(schedule, "eta", schedule))
            for name in ("sqnorm", "wsq")
        )
        self.step = 0
        self.counts = [0] * len(examples)
        self.alpha = [self.number(0)] * len(examples)

    @property
    def w(self) -> Vector:
        """The weights, the bias's last."""
        return self.weights.w

    def signed(self, i: int) -> Vector:
        """The signed row of example i: what a correction adds."""
        return self.examples.signed[i]

    def look(self, i: int) -> RuleLook:
        """Ask the rule about example i."""
        z, number, guard = self.signed(i), self.number, self.guard
        margin, sqnorm = dot(self.w, z), dot(z, z)
        scalars = {
            "z": z,
            "margin": margin,
            "sqnorm": sqnorm,
            "step": number(self.step + 1),
            "wsq": dot(self.w, self.w),
            "weight": self.examples.weights[i],
            "y": self.examples.targets[i],
            "n_i": number(self.counts[i]),
            "alpha_i": self.alpha[i],
            "variance": self.weights.variance(z),
        }
        # The lambda-trick: a coordinate of the example's own adds lam alpha_i to its margin.
        credit = number(guard.lam) * self.alpha[i]
        unguarded = ask(self.rule.required, scalars)
        required = unguarded + number(guard.margin) - credit
        # Nothing is required any more: minus infinity is violated by no margin.
        if guard.bound is not None and self.counts[i] >= guard.bound:
            required = -math.inf
        due = violates(self.rule, margin, required)
        if (sqnorm == 0 and self.divides) or not self.weights.can_move(z):
            due = False  # no correction by this row can change its margin
        extended = {"margin": margin + credit, "sqnorm": sqnorm + number(guard.lam)}
        extended["required"] = unguarded
        return RuleLook(z, margin, required, due, scalars | extended)

    def present(self, epoch: int, i: int) -> Step:
        """Look at example i and correct the weights if the rule says so."""
        look, before, tau, eta = self.look(i), self.w, self.number(0), self.number(1)
        if look.violates:
            eta = self.eta(look.scalars)
            tau = self.weights.correct(look.z, look.scalars, eta)
            self.remember(i, tau)
            self.step += 1
        delta = subtract(self.w, before)
        return Step(
            epoch, i, self.step, before, look.z, look.margin, look.required, look.violates, tau,
            delta, self.w, eta,
        )  # fmt: skip

    def refuse_search(self) -> None:
        """For the algorithms that see one example at a time."""
        if self.searching:
            raise InputError(
                "a line search needs all violators at once",
                fix=("take ", Setting("order", "batch")),
            )

    @property
    def knows_examples(self) -> bool:
        """Whether what became of each example changes what is asked of it."""
        return bool(self.guard.lam) or self.guard.bound is not None

    def remember(self, i: int, tau: Scalar) -> None:
        """Count a correction of example i."""
        self.counts[i] += 1
        self.alpha[i] += tau

    def margins(self) -> list[Any]:
        """The margin of every example under the weights as they are."""
        return [dot(self.w, self.signed(i)) for i in range(len(self.examples))]

    def find_wrong(self) -> tuple[int, ...]:
        """Return the rows with a margin <= 0."""
        return tuple(i for i, margin in enumerate(self.margins()) if margin <= 0)

    def find_short(self, tol: Scalar) -> list[int]:
        """Return the rows with a margin below what is required less ``tol``, guards left out."""
        slack = self.number(tol)
        looks = [self.look(i) for i in range(len(self.examples))]
        return [i for i, k in enumerate(looks) if k.margin < self._unguarded_required(k) - slack]

    # Without the lambda-trick's credit, so that a guard cannot make a margin look reached.
    def _unguarded_required(self, look: RuleLook) -> Any:
        return ask(self.rule.required, look.scalars | {"margin": look.margin})

    def outcome(self, reason: str, epochs: int, cycle: Cycle | None = None) -> Outcome:
        """How it ended."""
        counts, alpha = tuple(self.counts), tuple(self.alpha)
        return Outcome(reason, self.w, self.step, epochs, counts, alpha, self.find_wrong(), cycle)


def initial_weights(rule: Rule, examples: Examples) -> Vector | None:
    """Return where a rule starts that does not start at zero: Winnow's ones and its threshold."""
    if not isinstance(rule, MultiplicativeRule):
        return None
    bias = examples.bias_feature
    columns = examples.columns - (bias is not None)
    each, threshold = rule.initial_weights(columns, 0 if bias is None else bias)
    return (*[each] * columns, threshold)


def check_signs(rule: Rule, examples: Examples) -> None:
    """Refuse negative features for rules that multiply by powers of them."""
    if not rule.nonnegative:
        return
    columns = examples.columns - (examples.bias_feature is not None)
    for i, row in enumerate(examples.rows):
        j = next((j for j, v in enumerate(row[:columns]) if v < 0), None)
        if j is not None:
            raise InputError(
                where=Cell(i, j),
                got=Given(str(row[j])),
                wanted=f"0 or more, for {rule.class_name}",
                fix="take balanced-winnow, or code the features as 0 and 1",
            )
