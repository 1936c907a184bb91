"""Real clusters of Spark on this machine: the same bits, whatever becomes of their processes."""

import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.distributed import train
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.exceptions import ClusterError, HardlimitError, InputError

from ..making import digest
from . import spark_processes as processes
from .conftest import messages

pytest.importorskip("pyspark", reason="make test-spark installs it")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

MASTER = "local-cluster[2,1,1024]"
MADE = {"shards": 5, "mixing": "mistakes", "max_iter": 4}


@pytest.fixture(scope="module", autouse=True)
def _environment():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in processes.ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="module")
def cluster():
    """A session of a master, and two workers with an executor each."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master(MASTER).getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def connect(tmp_path_factory):
    """The address of a server of Spark Connect."""
    port = processes.free_port()
    settings = {
        "spark.ui.enabled": "false",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    given = [word for one in settings.items() for word in ("--conf", "=".join(one))]
    name = "org.apache.spark.sql.connect.service.SparkConnectServer"
    log = tmp_path_factory.mktemp("connect") / "log"
    command = "spark-submit", "--class", name, "--master", "local[2]", *given, "spark-internal"
    with processes.serving(port, log, *command):
        yield f"sc://127.0.0.1:{port}"


def add(parts, job):
    return sum(len(part.data) for part in parts) + job


def fail(parts, job):
    raise InputError(f"job {job}")


def stay(parts, job):
    time.sleep(60)


def large(parts, job):
    return bytes(40_000_000)


def check_contract(cluster):
    parts = [Part.of(b"abc"), Part.of(b"d")]
    with open_engine(cluster) as engine:
        done = []
        assert engine.map_ordered(add, parts, [3, 1, 2], lambda *told: done.append(told)) == [
            7,
            5,
            6,
        ]
        assert sorted(done) == [(0, 7), (1, 5), (2, 6)]
        assert engine.map_ordered(add, parts[:1], list(range(40))) == list(range(3, 43))
        assert engine.map_ordered(add, [], []) == []
        assert len(engine.map_ordered(large, [], [1])[0]) == 40_000_000
        with pytest.raises(ClusterError, match="InputError: job 1"):
            engine.map_ordered(fail, parts, [1])


def test_a_session_gives_the_same_bits(files, tmp_path, cluster):
    wanted = digest(train(files, **MADE), tmp_path)
    assert digest(train(files, cluster=cluster, **MADE), tmp_path) == wanted


def test_spark_connect_gives_the_same_bits(files, tmp_path, connect):
    wanted = digest(train(files, **MADE), tmp_path)
    assert digest(train(files, cluster=connect, **MADE), tmp_path) == wanted


def test_the_contract_of_engines(cluster):
    check_contract(cluster)


def test_the_contract_of_engines_under_spark_connect(connect):
    check_contract(connect)


def test_a_shard_that_fails_says_where(tmp_path, cluster):
    path = tmp_path / "bad.csv"
    path.write_text("text,label\n" + "a b,ham\nc d,spam\n" * 300 + "e f,spam,9\n" * 2)
    with pytest.raises(HardlimitError, match=r"bad\.csv.*fields, but"):
        train(path, cluster=cluster, shards=3)


@pytest.mark.parametrize("kind", [processes.EXECUTOR, processes.PYTHON])
def test_a_process_is_killed_in_an_epoch(files, tmp_path, cluster, kind):
    made = {"shards": 6, "max_iter": 6}
    wanted = digest(train(files, **made), tmp_path)
    killed = []

    def kill(record):
        if record.epoch in (1, 3):
            killed.append(processes.kill_one(kind, os.getpid()))

    clf = train(files, cluster=cluster, callback=kill, **made)
    assert any(killed)
    assert digest(clf, tmp_path) == wanted


def test_processes_killed_at_random_moments(files, tmp_path, cluster):
    made = {"shards": 6, "max_iter": 6}
    wanted = digest(train(files, **made), tmp_path)
    killed, lasting, wanted_kills = 0, 4.0, int(os.environ.get("HARDLIMIT_RUNS", "3"))
    for _ in range(3 * wanted_kills):
        kind = random.choice([processes.EXECUTOR, processes.PYTHON])
        killing = processes.KillLater(kind, random.uniform(0, lasting))
        begin = time.monotonic()
        assert digest(train(files, cluster=cluster, **made), tmp_path) == wanted
        lasting = min(lasting, time.monotonic() - begin)
        killed += killing.end()
        if killed == wanted_kills:
            return
    raise AssertionError(f"only {killed} processes were killed")


def test_an_interruption_ends_the_work(cluster):
    tracker = cluster.sparkContext.statusTracker()
    timer = threading.Timer(4, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with open_engine(cluster) as engine:
        engine.map_ordered(add, [], [1])
        with pytest.raises(KeyboardInterrupt):
            engine.map_ordered(stay, [], list(range(4)))
        assert not tracker.getActiveJobsIds()


def test_an_address_of_a_session_that_is_there(files, tmp_path, cluster):
    wanted = digest(train(files, **MADE), tmp_path)
    assert digest(train(files, cluster=f"spark:{MASTER}", **MADE), tmp_path) == wanted
    assert cluster.range(3).count() == 3  # nobody ended it
    with pytest.raises(InputError, match="this process has a session of local-cluster"):
        train(files, cluster="spark:local[2]", **MADE)


def write_messages(path, n):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *messages(n)])


def test_the_command_line_goes_on_after_its_driver_was_killed(tmp_path):
    """On a master of Spark's own, and a worker."""
    path, kept = tmp_path / "a.csv", tmp_path / "kept"
    write_messages(path, 400)
    port, port_of_worker = processes.free_port(), processes.free_port()
    host = "--host", "127.0.0.1", "--webui-port", "0", "--port"
    of = "org.apache.spark.deploy"
    master = "spark-class", f"{of}.master.Master", *host, str(port)
    worker = (
        "spark-class", f"{of}.worker.Worker", f"spark://127.0.0.1:{port}", *host,
        str(port_of_worker), "--cores", "2", "--memory", "2g", "--work-dir", str(tmp_path / "w"),
    )  # fmt: skip

    def command(cluster, name):
        words = "-m hardlimit train a.csv --shards 4 --epochs 8 --every 0".split()
        more = ["--cluster", cluster, "--checkpoint", str(kept), "-o", name]
        return [sys.executable, *words, *more]

    def run(command):
        found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert found.returncode == 0, found.stderr
        return found

    run(command("threads:1", "wanted"))
    with (
        processes.serving(port, tmp_path / "master", *master),
        processes.serving(port_of_worker, tmp_path / "worker", *worker),
    ):
        cluster = f"spark://127.0.0.1:{port}"
        driver = subprocess.Popen(command(cluster, "found"), cwd=tmp_path)
        end = time.monotonic() + 200
        while not list(kept.glob("*.hardlimit")) and time.monotonic() < end:
            assert driver.poll() is None
            time.sleep(0.02)
        java = list(processes.descendants(driver.pid))
        driver.kill()
        driver.wait()
        assert list(kept.glob("*.hardlimit"))
        found = run(command(cluster, "found"))
        assert "Spark" not in found.stderr
    assert (tmp_path / "found").read_bytes() == (tmp_path / "wanted").read_bytes()
    assert not any(Path(f"/proc/{one}").exists() for one in java)


