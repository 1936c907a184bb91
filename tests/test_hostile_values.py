"""Whatever a parameter is given, the answer is a result or an error of ours: by discovery."""

from __future__ import annotations

import contextlib
import copy
import enum
import importlib.util
import inspect
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import hardlimit as hl
from hardlimit import budgets, guards, kernels, maps, orders, readouts, rules, scaling, schedules
from hardlimit.certificates import finders
from hardlimit.exceptions import HardlimitError

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 2.0]])
Y = [0, 1, 1, 0]
TEXTS = ["a b", "c d", "c e", "a f"]


class Colour(enum.Enum):
    RED = 1


class Raising:
    """Whatever is asked of it raises an error of its own."""

    def _raise(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("mine")

    __len__ = __iter__ = __array__ = __getitem__ = __float__ = __int__ = __index__ = _raise
    __bool__ = __eq__ = __lt__ = __call__ = _raise  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


class RaisingLength(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        raise RuntimeError("mine")


class RaisingHash:
    def __hash__(self) -> int:
        raise RuntimeError("mine")


def _deep(levels: int = 200) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


HOSTILE: dict[str, Any] = {
    "huge": 10**400,
    "large": 10**30,
    "negative": -1,
    "zero": 0,
    "half": 0.5,
    "nan": float("nan"),
    "inf": float("inf"),
    "empty": "",
    "word": "no such name",
    "surrogate": "\ud800",
    "bytes": b"\xff\x00",
    "none": None,
    "true": True,
    "list": [],
    "nested": [[1], [2, [3]]],
    "deep": _deep(),
    "dict": {"a": {}},
    "set": {1, 2},
    "complex": 1j,
    "class": int,
    "enum": Colour.RED,
    "object": object(),
    "raising": Raising(),
    "raising length": RaisingLength([[1.0, 2.0]]),
    "hash": RaisingHash(),
    "pair": (1, [2]),
    "huge cells": [[10**400, 1.0]] * 4,
    "one dimension": np.arange(4.0),
    "three dimensions": np.zeros((2, 2, 2)),
    "no rows": np.zeros((0, 2)),
    "no columns": np.zeros((4, 0)),
    "masked": np.ma.masked_array(X, X > 1),
    "masked row": np.ma.masked_array([1, 2, 3, 4], [1, 0, 0, 0]),
    "sparse row": scipy.sparse.coo_array(np.array([1.0, 2.0])),
    "structured": np.zeros(4, [("a", float), ("b", int)]),
    "times": np.array(["2020-01-01"] * 4, "M8[D]"),
    "read only": np.broadcast_to(1.0, (4, 2)),
    "objects": np.full(4, RaisingHash(), object),
}


@contextlib.contextmanager
def only_our_errors() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            yield
        except HardlimitError as error:
            said = str(error)
            assert said and "\n" not in said, said
            assert len(said) < 1000, said[:100]
            said.encode("utf-8", "backslashreplace")


Make = Callable[..., Any]
FRONTS: dict[str, tuple[Make, Any]] = {
    "LinearClassifier": (hl.LinearClassifier, X),
    "KernelClassifier": (hl.KernelClassifier, X),
    "TextClassifier": (hl.TextClassifier, TEXTS),
}
ESTIMATORS: dict[str, tuple[Make, Any]] = {}
if importlib.util.find_spec("sklearn"):
    from hardlimit import estimators

    ESTIMATORS = {name: (getattr(estimators, name), X) for name in estimators.__all__}
MODELS = FRONTS | ESTIMATORS
# How an object of each register is used.
USES: dict[str, Make] = {
    "rule": lambda choice: hl.LinearClassifier(choice, max_iter=3).fit(X, Y),
    "guard": lambda choice: hl.LinearClassifier(guard=choice, max_iter=3).fit(X, Y),
    "order": lambda choice: hl.LinearClassifier(order=choice, max_iter=3).fit(X, Y),
    "schedule": lambda choice: hl.LinearClassifier(schedule=choice, max_iter=3).fit(X, Y),
    "scale": lambda choice: hl.LinearClassifier(scale=choice, max_iter=3).fit(X, Y),
    "kernel": lambda choice: hl.KernelClassifier(choice, max_iter=3).fit(X, Y),
    "budget": lambda choice: hl.KernelClassifier(budget=choice, max_iter=3).fit(X, Y),
    "finder": lambda choice: hl.certify(X, Y, finders=[choice], seconds=1, turns=3),
    "readout": repr,
    "map": repr,
}
REGISTERS = (
    rules.RULES, guards.GUARDS, orders.ORDERS, schedules.SCHEDULES, scaling.SCALINGS,
    kernels.KERNELS, budgets.BUDGETS, finders.FINDERS, readouts.REGISTER, maps.MAPS,
)  # fmt: skip
CHOICES: dict[str, tuple[Make, Make]] = {
    f"{register.kind} {name}": (register.find(name), USES[register.kind])
    for register in REGISTERS
    for name in register.names()
}
# What a callback or a kernel of your own raises is its author's to see.
CALLED = {("callback", "class"), ("callback", "raising"), ("kernel", "raising")}
METHODS = {
    "fit": "X y sample_weight initial_weights validation callback".split(),
    "partial_fit": "X y sample_weight classes".split(),
    "predict": ["X"],
    "decision_function": ["X"],
    "score": ["X", "y", "sample_weight"],
}
# Of the pairs of a parameter and a value one in so many is tried at once; all of them are slow.
# It has no common divisor with the number of values, so that a class meets each kind of value.
EVERY = 13


def _pairs(cls: Make, of: int, skip: str = "") -> Iterator[tuple[str, str, Any]]:
    names = [name for name in inspect.signature(cls).parameters if name not in ("self", skip)]
    pairs = [(name, kind) for name in names for kind in HOSTILE if (name, kind) not in CALLED]
    # Other pairs for each class: together the classes see more than each.
    first = sum(map(ord, getattr(cls, "__qualname__", ""))) % of
    for name, kind in pairs[first::of]:
        yield name, kind, HOSTILE[kind]


def _try_parameters(name: str, of: int) -> None:
    cls, rows = MODELS[name]
    few = {"max_iter": 3} if "max_iter" in inspect.signature(cls).parameters else {}
    for parameter, kind, value in _pairs(cls, of):
        with _named(f"{name}({parameter}={kind})"), only_our_errors():
            cls(**{**few, parameter: value}).fit(rows, Y).predict(rows)


@pytest.mark.parametrize("of", [3, 5, EVERY])
def test_each_kind_of_value_is_among_those_that_are_tried_at_once(of: int) -> None:
    assert math.gcd(of, len(HOSTILE)) == 1
    for models in (FRONTS, ESTIMATORS):
        tried = {kind for cls, _ in models.values() for _, kind, _ in _pairs(cls, of)}
        assert tried == set(HOSTILE) or not models


@pytest.mark.parametrize("name", MODELS)
def test_some_parameters_of_the_constructor(name: str) -> None:
    _try_parameters(name, EVERY)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_all_parameters_of_the_constructor(name: str) -> None:
    _try_parameters(name, 1)


@pytest.mark.parametrize("name", CHOICES)
def test_parameters_of_choices(name: str) -> None:
    cls, use = CHOICES[name]
    for parameter, kind, value in _pairs(cls, 3):
        with _named(f"{name}({parameter}={kind})"), only_our_errors():
            choice = cls(**{parameter: value})
            repr(choice)
            use(choice)


def _try_method(name: str, method: str, of: int) -> None:
    cls, rows = MODELS[name]
    usual = {"X": rows, "y": Y}
    asked = getattr(cls, method, None)
    if asked is None:  # not every estimator has a stream
        return
    names = [n for n in inspect.signature(asked).parameters if n != "self"]
    places = dict(zip(names, ("X", "y"), strict=False))
    fitted = cls(max_iter=3).fit(rows, Y)
    for parameter, kind, value in _pairs(asked, of):
        # Fits forget what was before, and who only answers changes nothing.
        model = cls(max_iter=3) if method == "fit" else fitted
        if method == "partial_fit":
            model = copy.deepcopy(fitted)
        given = {n: usual[places[n]] for n in names if n in places}
        with _named(f"{name}.{method}({parameter}={kind})"), only_our_errors():
            getattr(model, method)(**{**given, parameter: value})


@pytest.mark.parametrize("name", FRONTS)
@pytest.mark.parametrize("method", METHODS)
def test_what_methods_are_given(name: str, method: str) -> None:
    _try_method(name, method, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", FRONTS)
@pytest.mark.parametrize("method", METHODS)
def test_all_that_methods_are_given(name: str, method: str) -> None:
    _try_method(name, method, 1)


PATHS = {
    kind: value
    for kind, value in HOSTILE.items()
    # A number is a descriptor to open(), of which 0 would be read to its end.
    if kind not in ("zero", "true")
} | {"zero byte": "a\0b", "not UTF-8": b"\xff\xfe", "long": "x" * 100_000, "folder": "."}


@pytest.mark.parametrize("kind", PATHS)
def test_paths(kind: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = hl.LinearClassifier(max_iter=3).fit(X, Y)
    with _named(f"save({kind})"), only_our_errors():
        model.save(PATHS[kind])
    with _named(f"load({kind})"), only_our_errors():
        hl.load(PATHS[kind])


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_label_among_others(kind: str, tmp_path: Any) -> None:
    for cls, rows in (FRONTS["LinearClassifier"], FRONTS["TextClassifier"]):
        with _named(f"{cls.__name__}: the label {kind}"), only_our_errors():
            model = cls(max_iter=3).fit(rows, [HOSTILE[kind], "b", "b", HOSTILE[kind]])
            model.predict(rows)
            model.save(tmp_path / "m")


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        _FOUND.append(f"{what}: {type(error).__name__}: {str(error)[:120]}")


_FOUND: list[str] = []


@pytest.fixture(autouse=True)
def nothing_else_is_raised() -> Iterator[None]:
    _FOUND.clear()
    yield
    assert not _FOUND, "\n".join(_FOUND)
