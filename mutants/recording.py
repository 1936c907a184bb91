"""A plugin of pytest that tells coverage which test runs, and notes how long each took."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

_names: list[str] = []
_seconds: list[float] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[None]:
    """Lines in this process belong to the test, those in its children to its file."""
    running = coverage.Coverage.current()
    assert running is not None
    _forget_results()
    running.switch_context(str(len(_names)))
    os.environ["MUTANTS_CONTEXT"] = "~" + item.nodeid.split("::")[0]
    _names.append(item.nodeid)
    _seconds.append(0.0)
    result = yield
    running.switch_context("")
    return result


def _forget_results() -> None:
    """Empty the caches of functions: each test is to run what it rests on."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hardlimit"):
            for value in list(vars(module).values()):
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def pytest_runtest_logreport(report: Any) -> None:
    """Add the seconds of a phase of a test."""
    _seconds[-1] += report.duration


def pytest_sessionfinish() -> None:
    """Write the notes."""
    where = os.environ.get("MUTANTS_NOTES")
    if where:
        notes = {"names": _names, "seconds": _seconds, "modules": list(sys.modules)}
        Path(where).write_text(json.dumps(notes), "utf-8")
