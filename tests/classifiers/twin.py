"""The online loop again, slow and obvious: the oracle of the compiled one, to the last bit.

Works on floats in the package's order of summation, or on ints and Fractions, where every order
gives the same.
"""

from __future__ import annotations

import math


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


def ask(method, **scalars):
    code = method.__code__
    return method(**{name: scalars[name] for name in code.co_varnames[1 : code.co_argcount]})


class Twin:
    """w and the sum of w over the presentations, row by row, for any of the three schemes."""

    def __init__(self, rule, scheme, n_columns, n_outputs, bias):
        self.rule, self.scheme, self.bias = rule, scheme, bias
        self.w = [[0] * (n_columns + 1) for _ in range(n_outputs)]
        self.total_after = [[0] * (n_columns + 1) for _ in range(n_outputs)]
        self.total_before = [[0] * (n_columns + 1) for _ in range(n_outputs)]
        self.corrections = [0] * (n_outputs if scheme == "independent" else 1)
        self.mistakes = 0
        self.presentations = 0

    def present(self, x, target, weight=1):
        for total, w in zip(self.total_before, self.w, strict=True):
            for c in range(len(w)):
                total[c] += w[c]
        scores = [dot(w, x, self.bias) for w in self.w]
        if self.scheme == "single":
            y = 1 if target else -1
            self._judge(x, y * scores[0], [(0, y)], 0, weight)
        elif self.scheme == "independent":
            for k, score in enumerate(scores):
                y = 1 if target == k else -1
                self._judge(x, y * score, [(k, y)], k, weight)
        else:
            rivals = [k for k in range(len(scores)) if k != target]
            rival = max(rivals, key=lambda k: (scores[k], -k))
            self._judge(x, scores[target] - scores[rival], [(target, 1), (rival, -1)], 0, weight)
        self.presentations += 1
        for total, w in zip(self.total_after, self.w, strict=True):
            for c in range(len(w)):
                total[c] += w[c]

    def _judge(self, x, margin, moves, counter, weight):
        self.mistakes += margin <= 0
        required = self.rule.required
        if not (margin < required or (self.rule.equality_violates and margin == required)):
            return
        norm = len(moves) * sqnorm(x, self.bias)
        if "sqnorm" in self.rule.tau.__code__.co_varnames and norm == 0:
            return
        tau = ask(
            self.rule.tau,
            margin=margin,
            sqnorm=norm,
            step=self.corrections[counter] + 1,
            weight=weight,
        )
        for k, sign in moves:
            for c, value in enumerate([*x, self.bias]):
                self.w[k][c] += tau * sign * value
        self.corrections[counter] += 1


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
