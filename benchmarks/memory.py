"""Resident memory of this process, in bytes."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def _status(field: str) -> int | None:
    if not STATUS.exists():
        return None
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return None


def resident_bytes() -> int:
    """Return the resident memory (if the system does not tell it: the peak so far)."""
    return _status("VmRSS") or peak_bytes()


def peak_bytes() -> int:
    """Return the peak since ``restart_peak``, or since the start of the process."""
    known = _status("VmHWM")
    if known is not None:
        return known
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def restart_peak() -> None:
    """Reset the peak to the present resident memory (on Linux only)."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass
