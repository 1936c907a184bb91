"""The rows of the results: one file each, found by discovery.

A row has ``TITLE`` and ``figures(settings, skipped)``, a generator of ``Figure``, and of ``Grid``
where a table belongs beside them; peers and data sets that this machine does not have it names in
``skipped``.
"""

from __future__ import annotations

from types import ModuleType

from hardlimit.foundation.discovery import import_members


def rows() -> dict[str, ModuleType]:
    """Every row by the name of its file."""
    return {
        module.__name__.rpartition(".")[2]: module for module in import_members(__name__, __path__)
    }