JAVA_KILLED = """
import os, sys, subprocess
from hardlimit.cli import main
from tests.distributed import spark_processes as processes
from hardlimit.cli.progress import Progress
words = "train a.csv --shards 4 --epochs 8 --every 0 --checkpoint kept -o found".split()
words += ["--cluster", "spark:local[2]"]
shown = Progress.__call__
def kill(self, record):
    shown(self, record)
    if record.epoch == 3 and not killed:
        killed.append(processes.kill_one("SparkSubmit", os.getpid()))
Progress.__call__, killed = kill, []
print(main(words), killed[0] is not None, flush=True)
print(main(words), flush=True)
"""


def test_java_that_is_killed_is_one_sentence_and_the_same_call_goes_on(tmp_path):
    """In the same process too, which begins another Java."""
    write_messages(tmp_path / "a.csv", 400)
    words = "-m hardlimit train a.csv --shards 4 --epochs 8 -o wanted --cluster threads:1".split()
    subprocess.run([sys.executable, *words], cwd=tmp_path, check=True, capture_output=True)
    command = [sys.executable, "-c", JAVA_KILLED]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=400)
    codes = [line for line in found.stdout.splitlines() if line[:1].isdigit()]
    assert codes == ["1 True", "0"], found.stderr
    assert found.stderr.splitlines()[0] == (
        "error: the connection to Spark was lost, or somebody ended the session; the same call "
        f"goes on from the checkpoint {os.path.join('kept', 'shards.hardlimit')}"
    )
    assert "Traceback" not in found.stderr
    assert (tmp_path / "found").read_bytes() == (tmp_path / "wanted").read_bytes()


def test_answers_are_those_of_one_process(files, tmp_path, cluster, capsys):
    train(files, **MADE).save(tmp_path / "model")

    def run(command, name, *more):
        words = [command, str(tmp_path / "model"), files[0], "--cluster", name, "--shards", "3"]
        assert main([*words, *more]) == 0
        return capsys.readouterr().out

    shown, written = [], []
    for number, name in enumerate(("threads:1", f"spark:{MASTER}")):
        shown.append(run("evaluate", name))
        folder = tmp_path / str(number)
        run("predict", name, "-o", str(folder))
        written.append({one.name: one.read_bytes() for one in folder.glob("part-*")})
    assert shown[0] == shown[1]
    assert len(written[0]) == 3
    assert written[0] == written[1]
