"""The endpoints: one file a subject, each a list of :class:`Endpoint`, found by discovery."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any

from pydantic import BaseModel

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

    method: str
    path: str
    work: Callable[..., Any]
    scope: str
    summary: str = ""
    answer: type[BaseModel] | UnionType | None = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    example: Any = None
    kind: str = "application/json"
    hidden: bool = False
    at_once: Callable[[RequestContext, bytes], Awaitable[bytes]] | None = None


def discover() -> list[Endpoint]:
    """Return all endpoints, file by file in the order of their names."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return [endpoint for module in modules for endpoint in module.ENDPOINTS]
