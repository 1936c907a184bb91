"""What must be the same on all workers, and how it is said that it is not."""

from __future__ import annotations

import platform

import numpy as np

from hardlimit.exceptions import ClusterError
from hardlimit.foundation.build import digest_compiled, digest_sources
from hardlimit.foundation.package import VERSION

MISSING = "none"
BUILD, COMPILED = "hardlimit build", "compiled module"


def versions() -> dict[str, str]:
    """Return what must be the same everywhere: letters and digits are Python's own tables.

    The sources and the compiled module are read once a process, in some 50 ms.
    """
    return {
        "hardlimit": VERSION,
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        BUILD: digest_sources(),
        COMPILED: digest_compiled(),
    }


def differing(found: dict[str, str], wanted: dict[str, str]) -> list[str]:
    """Return the names of what differs; those that both have, if there are any.

    Compiled modules are compared on one platform only: for another there is another one.

    >>> differing({COMPILED: "linux-x86_64 1f"}, {COMPILED: "macosx-14-arm64 2e"})
    []
    >>> differing({COMPILED: "linux-x86_64 1f"}, {COMPILED: "linux-x86_64 2e"})
    ['compiled module']
    """
    names = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
    both = [name for name in names if name in wanted and name in found]
    if COMPILED in both and _platform_of(found) != _platform_of(wanted):
        names.remove(COMPILED)
        both.remove(COMPILED)
    return both or names


def _platform_of(versions: dict[str, str]) -> str:
    return versions[COMPILED].rpartition(" ")[0]


def refuse_other(found: dict[str, str], wanted: dict[str, str], worker: str) -> ClusterError:
    """Return the error of a worker that has other versions.

    >>> print(refuse_other({"Python": "3.12"}, {"Python": "3.11"}, "the worker on a"))
    the worker on a has Python 3.12, and the work is of Python 3.11: it would learn another model; \
install the same versions everywhere
    >>> print(refuse_other({BUILD: "1f"}, {BUILD: "2e"}, "the worker on a"))
    the worker on a has hardlimit build 1f, and the work is of hardlimit build 2e: it would learn \
another model; install the same versions everywhere, hardlimit from the same wheel or commit
    """
    differ = differing(found, wanted)

    def spell(of: dict[str, str]) -> str:
        named = (f"{name} {of.get(name, 'unknown')}" for name in differ)
        return " and ".join(one.replace(f"hardlimit {MISSING}", "no hardlimit") for one in named)

    fix = "install the same versions everywhere"
    if not {BUILD, COMPILED}.isdisjoint(differ):
        fix += ", hardlimit from the same wheel or commit"
    return ClusterError(
        f"{worker} has {spell(found)}, and the work is of {spell(wanted)}: it would learn another "
        "model",
        fix=fix,
    )
