"""Real signals to real commands: nothing stays behind, and what was learnt goes on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import kill

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

PROGRAM = (sys.executable, "-m", "hardlimit")
# A second on an idle machine; the tests may run beside others.
PATIENCE = 4.0
WORDS = ("--shards", "8", "--epochs", "40", "--seed", "3", "--rule", "perceptron")


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes some seconds to learn, whose classes no weights separate."""
    path = tmp_path_factory.mktemp("big") / "texts.csv"
    draw = random.Random(1)
    words = [f"w{n}" for n in range(3_000)]
    with path.open("w") as file:
        file.write("text,label\n")
        for n in range(12_000):
            file.write(f"{' '.join(draw.choices(words, k=30))},class{n % 3}\n")
    return path


@pytest.fixture(scope="module")
def wanted(big: Path) -> str:
    """SHA-256 of the model that one thread learns."""
    model = big.parent / "serial"
    subprocess.run([*PROGRAM, *train(big, model, "threads:1")], check=True, capture_output=True)
    return digest(model)


def train(big: Path, model: Path, cluster: str, *more: object) -> list[str]:
    return [
        *("train", str(big), "-o", str(model), "--cluster", cluster, *WORDS),
        *map(str, more),
    ]


def digest(path: Path) -> str:
    """SHA-256 of the weights and choices: metadata hold the hour."""
    import hardlimit

    clf = hardlimit.load(path)
    clf.metadata.clear()
    other = path.with_suffix(".plain")
    clf.save(other)
    return hashlib.sha256(other.read_bytes()).hexdigest()


class Command:
    """A command in a process of its own, and the temporary files that it makes."""

    def __init__(self, words: list[str], folder: Path) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [*PROGRAM, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            # Where the tests run in the background of a shell, it is ignored, and so by children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            start_new_session=True,
        )

    def wait_until(self, lines: Path, stage: str, epoch: int | None = None) -> None:
        """Wait until it has told this."""
        for told in follow(lines, self.process):
            if told["stage"] == stage and told["epoch"] == epoch and told["shards_done"] >= 2:
                return
        raise AssertionError(self.process.communicate())

    def children(self) -> list[int]:
        """Return the numbers of its processes, itself left out."""
        return [
            number
            for number in map(int, filter(str.isdigit, os.listdir("/proc")))
            if number != self.process.pid and session_of(number) == self.process.pid
        ]

    def end(self, number: int, to_all: bool = False) -> tuple[int, str, float]:
        """Send a signal; its code, what it said, and the seconds that it took."""
        began = time.monotonic()
        if to_all:  # as a terminal does
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said, time.monotonic() - began

    def check_nothing_left(self) -> None:
        """See that no process and no temporary file stays behind."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and (self.children() or os.listdir(self.temporary)):
            time.sleep(0.05)
        assert not self.children()
        assert not os.listdir(self.temporary)


def session_of(number: int) -> int:
    with contextlib.suppress(OSError):
        return os.getsid(number)
    return 0


def follow(lines: Path, process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Yield what is told, until the process has ended."""
    seen = 0
    while process.poll() is None:
        found = lines.read_text().splitlines()[seen:] if lines.exists() else []
        seen += len(found)
        yield from map(json.loads, found)
        time.sleep(0.01)


@pytest.fixture
def schedulers(tmp_path: Path) -> Iterator[Schedulers]:
    """Schedulers and workers of Dask, each a process of its own."""
    pytest.importorskip("distributed")
    found = Schedulers(tmp_path)
    yield found
    found.close()


class Schedulers:
    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[bytes]]()
        self.file = folder / "scheduler.json"
        self.scheduler = self.begin("scheduler", "--no-dashboard", "--port", "0", "--no-show")
        while not self.file.exists():
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"].replace("tcp://", "dask://")

    def begin(self, kind: str, *more: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "dask", kind, "--host", "127.0.0.1"),
                *("--scheduler-file", str(self.file), *more),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
        )
        self.processes.append(process)
        return process

    def begin_worker(self) -> subprocess.Popen[bytes]:
        return self.begin("worker", "--nthreads", "1", "--no-dashboard", "--no-nanny")

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


