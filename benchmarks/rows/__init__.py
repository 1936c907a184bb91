"""The rows of the results: one file each, found by discovery.

A row has ``TITLE`` and ``figures(settings, skipped)``, a generator of ``Figure``, and of ``Grid``
where a table belongs beside them; peers and data sets that this machine does not have it names in
``skipped``.
"""

from __future__ import annotations

from types import ModuleType

from benchmarks.members import import_members


def rows() -> dict[str, ModuleType]:
    """Every row by the name of its file."""
    return import_members(__name__, __path__)
