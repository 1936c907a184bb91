"""``save``, ``hl.load`` and pickles of loaded models while calls on files fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Injector, Told
from .scenarios import FILE_API


def _check(told: list[Told]) -> None:
    *failed, usual = told
    assert failed and not usual.fired
    wrong = [f"call {one.nth}, {one.failed}: {one.wrong}" for one in told if one.wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["save a loaded model", "load texts"])
def test_some_calls_fail_once(name: str, tmp_path: Path, injector: Injector) -> None:
    _check(injector.files(name, tmp_path, "EIO", step=9))


@pytest.mark.slow
@pytest.mark.parametrize("error", ["EIO", "ENOSPC", "EACCES", "EINTR"])
@pytest.mark.parametrize("name", FILE_API)
def test_every_call_fails_once(name: str, error: str, tmp_path: Path, injector: Injector) -> None:
    _check(injector.files(name, tmp_path, error))
