"""Memory is estimated before it is taken, against what this process may still have.

The machine's memory is one limit of several: a container has that of its control group (cgroup v1
and v2, its own and those of the groups around it), a process those of ``ulimit``. The one that
leaves least room counts, and an error names it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hardlimit.exceptions import MemoryEstimateError, Setting, Text
from hardlimit.foundation.formatting import format_bytes, plural

# Bytes that every process has: small fits do not ask the system.
NEGLIGIBLE = 1 << 20
# Control groups without a limit say "max", or a number near 2^63.
UNLIMITED = 1 << 60

PROC = "/proc/self"
GROUPS = "/sys/fs/cgroup"


class Limit(NamedTuple):
    """A limit of memory: who sets it, how many bytes, and how many of them are taken."""

    name: str
    most: int
    used: int

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return max(0, self.most - self.used)

    def __str__(self) -> str:
        return f"{self.name} {format_bytes(self.most)}, of which {format_bytes(self.room)} are left"


def physical_memory() -> int | None:
    """Bytes of this machine's memory, or None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def limits() -> Iterator[Limit]:
    """Yield every limit that the system tells of.

    >>> all(limit.room <= limit.most for limit in limits())
    True
    """
    taken = _status()
    physical = physical_memory()
    if physical is not None:
        yield Limit("this machine has", physical, taken.get("VmRSS", 0))
    yield from _group_limits(taken.get("VmRSS", 0))
    yield from _process_limits(taken)


def tightest() -> Limit | None:
    """Return the limit that leaves least room; None where the system tells of none."""
    return min(limits(), key=lambda limit: limit.room, default=None)


def _status() -> dict[str, int]:
    """Return the sizes of this process in bytes, by the names of Linux; empty elsewhere."""
    sizes = {}
    for line in _read(f"{PROC}/status").splitlines():
        name, _, value = line.partition(":")
        if name.startswith("Vm"):
            sizes[name] = int(value.split()[0]) * 1024
    return sizes


