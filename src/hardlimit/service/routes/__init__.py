"""The endpoints, one file a subject: functions with :func:`endpoint` above, found by discovery.

:class:`RouteTable` tells which of them a request means, before its body is read.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any

from pydantic import BaseModel

from hardlimit.service.problems import Problem
from hardlimit.service.request_context import RequestContext


@dataclass(frozen=True)
class Endpoint:
    """One route.

    scope : what a key has to allow; ANYONE for what needs none
    answer : what the document says of the body of the answer
    status : of the answer
    refusals : what else may be answered, beside what every route may
    example : a body that it takes
    kind : the type of that body
    hidden : whether the document leaves it out
    at_once : the same work from a request's body to the answer's, without what FastAPI does
        before and after it, which takes longer than a prediction
    """

    work: Callable[..., Any]
    method: str
    path: str
    scope: str
    summary: str = ""
    answer: type[BaseModel] | UnionType | None = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    example: Any = None
    kind: str = "application/json"
    hidden: bool = False
    at_once: Callable[[RequestContext, bytes], Awaitable[bytes]] | None = None


def endpoint(
    method: str, path: str, scope: str, summary: str = "", **more: Any
) -> Callable[[Callable[..., Any]], Endpoint]:
    """Make an endpoint of the function below it; ``more``: what else :class:`Endpoint` has."""
    return lambda work: Endpoint(work, method, path, scope, summary, **more)


def discover() -> list[Endpoint]:
    """Return all endpoints, file by file in the order of their names."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return [one for module in modules for one in vars(module).values() if type(one) is Endpoint]


class RouteTable:
    """The endpoints by path and method."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        self._exact: dict[str, dict[str, Endpoint]] = {}
        self._patterns: list[tuple[re.Pattern[str], dict[str, Endpoint]]] = []
        for one in endpoints:
            self._exact.setdefault(one.path, {})[one.method] = one
        for path in [path for path in self._exact if "{" in path]:
            pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
            self._patterns.append((pattern, self._exact.pop(path)))

    def find(self, path: str, method: str) -> Endpoint:
        """Return the endpoint, or refuse with 404 or 405."""
        methods = self._exact.get(path)
        if methods is None:
            found = (of for pattern, of in self._patterns if pattern.fullmatch(path))
            methods = next(found, None)
        if methods is None:
            raise Problem(
                404, "no-such-page", f"there is nothing at {path[:200]!r}", fix="/docs lists all"
            )
        # What GET gives, HEAD gives without the body.
        endpoint = methods.get("GET" if method == "HEAD" else method)
        if endpoint is None:
            allowed = ", ".join(sorted(methods))
            raise Problem(
                405,
                "method-not-allowed",
                f"{method[:20]} is not allowed here",
                headers=((b"allow", allowed.encode()),),
                got=method[:20],
                wanted=allowed,
            )
        return endpoint
