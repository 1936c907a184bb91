"""Which scalars a method asks for, read from its signature.

A rule, a schedule or a guard names what it wants to know as parameters: ``def tau(self, margin,
sqnorm)``. Plain methods, decorated ones (``functools.wraps``), parameters by keyword only,
``functools.partial`` and callable objects are all understood here, and nowhere else.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
import weakref
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from hardlimit.exceptions import KindError

# What the engine keeps for rules; see `hardlimit.rules` for what each means.
SCALARS = ("margin", "sqnorm", "step", "wsq", "weight", "y", "n_i", "alpha_i", "variance")

Method = Callable[..., Any]


class _Parameters(NamedTuple):
    """What a signature says."""

    names: tuple[str, ...]
    needed: tuple[str, ...]  # those without a default
    by_place: int  # how many may only be given by position
    positional: bool  # whether all of them may be
    open_ended: str  # "*args" or "**kwargs", where no parameter has a name


# Of functions and not of objects: a callable object may refer to the model that asks it, and a
# cache that held it would keep both alive.
_known: weakref.WeakKeyDictionary[Any, dict[bool, _Parameters]] = weakref.WeakKeyDictionary()


def scalars_of(method: Method, known: Collection[str] = SCALARS) -> tuple[str, ...]:
    """Return the scalars that a method asks for, in the order of its parameters.

    A parameter with a default that is no scalar keeps its default.

    Raises
    ------
    KindError
        A parameter without a default that is not kept; a method whose parameters have no names.

    Examples
    --------
    >>> from functools import partial
    >>> def tau(margin, *, sqnorm, share=0.5):
    ...     return share * (1 - margin) / sqnorm
    >>> scalars_of(tau), scalars_of(partial(tau, share=1))
    (('margin', 'sqnorm'), ('margin', 'sqnorm'))
    """
    parameters = _parameters_of(method)
    for name in parameters.needed:
        if name not in known:
            raise KindError(
                "it asks for a scalar that is not kept",
                who=_name_of(method),
                got=name,
                wanted=f"one of {', '.join(known)}",
            )
    if parameters.open_ended:
        raise KindError(
            f"takes {parameters.open_ended}, so that nobody can tell which scalars it asks for",
            who=_name_of(method),
            fix="name them as parameters, and use functools.wraps in a decorator",
        )
    return tuple(name for name in parameters.names if name in known)


def asks_for(method: object, *names: str) -> bool:
    """Whether something is a method that asks for one of these scalars; a number asks for none.

    >>> asks_for(lambda margin: 1 - margin, "margin", "wsq"), asks_for(1, "margin")
    (True, False)
    """
    return callable(method) and not set(names).isdisjoint(_parameters_of(method).names)


def called_in_order(method: Method, names: tuple[str, ...]) -> Method:
    """Return a function that takes these scalars by position, however the method wants them.

    >>> def tau(*, margin):
    ...     return 1 - margin
    >>> called_in_order(tau, ("margin",))(3)
    -2
    """
    parameters = _parameters_of(method)
    if parameters.positional and parameters.names[: len(names)] == names:
        return method
    first, by_name = parameters.by_place, names[parameters.by_place :]

    def call(*values: Any) -> Any:
        return method(*values[:first], **dict(zip(by_name, values[first:], strict=True)))

    return call


def called_with_step(eta: Method) -> Method:
    """Return a schedule's ``eta`` as a function of the step alone, by position.

    Raises
    ------
    KindError
        One that cannot be asked so: another parameter without a default, or none at all.

    Examples
    --------
    >>> def eta(*, step):
    ...     return 1 / step
    >>> called_with_step(eta)(4)
    0.25
    """
    if not callable(eta):
        raise KindError("cannot be asked as eta(step)", who=repr(eta))
    try:
        signature = inspect.signature(eta)
    except ValueError:  # compiled, without a signature
        return eta
    for arguments, by_name in (((1,), {}), ((), {"step": 1})):
        with contextlib.suppress(TypeError):
            signature.bind(*arguments, **by_name)
            return eta if arguments else lambda step: eta(step=step)
    raise KindError("cannot be asked as eta(step)", who=_name_of(eta))


def _parameters_of(method: Method) -> _Parameters:
    function = getattr(method, "__func__", method)
    if not isinstance(function, types.FunctionType):
        return _read(method)
    bound = function is not method
    kinds = _known.setdefault(function, {})
    if bound not in kinds:
        kinds[bound] = _read(method)
    return kinds[bound]


def _read(method: Method) -> _Parameters:
    try:
        outer = inspect.signature(method, follow_wrapped=False)
        # A decorator that hands on whatever it is given says nothing: ask what it wraps.
        told = inspect.signature(method) if _open_ended(outer) else outer
    except (TypeError, ValueError):  # compiled functions often have none
        raise KindError(
            "has no signature, so that nobody can tell which scalars it asks for",
            who=_name_of(method),
            fix="wrap it in a Python function whose parameters name them",
        ) from None
    named = [p for p in told.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    positional = all(p.kind is not p.KEYWORD_ONLY for p in named)
    return _Parameters(
        names=tuple(p.name for p in named),
        needed=tuple(p.name for p in named if p.default is p.empty),
        by_place=sum(p.kind is p.POSITIONAL_ONLY for p in named),
        positional=positional and _binds(outer, len(named)),
        open_ended="" if named else _open_ended(told),
    )


def _open_ended(signature: inspect.Signature) -> str:
    """Return ``*args`` or ``**kwargs`` of a signature that has one of them."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parameters = signature.parameters.values()
    return next((stars[p.kind] + p.name for p in parameters if p.kind in stars), "")


def _binds(signature: inspect.Signature, count: int) -> bool:
    """Whether so many values may be given by position."""
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def _name_of(method: Method) -> str:
    """Name a method as its author does: ``Mine.tau``."""
    inner = method.func if isinstance(method, functools.partial) else method
    return getattr(inner, "__qualname__", None) or type(inner).__qualname__
