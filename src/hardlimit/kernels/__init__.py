"""Mercer kernels, one a file: inner products of a space that is never entered.

A kernel learns by the dual form: in the place of ``w = sum_i alpha_i y_i x_i`` it keeps the
``alpha_i`` of the examples that were corrected, the supports, and scores by
``sum_i alpha_i y_i K(x_i, x)``. It needs ``K`` to be positive semi-definite, that is, to be an
inner product somewhere; then every theorem of the primal form holds there. A positive multiple of
``K`` leaves the perceptron's run as it is.

By name: ``linear``, ``polynomial``, ``rbf``, ``precomputed``. Any Python function will do as well:
``k(X, Z)`` of two matrices, giving (n, m) values, or ``k(x, z)`` of two rows.

>>> from hardlimit import kernels
>>> kernels.names()
['linear', 'polynomial', 'precomputed', 'rbf']
>>> kernels.resolve("polynomial")
Polynomial(degree=2, c=1.0)
"""

from __future__ import annotations

from hardlimit.exceptions import KindError
from hardlimit.foundation.register import Register
from hardlimit.kernels._definite import check_semidefinite, check_square, precision_of
from hardlimit.kernels._function import Function
from hardlimit.kernels._protocol import Kernel, ValueBounds, combined

__all__ = [
    "ValueBounds",
    "Function",
    "Kernel",
    "check_semidefinite",
    "check_square",
    "combined",
    "names",
    "precision_of",
    "resolve",
]

KERNELS: Register[Kernel] = Register("kernel", Kernel)
KERNELS.discover(globals())


def names() -> list[str]:
    """Names of all kernels, sorted."""
    return KERNELS.names()


def resolve(kernel: object) -> Kernel:
    """The kernel of that name, the kernel itself, or a function as a kernel.

    Raises
    ------
    InputError
        A name that no kernel has.
    KindError
        Neither a name, a kernel nor a function.
    """
    if isinstance(kernel, str | dict):
        made: Kernel = KERNELS.from_json(kernel)
        return made
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel) and not isinstance(kernel, type):
        return Function(kernel)
    raise KindError(
        parameter="kernel",
        got=kernel,
        wanted=f"one of {', '.join(names())}, a kernel object or a function k(X, Z) that gives a "
        "value for each row of X and each of Z",
    )
