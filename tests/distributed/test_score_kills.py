"""A worker that is killed while it writes leaves no torn part, and the bytes are the same."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hardlimit import TextClassifier
from hardlimit.distributed import score

from .conftest import kill, messages

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A model, and a file whose parts take about a second each."""
    folder = tmp_path_factory.mktemp("big")
    rows = messages(400)
    clf = TextClassifier().fit([t for t, _ in rows], [y for _, y in rows])
    clf.metadata = {"layout": {"text": "text"}}
    clf.save(folder / "model")
    with (folder / "new.jsonl").open("w") as file:
        for number in range(150):
            for text, _ in messages(400, seed=number):
                file.write(json.dumps({"id": number, "text": text * 3}) + "\n")
    return str(folder / "model"), str(folder / "new.jsonl")


def digests(paths: list[str]) -> list[str]:
    return [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths]


def children() -> list[int]:
    """Processes that this one has begun and that run hardlimit's work."""
    own = Path(f"/proc/{os.getpid()}/task")
    found = [int(n) for task in own.iterdir() for n in (task / "children").read_text().split()]
    return [n for n in found if b"spawn_main" in Path(f"/proc/{n}/cmdline").read_bytes()]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("after", [0.0, 0.05, 0.2])
def test_a_worker_that_is_killed_while_it_writes(
    big: tuple[str, str], tmp_path: Path, after: float
) -> None:
    wanted = score(*big, cluster="threads:2", output=tmp_path / "whole", shards=6)
    out, done, seen = tmp_path / "out", threading.Event(), []

    def watch() -> None:
        while not done.is_set():
            if any(name.startswith(".part-") for name in os.listdir(out)):
                time.sleep(after)
                seen.extend(children()[:1])
                kill(seen[0])
                return
            time.sleep(0.005)

    out.mkdir()
    watcher = threading.Thread(target=watch)
    watcher.start()
    found = score(*big, cluster="processes:2", output=out, shards=6)
    done.set()
    watcher.join()
    assert seen
    assert digests(found.parts) == digests(wanted.parts)
    assert sorted(os.listdir(out)) == sorted(os.listdir(tmp_path / "whole"))


def test_a_driver_that_is_killed_goes_on(big: tuple[str, str], tmp_path: Path) -> None:
    wanted = score(*big, cluster="threads:2", output=tmp_path / "whole", shards=6)
    out = tmp_path / "out"
    words = ["predict", *big, "--cluster", "processes:2", "--shards", "6", "-o", str(out)]
    command = [sys.executable, "-m", "hardlimit", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (out.exists() and any(name.startswith("part-") for name in os.listdir(out))):
        time.sleep(0.01)
    kill(process.pid)
    process.wait()
    assert not (out / "_SUCCESS").exists()
    said = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True)
    found = json.loads(said.stdout)
    assert found["kept"] >= 1 and found["rows"] == 60_000
    assert digests(found["parts"]) == digests(wanted.parts)
    assert sorted(os.listdir(out)) == sorted(os.listdir(tmp_path / "whole"))
