"""A live model over HTTP: predict, explain, correct, undo, guards, log (``hardlimit serve``).

One process holds one model. One event loop answers; whatever writes the ledger runs in one thread,
in the order of its arrival, and whatever reads the disk in a few others. ``docs/guides/service.md``
says how to run it, ``/openapi.json`` of a running service what it takes and gives.

This package needs the extra ``serve``; importing ``hardlimit`` does not load it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardlimit.service.app import create_app as create_app
    from hardlimit.service.running import run as run
    from hardlimit.service.settings import Settings as Settings

_HOMES = {"Settings": "settings", "create_app": "app", "run": "running"}

__all__ = [*_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.service' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
