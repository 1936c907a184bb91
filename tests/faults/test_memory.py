"""Each allocation of compiled code fails once: an exception, and a model that is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import NEVER, Injected, Injector

NATIVE = Path(__file__).parents[2] / "native"
QUICK = "fit linear perceptron"
FITS = (
    "fit linear perceptron", "fit again coupled", "fit one-vs-rest", "fit voted",
    "fit again kernel", "fit again text",
)  # fmt: skip


def _check(injected: Injected) -> None:
    what = f"allocation {injected.calls}, {injected.failed}: {injected.done}"
    assert injected.done.code in (0, 1), what
    assert "bad_alloc" not in injected.done.err, what


def test_some_allocations_of_a_fit_fail_once(injector: Injector) -> None:
    calls = injector.api(QUICK, NEVER).calls
    assert calls > 10
    for nth in range(1, calls, 6):
        _check(injector.api(QUICK, nth))


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_every_allocation_of_a_fit_fails_once(name: str, injector: Injector) -> None:
    nth, wrong = 1, []
    while (injected := injector.api(name, nth)).fired:
        try:
            _check(injected)
        except AssertionError as failure:
            wrong.append(str(failure).splitlines()[0])
        nth += 1
    assert nth > 10 and not wrong, "\n".join(wrong)


def test_a_failure_is_a_sentence(injector: Injector) -> None:
    done = injector.api(QUICK, 1).done
    assert done.code == 1 and "out of memory" in done.out, done


def test_shared_pointers_are_made_where_an_exception_can_leave() -> None:
    sources = [
        path for path in NATIVE.rglob("*.?pp") if "nanobind/stl/shared_ptr.h" in path.read_text()
    ]
    assert not sources
