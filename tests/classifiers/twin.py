"""The online loop again, slow and obvious: the oracle of the compiled one.

To the last bit, except for rules that shrink: the compiled loop keeps w = scale * v there, and
rounds otherwise. Works on floats in the package's order of summation, or on ints and Fractions,
where every order gives the same.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import nnls


def tree(sums):
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))


def dot(w, x, bias):
    sums = [0] * 8
    for column, value in enumerate(x):
        sums[column & 7] += w[column] * value
    return tree(sums) + w[len(x)] * bias


def sqnorm(x, bias):
    sums = [0] * 8
    for column, value in enumerate(x):
        sums[column & 7] += value * value
    return tree(sums) + bias * bias


def asked(rule):
    """The scalars that a rule's two questions name."""
    methods = [method for method in (rule.tau, rule.required) if callable(method)]
    return {
        name
        for method in methods
        for name in method.__code__.co_varnames[1 : method.__code__.co_argcount]
    }


def ask(method, scalars):
    code = method.__code__
    return method(**{name: scalars[name] for name in code.co_varnames[1 : code.co_argcount]})


class Twin:
    """w and the sum of w over the presentations, row by row, for any of the three schemes.

    Nothing is lazy: a shrink multiplies every weight, ``<w, w>`` is added up anew for each
    question, and linked weights are made from theta where they are used.
    """

    ANSWERS = ("tau", "shrink, tau", "tau, linked")

    def __init__(self, rule, scheme, n_columns, n_outputs, bias):
        self.rule, self.scheme, self.bias = rule, scheme, bias
        self.asked = asked(rule)
        self.theta = self._zeros(n_outputs, n_columns)  # w, where nothing is linked
        self.total_after = self._zeros(n_outputs, n_columns)
        self.total_before = self._zeros(n_outputs, n_columns)
        self.corrections = [0] * (n_outputs if scheme == "independent" else 1)
        self.n_i, self.alpha_i = {}, {}
        self.mistakes = 0
        self.presentations = 0

    def _zeros(self, n_outputs, n_columns):
        return [[0] * (n_columns + 1) for _ in range(n_outputs)]

    def add_class(self):
        """A row of zeros more."""
        for rows in (self.theta, self.total_before, self.total_after):
            rows.append([0] * len(rows[0]))

    @property
    def w(self):
        if self.rule.answers != "tau, linked":
            return self.theta
        return [[2 * math.sinh(value) for value in row] for row in self.theta]

    def learn(self, X, targets, epochs=1, weights=None):
        for _ in range(epochs):
            for i, (x, target) in enumerate(zip(X, targets, strict=True)):
                weight = 1 if weights is None else weights[i]
                if weight != 0:  # an example of weight 0 is absent
                    self.present(x, target, weight, i)
        return self

    def present(self, x, target, weight=1, i=None):
        w = self.w
        self._add_up(self.total_before, w)
        scores = [dot(row, x, self.bias) for row in w]
        if self.scheme == "single":
            y = 1 if target else -1
            self._judge(x, y * scores[0], [(0, y)], 0, y, weight, i)
        elif self.scheme == "independent":
            for k, score in enumerate(scores):
                y = 1 if target == k else -1
                self._judge(x, y * score, [(k, y)], k, y, weight, i)
        else:
            rivals = [k for k in range(len(scores)) if k != target]
            rival = max(rivals, key=lambda k: (scores[k], -k))
            margin = scores[target] - scores[rival]
            self._judge(x, margin, [(target, 1), (rival, -1)], 0, 1, weight, i)
        self.presentations += 1
        self._add_up(self.total_after, self.w)

    def _add_up(self, totals, w):
        for total, row in zip(totals, w, strict=True):
            for c in range(len(row)):
                total[c] += row[c]

    def _judge(self, x, margin, moves, counter, y, weight, i):
        self.mistakes += margin <= 0
        scalars = {
            "margin": margin,
            "sqnorm": len(moves) * sqnorm(x, self.bias),
            "wsq": self._wsq(counter) if "wsq" in self.asked else None,
            "step": self.corrections[counter] + 1,
            "weight": weight,
            "y": y,
            "n_i": self.n_i.get((i, counter), 0),
            "alpha_i": self.alpha_i.get((i, counter), 0),
        }
        required = self.rule.required
        if callable(required):
            required = ask(required, scalars)
        if not (margin < required or (self.rule.equality_violates and margin == required)):
            return
        if self.asked & {"sqnorm", "wsq"} and scalars["sqnorm"] == 0:
            return
        answer = ask(self.rule.tau, scalars)
        shrink, tau = answer if self.rule.answers == "shrink, tau" else (1, answer)
        if shrink != 1:
            for k in self._outputs(counter):
                self.theta[k] = [shrink * value for value in self.theta[k]]
        for k, sign in moves:
            for c, value in enumerate([*x, self.bias]):
                self.theta[k][c] += tau * sign * value
        self.corrections[counter] += 1
        self.n_i[i, counter] = scalars["n_i"] + 1
        self.alpha_i[i, counter] = scalars["alpha_i"] + tau

    def _outputs(self, counter):
        return [counter] if self.scheme == "independent" else range(len(self.theta))

    def _wsq(self, counter):
        w = self.w
        return sum(sqnorm(w[k][:-1], w[k][-1]) for k in self._outputs(counter))


def separable_set(rng, n_rows, n_columns, gap):
    """Rows whose distance to a random plane through the origin is at least ``gap``."""
    w = rng.normal(size=n_columns)
    w /= math.sqrt(sum(v * v for v in w))
    rows = []
    while len(rows) < n_rows:
        block = rng.normal(size=(n_rows, n_columns)) / math.sqrt(n_columns)
        scores = (block * w).sum(1)
        rows.extend(block[abs(scores) >= gap])
    return rows[:n_rows], w


def largest_margin(z):
    """The maximum of min z.u over unit vectors u: the shortest vector of the rows' convex hull."""
    weights, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0))
    return float(np.linalg.norm(z.T @ weights) / weights.sum())
