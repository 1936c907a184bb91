"""A description of the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

PACKAGES = (
    "hardlimit",
    "numpy",
    "scipy",
    "scikit-learn",
    "vowpalwabbit",
    "fasttext-wheel",
    "liblinear-official",
    "river",
)


def describe() -> dict[str, str]:
    """Return processor, cores, memory, system, compiler and versions, each by its name."""
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.processor(),
        "level 3 cache": _cache(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "compiler": _compiler(),
        "Python": platform.python_version(),
        **{name: version for name in PACKAGES if (version := _version(name))},
    }


def _field(path: str, name: str) -> str:
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return ""
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def _cache() -> str:
    try:
        return Path("/sys/devices/system/cpu/cpu0/cache/index3/size").read_text().strip()
    except OSError:
        return "unknown"


def _memory() -> str:
    kilobytes = _field("/proc/meminfo", "MemTotal").split()
    return f"{int(kilobytes[0]) / 1e6:.1f} GB" if kilobytes else "unknown"


def _compiler() -> str:
    try:
        out = subprocess.run(
            [os.environ.get("CXX", "c++"), "--version"], capture_output=True, text=True
        )
    except OSError:
        return "unknown"
    return out.stdout.partition("\n")[0]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