def _group_limits(resident: int) -> Iterator[Limit]:
    for line in _read(f"{PROC}/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":  # version 2
            yield from _limits_around(path, ("", "unified"), "memory.max", "anon", resident)
        elif "memory" in controllers.split(","):
            names = "memory.limit_in_bytes", "total_rss"
            yield from _limits_around(path, ("memory",), *names, resident)


def _limits_around(
    path: str, mounts: tuple[str, ...], limit: str, used: str, resident: int
) -> Iterator[Limit]:
    """Yield the limits of a control group and of those around it.

    Inside a container the path may be that of the host, which is not there: then its end counts.
    """
    # Texts and not pathlib, which would take as long as all that is read: fits of milliseconds ask.
    for mount in mounts:
        group = path.strip("/")
        while True:
            place = "/".join(part for part in (GROUPS, mount, group) if part)
            most = _number(_read(f"{place}/{limit}"))
            if most is not None and most < UNLIMITED:
                taken = _stated(_read(f"{place}/memory.stat"), used)
                name = "the memory limit of this control group (container) is"
                yield Limit(name, most, max(taken, resident))
            if not group:
                break
            group = group.rpartition("/")[0]


def _process_limits(taken: dict[str, int]) -> Iterator[Limit]:
    try:
        import resource
    except ImportError:  # Windows
        return
    for number, size, name in (
        (resource.RLIMIT_AS, "VmSize", "the limit of address space (ulimit -v) is"),
        (resource.RLIMIT_DATA, "VmData", "the limit of data (ulimit -d) is"),
    ):
        most = resource.getrlimit(number)[0]
        if most != resource.RLIM_INFINITY:
            yield Limit(name, most, taken.get(size, 0))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdigit() else None


def _stated(statistics: str, name: str) -> int:
    for line in statistics.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return _number(value) or 0
    return 0


def require(n_bytes: int, what: str | Callable[[], str], fix: Text | Callable[[], Text]) -> None:
    """Refuse work that needs more memory than this process may take.

    what : needs it.      fix : what to do instead. Each may be a function that says it, called only
    where it is wanted.

    >>> require(1 << 20, "weights of 10 classes", "use fewer columns")
    """
    if n_bytes < NEGLIGIBLE:
        return
    limit = tightest()
    if limit is not None and n_bytes > limit.room:
        raise MemoryEstimateError(
            f"{what() if callable(what) else what} would need {format_bytes(n_bytes)}, {limit}",
            fix=fix() if callable(fix) else fix,
            needed=n_bytes,
            available=limit.room,
        )


class Gathered:
    """What is read into memory whole, counted while it grows, and refused before it takes all.

    Examples and what is made of them (features, sorted copies) take about the same, so that as much
    must be left as was gathered. And a small file that becomes gigabytes was made to.

    what : in the plural, for the message.      size : returns the bytes of the files, if known.
    """

    FIRST = 1 << 24  # bytes before the system is asked for the first time
    LARGE = 1 << 30  # bytes that files may become whatever their size
    RATIO = 1100  # that deflate can reach

    def __init__(self, what: str, fix: Text, size: Callable[[], int | None] | None = None) -> None:
        self._what, self._fix, self._size = what, fix, size
        self._held, self._looked = 0, self.FIRST

    def add(self, n_bytes: int) -> None:
        """Count some more bytes.

        Raises
        ------
        MemoryEstimateError
            What was gathered so far does not fit a second time, or is out of all proportion.
        """
        self._held += n_bytes
        if self._held >= self._looked:
            self._looked = self._held + max(self.FIRST, self._held >> 4)
            self._look()

    def _look(self) -> None:
        taken = format_bytes(self._held)
        require(self._held, f"{self._what}, {taken} so far, and what is made of them", self._fix)
        size = self._size() if self._size is not None and self._held > self.LARGE else None
        if size is not None and self._held > self.RATIO * size:
            raise MemoryEstimateError(
                f"{self._what}, {taken} so far, come from {plural(size, 'byte')} of file",
                fix=self._fix,
                needed=self._held,
                available=self.RATIO * size,
            )


def count_weights(n_columns: int, outputs: int, averaged: bool) -> int:
    """Bytes of the weights of a fit: columns x outputs x (w, the sum, the answer).

    >>> count_weights(999, 2, averaged=True)
    48000
    """
    return (n_columns + 1) * outputs * 8 * (3 if averaged else 2)


def require_memory(n_columns: int, outputs: int, averaged: bool, *, of_texts: bool = False) -> None:
    """Refuse weights that this process cannot hold, and say which choices take less."""
    require(
        count_weights(n_columns, outputs, averaged),
        lambda: f"weights of {max(outputs, 2):,} classes and {plural(n_columns, 'column')}",
        lambda: _smaller(n_columns, outputs, averaged, of_texts),
    )


def require_cells(n_columns: int, outputs: int) -> None:
    """Refuse columns whose places alone do not fit: their weights take what will be touched."""
    require(
        12 * n_columns,
        f"the places of {plural(n_columns, 'column')} of weights of "
        f"{plural(outputs, 'class', 'classes')}",
        "use fewer columns",
    )


def _smaller(n_columns: int, outputs: int, averaged: bool, of_texts: bool) -> Text:
    """Choices that take less memory, with the bytes that each would take."""
    fix: list[Any] = ["use "]
    if of_texts:
        for bits in (20, 18, 16):
            if 1 << bits < n_columns:
                fix += [Setting("hash_bits", bits), f" ({_size(1 << bits, outputs, averaged)}), "]
        fix += ["words without pairs and characters, "]
    else:
        fix += ["fewer columns, "]
    if averaged:
        fix += [Setting("keep", "last"), f" ({_size(n_columns, outputs, False)}), "]
    return (*fix, "or fewer classes")


def _size(n_columns: int, outputs: int, averaged: bool) -> str:
    return format_bytes(count_weights(n_columns, outputs, averaged))


def require_dense(n_columns: int, outputs: int, item: int = 8) -> None:
    """Refuse to spread weights into an array (n_columns + 1, outputs) that does not fit."""
    require(
        (n_columns + 1) * outputs * item,
        f"all weights of {plural(outputs, 'output')} and {plural(n_columns, 'column')} as one "
        "array",
        "ask for those of some columns, for the most telling terms, or for scores",
    )


def require_covariance(rule: str, n_columns: int, outputs: int, full: bool) -> None:
    """Refuse a covariance that this process cannot hold."""
    size = n_columns + 1
    require(
        size * (size if full else 1) * outputs * 8,
        f"{rule}: the covariance of {plural(n_columns, 'column')} and {max(outputs, 2):,} classes",
        ("use ", Setting("covariance", "diagonal")) if full else "use fewer columns",
    )


def require_vectors(n_vectors: int, n_columns: int, outputs: int) -> None:
    """Refuse kept hypotheses that this process cannot hold."""
    require(
        (n_columns + 1) * outputs * 8 * n_vectors,
        f"{n_vectors} kept weight vectors of {plural(n_columns, 'column')}",
        "keep fewer read-outs",
    )
