"""The loops of rules with a covariance and of rules that multiply, slow and obvious."""

from __future__ import annotations

import math
import sys

from twin import dot, sqnorm, tree

from hardlimit import engine


def summed(terms, has_bias):
    """Values a column, the bias's last, in the package's order."""
    *terms, of_bias = terms
    sums = [0] * 8
    for column, value in enumerate(terms):
        sums[column & 7] += value
    return tree(sums) + (of_bias if has_bias else 0)


def ask(method, **scalars):
    """A rule's answer, from the scalars that its parameters name."""
    code = method.__code__
    return method(**{name: scalars[name] for name in code.co_varnames[1 : code.co_argcount]})


class Loop:
    """w and the sums of w over the presentations, row by row, for any of the three schemes."""

    def __init__(self, rule, scheme, n_columns, n_outputs, bias):
        self.rule, self.scheme, self.bias = rule, scheme, bias
        self.w, self.total_after, self.total_before = (
            [[0] * (n_columns + 1) for _ in range(n_outputs)] for _ in range(3)
        )
        self.corrections = [0] * (n_outputs if scheme == "independent" else 1)
        self.mistakes = 0

    def add_class(self):
        for total in (self.w, self.total_before, self.total_after):
            total.append([0] * len(self.w[0]))

    def present(self, row, target, weight=1):
        self._count(self.total_before)
        scores = [dot(w, row, self.bias) for w in self.w]
        if self.scheme == "coupled":
            rivals = [k for k in range(len(scores)) if k != target]
            rival = max(rivals, key=lambda k: (scores[k], -k))
            self._judge(row, scores[target] - scores[rival], [(target, 1), (rival, -1)], 0, weight)
        else:
            for k, score in enumerate(scores):
                y = 1 if target == (1 if self.scheme == "single" else k) else -1
                self._judge(row, y * score, [(k, y)], k, weight)
        self._count(self.total_after)

    def _count(self, totals):
        for total, w in zip(totals, self.w, strict=True):
            for c, value in enumerate(w):
                total[c] += value


class CovarianceTwin(Loop):
    """S as a whole matrix an output; with the diagonal kept, the rest of it stays 0."""

    def __init__(self, rule, scheme, n_columns, n_outputs, bias):
        super().__init__(rule, scheme, n_columns, n_outputs, bias)
        self.full = rule.covariance == "full"
        self.S = [self._start() for _ in range(n_outputs)]

    def _start(self):
        size, start = len(self.w[0]), self.rule.initial_variance
        return [[start if a == b else 0 for b in range(size)] for a in range(size)]

    def add_class(self):
        super().add_class()
        self.S.append(self._start())

    def times(self, k, x):
        """S x."""
        g = [0] * len(x)
        for j, value in enumerate(x):
            if self.full:
                for c in range(len(x)):
                    g[c] += value * self.S[k][j][c]
            else:
                g[j] = self.S[k][j][j] * value
        return g

    def _judge(self, row, margin, moves, counter, weight):
        self.mistakes += margin <= 0
        x = [*row, self.bias]
        g = [self.times(k, x) for k, _ in moves]
        variances = [summed([a * b for a, b in zip(h, x, strict=True)], self.bias) for h in g]
        scalars = {"weight": weight, "margin": margin, "variance": sum(variances)}
        required = self.rule.required
        if callable(required):
            required = ask(required, **scalars)
        if not (margin < required or (self.rule.equality_violates and margin == required)):
            return
        if sqnorm(row, self.bias) == 0:
            return
        change = ask(self.rule.tau, **scalars)
        for (k, sign), h, variance in zip(moves, g, variances, strict=True):
            if self.rule.apart and self.full:
                part = sign * dot(self.w[k], row, self.bias)
                change = ask(self.rule.tau, weight=weight, margin=part, variance=variance)
            (self._correct_full if self.full else self._correct)(k, sign, x, h, change, weight)
        self.corrections[counter] += 1

    def _correct(self, k, sign, x, g, change, weight):
        for j, value in enumerate(x):
            if value == 0:
                continue
            if self.rule.apart:
                margin = sign * self.w[k][j] * value
                change = ask(self.rule.tau, weight=weight, margin=margin, variance=g[j] * value)
            tau, beta = change
            self.w[k][j] += tau * sign * g[j]
            self.S[k][j][j] = max(self.S[k][j][j] - beta * (g[j] * g[j]), sys.float_info.min)

    def _correct_full(self, k, sign, x, g, change, weight):
        tau, beta = change
        for a in range(len(x)):
            self.w[k][a] += tau * sign * g[a]
            for b in range(len(x)):
                self.S[k][a][b] -= beta * (g[a] * g[b])
            self.S[k][a][a] = max(self.S[k][a][a], sys.float_info.min)


class WinnowTwin(Loop):
    """Weights of one, and a threshold that stays."""

    def __init__(self, rule, scheme, n_columns, n_outputs, bias):
        super().__init__(rule, scheme, n_columns, n_outputs, bias)
        of_column, of_bias = rule.initial_weights(n_columns, bias)
        self.w = [[of_column] * n_columns + [of_bias] for _ in range(n_outputs)]
        self.start = self.w[0].copy()

    def _judge(self, row, margin, moves, counter, weight):
        self.mistakes += margin <= 0
        ((k, y),) = moves
        if margin > 0 or not any(w and x for w, x in zip(self.w[k], row, strict=False)):
            return
        factor = self.rule.tau(y)
        for j, value in enumerate(row):
            self.w[k][j] *= power(factor, value)
        self.corrections[counter] += 1


def power(factor, exponent):
    """factor^exponent; small whole exponents by multiplication."""
    if exponent == int(exponent) and exponent <= 64:
        return math.prod([factor] * int(exponent))
    return engine.power(factor, exponent)
