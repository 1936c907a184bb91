"""What is done while one call fails, and what must hold afterwards; runs in a forked process."""

from __future__ import annotations

import ctypes
import errno
import json
import pickle
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import hardlimit as hl
from hardlimit.exceptions import HardlimitError
from hardlimit.text import batches

from ..rounding import SINGLE, near

FILES, MEMORY = 1, 2
NEVER = 1 << 60


class Shim:
    """The library that was loaded with LD_PRELOAD."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_calls.restype = ctypes.c_long
        self._library.faults_failed.restype = ctypes.c_char_p
        self._library.faults_arm.argtypes = [
            ctypes.c_int, ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int,
        ]  # fmt: skip

    def arm(self, kind: int, folder: Path, nth: int, error: str, lasting: bool) -> None:
        self._library.faults_arm(
            kind, str(folder).encode(), nth, getattr(errno, error), int(lasting)
        )

    def disarm(self) -> dict[str, Any]:
        self._library.faults_disarm()
        return {
            "calls": self._library.faults_calls(),
            "fired": bool(self._library.faults_fired()),
            "failed": self._library.faults_failed().decode(),
        }


def run_command(words: list[str], log: str, arming: list[Any]) -> int:
    """Run a command while a call fails."""
    from hardlimit.cli import main

    shim = Shim()
    shim.arm(*arming)
    try:
        return main(words)
    finally:
        Path(log).write_text(json.dumps(shim.disarm()))


def run_api(name: str, log: str, first: int, step: int, last: int) -> int:
    """Change a model while the n-th allocation fails, n = first, first + step, ..., last.

    A line of the log for each; the first on which a run ends in which none failed is the last.
    """
    warnings.simplefilter("ignore")
    work = Path(log).parent
    expected = _expected(name, work)
    with Path(log).open("a", buffering=1) as lines:
        for nth in range(first, last + 1, step):
            lines.write(json.dumps({"nth": nth}) + "\n")
            told = _run_one(name, work, nth, expected)
            lines.write(json.dumps({"nth": nth, **told}) + "\n")
            if not told["fired"]:
                break
    return 0


def _run_one(name: str, work: Path, nth: int, expected: Any) -> dict[str, Any]:
    """How the run ended; ``wrong`` is what does not hold then."""
    make, act, rows = API[name]
    model = make()
    before = _snapshot(model, work)
    shim = Shim()
    failure: BaseException | None = None
    shim.arm(MEMORY, Path(), nth, "ENOMEM", False)
    try:
        act(model)
    except BaseException as error:
        failure = error
    finally:
        done = shim.disarm()
    said = "" if failure is None else str(failure)
    done["said"] = said
    try:
        assert failure is None or isinstance(failure, MemoryError | HardlimitError), repr(failure)
        assert "bad_alloc" not in said, said
        after = _snapshot(model, work)
        if failure is None:
            assert after == expected, "nothing was said, and the model is another"
            return done
        if after != before:
            assert "the model has learnt" in said, f"{said!r}, but the model has changed"
            _check_whole(model, rows, work)
        act(model)
        _check_whole(model, rows, work)
        if after == before:
            assert _snapshot(model, work) == expected, f"{said!r}: it cannot go on"
    except Exception as error:
        done["wrong"] = f"{type(error).__name__}: {error}"
    return done


def warm_up() -> None:
    """Import what saving and loading import, once for all runs."""
    with tempfile.TemporaryDirectory() as folder:
        for what in ("coupled", "kernel", "text"):
            _expected(f"save and load {what}", Path(folder))


def _expected(name: str, work: Path) -> Any:
    """What comes out when nothing fails."""
    make, act, *_ = API[name]
    model = make()
    act(model)
    return _snapshot(model, work)


def _check_whole(model: Any, rows: Any, work: Path) -> None:
    """Its file holds what it answers."""
    scores = model.decision_function(rows)
    assert np.isfinite(scores).all()
    model.save(work / "whole")
    loaded = hl.load(work / "whole")
    assert loaded.decision_function(rows) == near(scores, 20, unit=SINGLE)
    assert list(loaded.classes_) == list(model.classes_)


def _snapshot(model: Any, work: Path) -> Any:
    try:
        model.fitted  # noqa: B018
    except HardlimitError:
        return None
    path = work / "snapshot"
    model.save(path)
    # A pickle as well: it contains what a file leaves out.
    return path.read_bytes()


_DRAW = np.random.RandomState(0)
X = np.round(_DRAW.randn(60, 5), 2)
TWO = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
FOUR = TWO + 2 * (X[:, 2] > 0)
MORE, MORE_TWO = X[:20] + 0.5, 1 - TWO[:20]
TEXTS = [f"a{i % 7} b{i % 5} c{i * i % 11} word{i}" for i in range(60)]
MORE_TEXTS = [f"new{i} d{i % 3} a{i % 7}" for i in range(20)]
NEW_CLASS = np.r_[FOUR[:19], 9]

# So many columns of nine classes lie in cells.
WIDE = scipy.sparse.csr_array(
    (np.tile([1.0, 2.0, -1.0], 60), (np.repeat(np.arange(60), 3), np.arange(180) * 643 % 120_000)),
    (60, 120_000),
)

Make, Act = Callable[[], Any], Callable[[Any], Any]
API: dict[str, tuple[Make, Act, Any]] = {}


def _add(name: str, make: Make, rows: Any, labels: Any, more: Any, more_labels: Any) -> None:
    def fitted() -> Any:
        return make().fit(rows, labels)

    def add(what: str, begin: Make, act: Act) -> None:
        API[f"{what} {name}"] = begin, act, more

    add("fit", make, lambda model: model.fit(rows, labels))
    add("fit again", fitted, lambda model: model.fit(more, more_labels))
    add("predict", fitted, lambda model: model.predict(more))
    add("save and load", fitted, _save_and_load)
    if "no stream" not in name:
        if "measured" not in name:
            add("first partial_fit", make, lambda model: model.partial_fit(rows, labels))
        add("partial_fit", fitted, lambda model: model.partial_fit(more, more_labels))


def _save_and_load(model: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model")
        hl.load(Path(folder) / "model")


def _linear(**parameters: Any) -> Make:
    return lambda: hl.LinearClassifier(**{"max_iter": 5, "until": None, **parameters})


for _rule in ("perceptron", "arow", "balanced-winnow", "alma", "romma", "second-order-perceptron"):
    _add(f"linear {_rule}", _linear(rule=_rule), X, TWO, MORE, MORE_TWO)
_add("winnow", _linear(rule="winnow-1"), abs(X) > 1, TWO, MORE > 0, MORE_TWO)
_add("coupled", _linear(), X, FOUR, MORE, NEW_CLASS)
_add("one-vs-rest", _linear(multiclass="ovr"), X, FOUR, MORE, FOUR[:20])
_VOTED = _linear(readout="voted", keep=("last", "averaged", "voted"))
_add("voted, no stream", _VOTED, X, FOUR, MORE, FOUR[:20])
_add("all read-outs, no stream", _linear(keep="all"), X, TWO, MORE, MORE_TWO)
_add("measured columns", _linear(scale="standard"), X, TWO, MORE, MORE_TWO)
_add("batch, no stream", _linear(order="batch"), X, TWO, MORE, MORE_TWO)
_add("worst, no stream", _linear(order="worst"), X, TWO, MORE, MORE_TWO)
_add("kernel", lambda: hl.KernelClassifier(kernel="rbf", max_iter=5, until=None), X, TWO, MORE,
     MORE_TWO)  # fmt: skip
_add(
    "budget",
    lambda: hl.KernelClassifier(
        kernel="rbf", budget=hl.budgets.Projectron(0.2), max_iter=2, until=None
    ),
    X, TWO, MORE, MORE_TWO,
)  # fmt: skip
for _name, _budget in (
    ("forgetron", hl.budgets.Forgetron(7)),
    ("oldest", hl.budgets.RemoveOldest(7)),
):
    _add(_name, lambda b=_budget: hl.KernelClassifier(
        kernel="rbf", budget=b, max_iter=2, until=None), X, TWO, MORE, MORE_TWO)  # fmt: skip
_add(
    "kernel of three",
    lambda: hl.KernelClassifier(kernel="rbf", rule="romma", max_iter=2, until=None),
    X, TWO, MORE, NEW_CLASS,
)  # fmt: skip
_MANY, _MORE_MANY = np.arange(60) % 9, np.r_[np.arange(19) % 9, 9]
_add("cells", _linear(rule="alma", max_iter=2), WIDE, _MANY, WIDE[:20], _MORE_MANY)
_add("text", lambda: hl.TextClassifier(max_iter=3), TEXTS, FOUR, MORE_TEXTS, NEW_CLASS)
_add("hashed", lambda: hl.TextClassifier(max_iter=3, hash_bits=10), TEXTS, FOUR, MORE_TEXTS,
     NEW_CLASS)  # fmt: skip


def _side_by_side() -> Any:
    """A classifier whose texts are shared out, however short they are."""
    batches.LEAST_SHARE = 1
    return hl.TextClassifier(max_iter=3, n_jobs=2)


_add("text, side by side", _side_by_side, TEXTS, FOUR, MORE_TEXTS, NEW_CLASS)


def run_files(name: str, folder: str, log: str, error: str, first: int, step: int) -> int:
    """Save or load below a folder while the n-th call on a file fails, n = first, then more."""
    warnings.simplefilter("ignore")
    work = Path(folder)
    act = FILE_API[name]
    prepare_files(work)
    known = {path.name: path.read_bytes() for path in work.iterdir()}
    (work / "OUT").write_bytes(OLD)
    act(work)
    written = (work / "OUT").read_bytes()
    with Path(log).open("a", buffering=1) as lines:
        nth = first
        while True:
            (work / "OUT").write_bytes(OLD)
            told = _run_one_file(act, work, nth, error)
            told["wrong"] = told["wrong"] or _look_at_files(work, known, written, told)
            lines.write(json.dumps({"nth": nth, **told}) + "\n")
            if not told["fired"]:
                return 0
            nth += step


def _run_one_file(act: Act, work: Path, nth: int, error: str) -> dict[str, Any]:
    shim, said, wrong = Shim(), "", ""
    shim.arm(FILES, work, nth, error, False)
    try:
        act(work)
    except HardlimitError as failure:
        said = str(failure)
    except BaseException as failure:
        wrong = f"{type(failure).__name__}: {failure}"
    return {**shim.disarm(), "said": said, "wrong": wrong}


def _look_at_files(work: Path, known: Any, written: Any, told: dict[str, Any]) -> str:
    """What does not hold of the files; whatever was left is removed for the next run."""
    there = {path.name: path for path in work.iterdir()}
    out = there.pop("OUT").read_bytes()
    left = [name for name in there if name not in known]
    for name in left:
        shutil.rmtree(there[name]) if there[name].is_dir() else there[name].unlink()
    if "Errno" in told["said"]:
        return f"said {told['said']!r}"
    if out != (OLD if told["said"] else written):
        return "neither the old file nor the new one is there"
    if any((work / name).read_bytes() != content for name, content in known.items()):
        return "another file has changed"
    # What fails while it is removed stays for the next writer.
    return f"left {left}" if left and told["failed"] not in OF_REMOVAL else ""


OLD = b"what was there before"
OF_REMOVAL = ("open", "close", "fdopendir", "opendir", "unlink", "unlinkat", "rmdir")


def prepare_files(work: Path) -> None:
    """Models to load."""
    hl.LinearClassifier(max_iter=3).fit(X, TWO).save(work / "linear")
    hl.KernelClassifier(max_iter=3).fit(X, TWO).save(work / "kernel")
    hl.TextClassifier(max_iter=3).fit(TEXTS, FOUR).save(work / "text")


def _taught(work: Path) -> None:
    """The training state is read when it is first asked for."""
    text = hl.load(work / "text")
    text.partial_fit(MORE_TEXTS, NEW_CLASS)


def _answered(name: str, rows: Any) -> Act:
    def act(work: Path) -> None:
        hl.load(work / name).predict(rows)

    return act


def _pickled(work: Path) -> None:
    """A model of a file becomes bytes, which no longer need it."""
    pickle.loads(pickle.dumps(hl.load(work / "kernel"))).predict(MORE)


FILE_API: dict[str, Act] = {
    "save numbers": lambda work: hl.LinearClassifier(max_iter=3).fit(X, TWO).save(work / "OUT"),
    "save texts": lambda work: hl.TextClassifier(max_iter=3).fit(TEXTS, FOUR).save(work / "OUT"),
    "save a loaded model": lambda work: hl.load(work / "kernel").save(work / "OUT"),
    "load numbers": _answered("linear", MORE),
    "load texts": _answered("text", MORE_TEXTS),
    "load and teach": _taught,
    "load and pickle": _pickled,
}
