"""Each allocation of compiled code fails once: an exception, and a model that is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import NEVER, Injector, Told
from .scenarios import API

NATIVE = Path(__file__).parents[2] / "native"
QUICK = (
    "fit linear perceptron",
    "partial_fit coupled",
    "partial_fit kernel",
    "partial_fit budget",
    "partial_fit text",
    "fit text, side by side",
    "fit winnow",
    "fit batch, no stream",
    "fit worst, no stream",
)
THROWING = ("map", "optional", "shared_ptr", "string", "vector")


def _check(told: list[Told]) -> None:
    wrong = [f"allocation {one.nth}, {one.failed}: {one.wrong}" for one in told if one.wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", QUICK)
def test_some_allocations_fail_once(name: str, injector: Injector) -> None:
    (usual,) = injector.allocations(name, NEVER)
    assert usual.calls > 10 and not usual.fired
    _check([*injector.allocations(name, 1, usual.calls // 12, usual.calls)])


@pytest.mark.slow
@pytest.mark.parametrize("name", API)
def test_every_allocation_fails_once(name: str, injector: Injector) -> None:
    (usual,) = injector.allocations(name, NEVER)
    # All of them; where there are many, which come again and again, as many as tell them apart.
    *told, usual = injector.allocations(name, step=1 + usual.calls // 120)
    assert told and not usual.fired
    _check(told)


def test_a_failure_is_a_sentence(injector: Injector) -> None:
    (told,) = injector.allocations(QUICK[0], 1, 1, 1)
    assert told.said.startswith("out of memory"), told


def test_arguments_are_taken_where_an_exception_can_leave() -> None:
    included = {
        name
        for path in NATIVE.rglob("*.?pp")
        for name in re.findall(r"nanobind/stl/(\w+)\.h", path.read_text())
    }
    assert included.isdisjoint(THROWING)