CLUSTERS = ["threads:2", "processes:2"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("cluster", [*CLUSTERS, "dask"])
@pytest.mark.parametrize(("stage", "epoch"), [("counting", None), ("learning", 3)])
def test_a_signal_ends_it_within_a_second_and_it_goes_on(
    number: int,
    cluster: str,
    stage: str,
    epoch: int | None,
    big: Path,
    wanted: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    if cluster == "dask":
        schedulers = request.getfixturevalue("schedulers")
        cluster = schedulers.address
        schedulers.begin_worker()
        schedulers.begin_worker()
    kept, lines, model = tmp_path / "kept", tmp_path / "lines", tmp_path / "m"
    words = train(big, model, cluster, "--checkpoint", kept)
    command = Command([*words, "--progress", f"json:{lines}"], tmp_path)
    command.wait_until(lines, stage, epoch)
    code, said, seconds = command.end(number, to_all=number == signal.SIGINT)
    assert code == 128 + number, said
    assert seconds < PATIENCE, said
    assert "Traceback" not in said
    command.check_nothing_left()
    if epoch is None:
        assert not os.listdir(kept)
        assert f"there is no checkpoint {kept}/shards.hardlimit yet" in said
        return
    assert os.listdir(kept) == ["shards.hardlimit"]
    assert f"go on from the checkpoint {kept}/shards.hardlimit" in said
    if number == signal.SIGINT:
        assert model.exists()
        model.unlink()
    subprocess.run([*PROGRAM, *words], check=True, capture_output=True, timeout=120)
    assert digest(model) == wanted and not os.listdir(kept)


@pytest.mark.parametrize("cluster", ["processes:2", "dask"])
def test_a_driver_that_is_killed_goes_on(
    cluster: str, big: Path, wanted: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if cluster == "dask":
        schedulers = request.getfixturevalue("schedulers")
        cluster = schedulers.address
        schedulers.begin_worker()
    kept, lines, model = tmp_path / "kept", tmp_path / "lines", tmp_path / "m"
    words = train(big, model, cluster, "--checkpoint", kept, "--every", "0")
    command = Command([*words, "--progress", f"json:{lines}"], tmp_path)
    command.wait_until(lines, "learning", 5)
    command.end(signal.SIGKILL)
    command.check_nothing_left()
    lines.unlink()
    subprocess.run(
        [*PROGRAM, *words, "--progress", f"json:{lines}"],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    told = [json.loads(line) for line in lines.read_text().splitlines()]
    assert min(one["epoch"] for one in told if one["epoch"]) >= 4
    assert digest(model) == wanted


def test_a_scheduler_that_is_killed_is_told_at_once(
    big: Path, wanted: str, tmp_path: Path, schedulers: Schedulers
) -> None:
    schedulers.begin_worker()
    kept, lines, model = tmp_path / "kept", tmp_path / "lines", tmp_path / "m"
    words = train(big, model, schedulers.address, "--checkpoint", kept)
    command = Command([*words, "--progress", f"json:{lines}"], tmp_path)
    command.wait_until(lines, "learning", 3)
    began = time.monotonic()
    schedulers.scheduler.kill()
    _, said = command.process.communicate(timeout=60)
    assert time.monotonic() - began < 10
    assert command.process.returncode == 1
    assert "the connection to the scheduler was lost" in said
    assert f"goes on from the checkpoint {kept}" in said
    assert "Traceback" not in said and "distributed.client" not in said
    command.check_nothing_left()
    words[words.index("--cluster") + 1] = "processes:2"
    subprocess.run([*PROGRAM, *words], check=True, capture_output=True, timeout=120)
    assert digest(model) == wanted


@pytest.mark.parametrize("cluster", ["processes:2", "dask"])
def test_workers_are_killed_at_random_moments(
    cluster: str, big: Path, wanted: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    draw = random.Random(7)
    schedulers = request.getfixturevalue("schedulers") if cluster == "dask" else None
    workers = [schedulers.begin_worker() for _ in range(2)] if schedulers else []
    for run in range(10):
        model, lines = tmp_path / f"m{run}", tmp_path / f"lines{run}"
        where = schedulers.address if schedulers else cluster
        words = train(big, model, where, "--progress", f"json:{lines}")
        command = Command(words, tmp_path)
        stage = draw.choice([("counting", None), ("learning", draw.randint(1, 30))])
        command.wait_until(lines, *stage)
        time.sleep(draw.random() * 0.05)
        if schedulers:
            victim = workers.pop(draw.randrange(2))
            victim.kill()
            workers.append(schedulers.begin_worker())
        else:
            kill(draw.choice(workers_of(command)))
        _, said = command.process.communicate(timeout=120)
        assert command.process.returncode == 0, said
        assert digest(model) == wanted, (run, stage)
        command.check_nothing_left()


def workers_of(command: Command) -> list[int]:
    """Return its workers: other children only watch over what is shared."""
    return [
        number
        for number in command.children()
        if b"resource_tracker" not in Path(f"/proc/{number}/cmdline").read_bytes()
    ]


def test_a_scheduler_without_workers_says_so(
    big: Path, tmp_path: Path, schedulers: Schedulers
) -> None:
    command = Command(train(big, tmp_path / "m", schedulers.address), tmp_path)
    assert command.process.stderr is not None
    said = command.process.stderr.readline()
    assert "waiting for workers: begin one with `dask worker tcp://" in said
    schedulers.begin_worker()
    command.process.communicate(timeout=120)
    assert command.process.returncode == 0
