"""The endpoints: one file a subject, each a list of :class:`Endpoint`, found by discovery."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True)
class Endpoint:
    """One route.

    scope : what a key has to allow; ANYONE for what needs none
    answer : what the document says of the body of the answer
    status : of the answer
    refusals : what else may be answered, beside what every route may
    hidden : whether the document leaves it out
    """

    method: str
    path: str
    work: Callable[..., Any]
    scope: str
    summary: str = ""
    answer: type[BaseModel] | None = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    hidden: bool = False
    more: dict[str, Any] = field(default_factory=dict)


def discover() -> list[Endpoint]:
    """Return all endpoints, file by file in the order of their names."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return [endpoint for module in modules for endpoint in module.ENDPOINTS]
