"""How weights move: what the answers of a rule mean, one class for each kind.

=================== ==============================================================================
``"tau"``           ``w <- w + tau z``
``"shrink, tau"``   ``w <- shrink w + tau z``
``"tau, linked"``   ``theta <- theta + tau z;  w = 2 sinh(theta)``
``"tau, beta"``     ``w <- w + tau S z;  S <- S - beta S z z' S``
``"factor"``        ``w_j <- w_j factor^x_j``, the bias's excepted
=================== ==============================================================================
"""

from __future__ import annotations

import math
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, Vector, add, dot, scale
from hardlimit.rules import CovarianceRule, LinkedRule, MultiplicativeRule, Rule
from hardlimit.textbook.asking import ask

Scalars = dict[str, Any]


class MovedWeights:
    """Weights that corrections are added to, after a shrink if the rule says so."""

    def __init__(self, rule: Rule, w: Vector) -> None:
        self.rule = rule
        self.w = w

    def variance(self, z: Vector) -> Any:
        """``<z, S z>``, for rules that keep a covariance S."""
        return 0

    def can_move(self, z: Vector) -> bool:
        """Whether a correction by this row could change anything, for rules that ask first."""
        return True

    def correct(self, z: Vector, scalars: Scalars, eta: Scalar) -> Any:
        """Move; answers what is added to this example's alpha."""
        shrink, tau = self.answer(scalars)
        self.w = add(scale(shrink, self.w), scale(eta * tau, z))
        return eta * tau

    def answer(self, scalars: Scalars) -> tuple[Any, Any]:
        """By how much the weights shrink (1: not at all), and tau."""
        answer = ask(self.rule.tau, scalars)
        return answer if isinstance(answer, tuple) else (1, answer)


class Linked(MovedWeights):
    """Corrections add to theta; the weights are ``2 sinh(theta)``."""

    def __init__(self, rule: Rule, w: Vector) -> None:
        super().__init__(rule, w)
        # The inverse of 2 sinh, so that given weights are those at the start.
        self.theta: Vector = tuple(math.asinh(value / 2) for value in w)

    def correct(self, z: Vector, scalars: Scalars, eta: Scalar) -> Any:
        """Move theta, and the weights with it."""
        tau = eta * ask(self.rule.tau, scalars)
        self.theta = add(self.theta, scale(tau, z))
        self.w = tuple(2 * math.sinh(value) for value in self.theta)
        return tau


class WithCovariance(MovedWeights):
    """Weights with a covariance S, kept in blocks; what lies between blocks is dropped.

    A block is one column (diagonal), or all columns of a class (full). A rule whose corrections
    stand ``apart`` is asked for each block as if it were alone.
    """

    def __init__(self, rule: Rule, w: Vector, classes: int) -> None:
        super().__init__(rule, w)
        size = len(w) // classes if rule.covariance == "full" else 1
        start = rule.initial_variance
        self.blocks = [range(k, k + size) for k in range(0, len(w), size)]
        # A zero made of `start` is a fraction where that is one.
        self.S = [
            [[start if i == j else 0 * start for j in block] for i in block]
            for block in self.blocks
        ]

    def _parts(self, z: Vector) -> list[tuple[int, Vector, Vector]]:
        """Number, part of z, and S z of each block that z touches."""
        parts = [(k, tuple(z[j] for j in block)) for k, block in enumerate(self.blocks)]
        return [(k, of, tuple(dot(row, of) for row in self.S[k])) for k, of in parts if any(of)]

    def can_move(self, z: Vector) -> bool:
        """A row of zeros has no variance."""
        return any(z)

    def variance(self, z: Vector) -> Any:
        """``<z, S z>``."""
        return sum(dot(of, g) for _, of, g in self._parts(z))

    def correct(self, z: Vector, scalars: Scalars, eta: Scalar) -> Any:
        """Move weights and covariance."""
        w = list(self.w)
        tau, beta = ask(self.rule.tau, scalars)
        for k, of, g in self._parts(z):
            block = self.blocks[k]
            if self.rule.apart:
                # Blocks apart are neurons of their own, each with its own margin and variance.
                margin = dot([self.w[j] for j in block], of)
                part = {"margin": margin, "variance": dot(of, g)}
                tau, beta = ask(self.rule.tau, scalars | part)
            for i, gi in zip(block, g, strict=True):
                w[i] += tau * gi
            self.S[k] = [
                [s - beta * gi * gj for s, gj in zip(row, g, strict=True)]
                for row, gi in zip(self.S[k], g, strict=True)
            ]
        self.w = tuple(w)
        return scalars["weight"] if self.rule.apart else tau


class Multiplied(MovedWeights):
    """Positive weights that are multiplied; the bias's is a threshold that stays."""

    def can_move(self, z: Vector) -> bool:
        """Not a row of zeros, nor one of eliminated columns."""
        return any(wj and xj for wj, xj in zip(self.w[:-1], z[:-1], strict=True))

    def correct(self, z: Vector, scalars: Scalars, eta: Scalar) -> Any:
        """Multiply by ``factor^x_j``."""
        # z is signed; the powers are of the features as they are, which y z gives back.
        factor = ask(self.rule.tau, scalars)
        x = scale(scalars["y"], z)
        columns = zip(self.w[:-1], x[:-1], strict=True)
        self.w = (*(wj * factor**xj if xj else wj for wj, xj in columns), self.w[-1])
        return 1


def make_weights(rule: Rule, w: Vector, classes: int = 1) -> MovedWeights:
    """The weights of a rule, by what it answers; ``w`` holds the rows of all classes."""
    if isinstance(rule, LinkedRule):
        return Linked(rule, w)
    if isinstance(rule, CovarianceRule):
        return WithCovariance(rule, w, classes)
    return Multiplied(rule, w) if isinstance(rule, MultiplicativeRule) else MovedWeights(rule, w)
