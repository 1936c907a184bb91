"""What must be the same on all workers, and how it is said that it is not."""

from __future__ import annotations

import platform

from hardlimit.exceptions import ClusterError
from hardlimit.foundation.version import VERSION

MISSING = "none"


def versions() -> dict[str, str]:
    """Return what must be the same everywhere: letters and digits are Python's own tables."""
    return {"hardlimit": VERSION, "Python": ".".join(platform.python_version_tuple()[:2])}


def refuse_other(found: dict[str, str], wanted: dict[str, str], worker: str) -> ClusterError:
    """Return the error of a worker that has other versions.

    >>> print(refuse_other({"Python": "3.12"}, {"Python": "3.11"}, "the worker on a"))
    the worker on a has Python 3.12, and the work is of Python 3.11: it would learn another model; \
install the same versions everywhere
    """
    differ = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]

    def spell(of: dict[str, str]) -> str:
        named = (f"{name} {of.get(name, 'unknown')}" for name in differ)
        return " and ".join(one.replace(f"hardlimit {MISSING}", "no hardlimit") for one in named)

    return ClusterError(
        f"{worker} has {spell(found)}, and the work is of {spell(wanted)}: it would learn another "
        "model",
        fix="install the same versions everywhere",
    )
