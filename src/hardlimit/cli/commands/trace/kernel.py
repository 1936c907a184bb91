"""``hardlimit trace --kernel``: the dual form of the perceptron, coefficient by coefficient."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit import kernels, orders, textbook
from hardlimit.cli import terminal
from hardlimit.cli.option_words import given_names
from hardlimit.foundation.exact_numbers import Vector, dot, exact, subtract, to_float
from hardlimit.naming import name_choice

if TYPE_CHECKING:
    from fractions import Fraction

    from hardlimit.cli.commands.trace.command import TraceOptions
    from hardlimit.textbook import Trace

# What the dual form of the textbook has not.
_PRIMAL = ("rule", "schedule", "guard", "start", "map", "plot", "seed")


def check(options: TraceOptions) -> Any:
    """Return the kernel, None without; refuse what does not go with it."""
    if options.kernel is None:
        return None
    names = given_names(options, _PRIMAL) + ["--bounds"] * options.bounds
    names += ["--order"] * (options.order not in (None, orders.Cyclic()))
    if names:
        raise click.UsageError(f"--kernel traces the perceptron row by row, without {names[0]}")
    kernel = options.kernel
    if getattr(kernel, "given", False):
        raise click.UsageError("--kernel precomputed has no rows to trace")
    return kernel


def trace(
    X: list[list[float]],
    y: list[Any],
    kernel: object,
    bias: Fraction | None,
    options: TraceOptions,
    keep: tuple[int, int] | None,
) -> Trace:
    """Return the trace of the dual form."""
    function, is_exact = _function(kernel)
    is_exact = is_exact and options.exact is not False
    if not is_exact and options.exact is None:
        terminal.remark(f"{name_choice(kernel)} takes exponentials, so the numbers are floats")
    number = exact if is_exact else to_float
    examples = textbook.examples(X, y, bias_feature=bias, number=number)
    about = textbook.About(
        f"perceptron, dual form, {name_choice(kernel)}",
        corrects="t f(x) <= 0, f(x) = sum alpha t K(x', x)",
    )
    run = textbook.dual(examples, kernel=function, max_iter=options.epochs)
    return textbook.collect(run, examples, about, keep)


def _function(kernel: Any) -> tuple[Callable[[Vector, Vector], Any], bool]:
    """Return the kernel of two rows, and whether it computes in fractions."""
    name = kernels.KERNELS.name_of(kernel)
    if name == "polynomial":
        c = exact(kernel.c)
        return lambda a, b: (type(a[0])(c) + dot(a, b)) ** kernel.degree, True
    if name == "rbf":
        return lambda a, b: math.exp(-kernel.gamma * _square(subtract(a, b))), False
    return dot, True


def _square(a: Vector) -> float:
    return float(dot(a, a))
