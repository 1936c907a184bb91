"""A fitted model in use: ``python -m benchmarks.in_use NAME CORPUS``, one contestant, one process.

It learns the training texts and prints one line of JSON: the bytes of its saved model. Then it
answers each line of its standard input with the seconds that all test texts took, so that several
of these processes can take turns without learning again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from benchmarks.contestants import Stages, as_texts, contestants
from benchmarks.corpora import HERE, Corpus, Missing, load
from benchmarks.harness import time_call
from benchmarks.job import MISSING, exit_where_missing


def serve(name: str, corpus: str, most: int | None = None) -> None:
    """Fit, tell the sizes, and predict as often as asked."""
    contestant = contestants()[name]
    contestant.load()
    train, test = load(corpus).first(most).split()
    model = contestant.fit(as_texts(contestant, train, Stages()), Stages())
    verbs = {verb: getattr(contestant, verb, None) for verb in ("save", "save_to_go_on")}
    sizes = {verb: saved_bytes(save, model) for verb, save in verbs.items() if save}
    print(json.dumps(sizes | {"texts": len(test.texts)}), flush=True)
    for _ in sys.stdin:
        print(time_call(lambda: answer(contestant, model, test)), flush=True)


def saved_bytes(save: Callable, model) -> int:
    """Return the bytes of everything that is written."""
    with tempfile.TemporaryDirectory() as name:
        save(model, Path(name))
        return sum(path.stat().st_size for path in Path(name).iterdir())


def answer(contestant: ModuleType, model, test: Corpus) -> list:
    """Go from raw texts to labels."""
    stages = Stages()
    return contestant.predict(model, as_texts(contestant, test, stages).texts, stages)


class InUse:
    """A process that has learnt a corpus; raises ``Missing`` where it cannot run."""

    def __init__(self, name: str, corpus: str, most: int | None = None) -> None:
        command = [sys.executable, "-m", "benchmarks.in_use", name, corpus]
        command += [] if most is None else [str(most)]
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        self._process = subprocess.Popen(command, cwd=HERE.parent, text=True, **pipes)
        line = self._process.stdout.readline()
        if not line:
            _, said = self._process.communicate()
            if self._process.returncode == MISSING:
                raise Missing(said.strip())
            raise RuntimeError(f"{name} on {corpus} failed:\n{said}")
        self.facts: dict[str, int] = json.loads(line)

    def seconds(self) -> float:
        """Let it predict all test texts."""
        print(file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.communicate()


if __name__ == "__main__":
    with exit_where_missing():
        serve(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]))
