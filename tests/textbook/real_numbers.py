"""Real numbers for the textbook: thousands of bits, and no comparison that rounding decides."""

from __future__ import annotations

import math
import sys

import flint


class Real:
    """A ball of Arb that contains the number; numbers that no bit tells apart are equal."""

    __slots__ = ("ball",)

    def __init__(self, value):
        self.ball = value.ball if isinstance(value, Real) else flint.arb(value)

    def __float__(self):
        return float(self.ball)

    def __repr__(self):
        return f"Real({self.ball.str(20)})"

    def __hash__(self):
        return hash(self.ball)

    def __bool__(self):
        return not self == 0

    def __neg__(self):
        return wrap(-self.ball)

    def __abs__(self):
        return wrap(abs(self.ball))

    def sqrt(self):
        return wrap(self.ball.sqrt())

    def __eq__(self, other):
        return not self < other and not self > other

    def __lt__(self, other):
        return bool(self.ball < ball(other))

    def __gt__(self, other):
        return bool(self.ball > ball(other))

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other

    @property
    def is_precise(self):
        """Whether enough bits are left: numbers that differ are not taken for equal."""
        return self.ball.rad() < flint.arb(2) ** -200 * (1 + abs(self.ball))


def ball(value):
    return value.ball if type(value) is Real else value


def wrap(value):
    """As ``Real(value)`` of a ball, in a third of the time."""
    real = object.__new__(Real)
    real.ball = value
    return real


def make_operation(name):
    operation = getattr(flint.arb, name)
    return lambda self, other: wrap(operation(self.ball, ball(other)))


for _name in ("add", "sub", "mul", "truediv", "pow"):
    for _side in ("__", "__r"):
        setattr(Real, f"{_side}{_name}__", make_operation(f"{_side}{_name}__"))


class RealMath:
    """The module math, with roots and hyperbolic functions of real numbers."""

    def __getattr__(self, name):
        return getattr(math, name)

    def sqrt(self, value):
        return Real(value).sqrt()

    def sinh(self, value):
        return wrap(value.ball.sinh())

    def asinh(self, value):
        return wrap(value.ball.asinh())


def use_real_numbers(monkeypatch, bits):
    """Let rules, schedules and the textbook take roots of real numbers."""
    monkeypatch.setattr(flint.ctx, "prec", bits)
    for name, module in list(sys.modules.items()):
        parts = name.split(".")
        if parts[0] == "hardlimit" and parts[1:2] in (["rules"], ["schedules"], ["textbook"]):
            if getattr(module, "math", None) is math:
                monkeypatch.setattr(module, "math", RealMath())
