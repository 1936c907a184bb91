"""A live model whose ledger lies on a disk that fails; runs in a forked process."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hardlimit as hl
from hardlimit.exceptions import FileError, HardlimitError

from .scenarios import FILES, Shim

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
ACTS: list[Callable[[Any], object]] = [
    lambda live: live.correct("zebra win", "ham"),
    lambda live: live.correct("zebra lunch", "work", new_class=True),
    lambda live: live.add_guard("lunch at noon?"),
    lambda live: live.confirm("see you at lunch"),
    lambda live: live.undo(1),
    lambda live: live.correct("a prize", "ham"),
]


def run(folder: str, log: str, error: str, lasting: bool, n_before: int, step: int) -> int:
    """Work on ledgers while the n-th call on a file fails, n = 1, 1 + step, ...

    lasting : whether all later calls fail too.
    """
    warnings.simplefilter("ignore")
    model = Path(folder) / "model"
    texts = hl.TextClassifier(words=(1, 2), chars=None)
    texts.fit(TEXTS, ["spam", "ham", "spam", "ham"]).save(model)
    nth = 1
    with Path(log).open("a", buffering=1) as lines:
        while True:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                told = _run_one(model, Path(place), (nth, error, lasting), n_before)
            lines.write(json.dumps({"nth": nth, **told}) + "\n")
            if not told["fired"]:
                return 0
            nth += step


def _run_one(model: Path, place: Path, fault: tuple[int, str, bool], n_before: int) -> Any:
    ledger, shim, wrong, said = place / "ledger", Shim(), "", ""
    acknowledged: list[str] = []
    unknown = False
    with hl.open_live(model, ledger) as live:
        for number in range(n_before):
            live.correct(f"word{number} win", ["ham", "spam"][number % 2])
        shim.arm(FILES, place, *fault)
        try:
            for act in ACTS:
                try:
                    act(live)
                    acknowledged.append(live.fingerprint)
                except HardlimitError as failure:
                    said, unknown = said or str(failure), unknown or failure.topic == "unknown"
        except BaseException as failure:
            wrong = f"{type(failure).__name__}: {failure}"
        done = shim.disarm()
        wrong = wrong or _look(model, ledger, live, acknowledged)
        if not wrong and not unknown and live.n_entries != n_before + len(acknowledged):
            wrong = "an entry is stored that was refused"
    with hl.open_live(model, ledger) as again:
        again.verify()
    return {**done, "said": said, "wrong": wrong}


def _look(model: Path, ledger: Path, live: Any, acknowledged: list[str]) -> str:
    """Return what does not hold of a model beside its ledger, which can be read again."""
    with hl.open_live(model, ledger) as fresh:
        truth = fresh.digest(), fresh.n_entries, fresh.fingerprint
        if not set(acknowledged) <= {entry.after for entry in fresh.log()}:
            return "what was acknowledged is not there"
    if live.doubt is None:
        if (live.digest(), live.n_entries, live.fingerprint) != truth:
            return f"it answers by a state of its own, and the ledger has {truth[1]} entries"
    else:
        try:
            live.predict(TEXTS)
            return "it answers although its state is in doubt"
        except FileError:
            pass
    live.refresh()
    if (live.digest(), live.n_entries, live.fingerprint) != truth:
        return "it has not caught up"
    return ""
