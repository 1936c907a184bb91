"""A disk that dies under a live model: its state is that of the ledger, or it answers no more."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Injector, Told


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder, in memory where there is one: a sync of a busy disk takes seconds."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def _check(told: list[Told]) -> None:
    *failed, usual = told
    assert failed and not usual.fired
    wrong = [f"call {one.nth}, {one.failed}: {one.wrong} ({one.said})" for one in told if one.wrong]
    assert not wrong, "\n".join(wrong)


def test_a_disk_that_fails_from_some_calls_on(place: Path, injector: Injector) -> None:
    _check(injector.ledgers(place, "EIO", True, n_before=6, step=5))


@pytest.mark.slow
@pytest.mark.parametrize("n_before", [0, 6])
@pytest.mark.parametrize(
    ("error", "lasting"), [("EIO", True), ("EIO", False), ("ENOSPC", True), ("ENOSPC", False)]
)
def test_a_disk_that_fails_at_every_call(
    error: str, lasting: bool, n_before: int, place: Path, injector: Injector
) -> None:
    _check(injector.ledgers(place, error, lasting, n_before))
