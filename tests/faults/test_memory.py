"""Each allocation of compiled code fails once: an exception, and a model that is whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import NEVER, Injected, Injector

NATIVE = Path(__file__).parents[2] / "native"
QUICK = (
    "fit linear perceptron",
    "partial_fit coupled",
    "partial_fit kernel",
    "partial_fit text",
)
SLOW = tuple(
    f"{what} {name}"
    for name in (
        "linear perceptron",
        "linear arow",
        "coupled",
        "one-vs-rest",
        "kernel",
        "text",
    )
    for what in (
        "fit",
        "fit again",
        "first partial_fit",
        "partial_fit",
        "predict",
        "save and load",
    )
)
THROWING = ("map", "optional", "shared_ptr", "string", "vector")


def _check(injected: Injected) -> None:
    what = f"allocation {injected.calls}, {injected.failed}: {injected.done}"
    assert injected.done.code in (0, 1), what
    assert "bad_alloc" not in injected.done.err, what


@pytest.mark.parametrize("name", QUICK)
def test_some_allocations_fail_once(name: str, injector: Injector) -> None:
    calls = injector.api(name, NEVER).calls
    assert calls > 10
    for nth in range(1, calls, calls // 4):
        _check(injector.api(name, nth))


def _known(name: str) -> Any:
    """Points and coefficients of a kernel grow one after the other: not yet whole or not at all."""
    broken = pytest.mark.xfail(reason="a stream of a kernel can end between the two", strict=False)
    return pytest.param(name, marks=broken) if name.endswith("partial_fit kernel") else name


@pytest.mark.slow
@pytest.mark.parametrize("name", [_known(name) for name in SLOW])
def test_every_allocation_fails_once(name: str, injector: Injector) -> None:
    nth, wrong = 1, []
    while (injected := injector.api(name, nth)).fired:
        try:
            _check(injected)
        except AssertionError as failure:
            wrong.append(str(failure).splitlines()[0])
        nth += 1
    assert nth > 1 and not wrong, "\n".join(wrong)


def test_a_failure_is_a_sentence(injector: Injector) -> None:
    done = injector.api(QUICK[0], 1).done
    assert done.code == 1 and "out of memory" in done.out, done


def test_arguments_are_taken_where_an_exception_can_leave() -> None:
    included = {
        name
        for path in NATIVE.rglob("*.?pp")
        for name in re.findall(r"nanobind/stl/(\w+)\.h", path.read_text())
    }
    assert included.isdisjoint(THROWING)
