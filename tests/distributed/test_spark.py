"""Real clusters of Spark on this machine: the same bits, whatever becomes of their processes."""

import hashlib
import os
import shutil
import sys
import warnings
from pathlib import Path

import pytest

from hardlimit.distributed import train
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.exceptions import HardlimitError, InputError

pytest.importorskip("pyspark", reason="make test-spark installs it")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

ROOT = Path(__file__).parents[2]


def digest(clf, folder: Path) -> str:
    path = folder / "model"
    clf.save(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module", autouse=True)
def _own_interface():
    """Nothing listens beyond this machine; workers import these tests, by this Python."""
    given = {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false pyspark-shell",
        "PYTHONPATH": str(ROOT),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in given.items():
            patch.setenv(name, value)
        yield


def begin_session(master):
    """Give a session, and end it."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master(master).getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def cluster():
    """A master, and two workers with an executor each."""
    yield from begin_session("local-cluster[2,1,1024]")


def add(parts, job):
    return sum(len(part.data) for part in parts) + job


def fail(parts, job):
    raise InputError(f"job {job}")


def stumble(parts, path):
    """Fail twice, as a network does."""
    with open(path, "ab") as file:
        file.write(b"x")
    if os.path.getsize(path) < 3:
        raise OSError("not now")
    return "done"


def break_off(parts, job):
    raise OSError(f"never {job}")


def test_the_engine_and_a_session_give_the_same_bits(files, tmp_path, cluster):
    made = {"shards": 5, "mixing": "mistakes"}
    wanted = digest(train(files, **made), tmp_path)
    assert digest(train(files, cluster=cluster, **made), tmp_path) == wanted


def test_the_contract_of_engines(cluster, tmp_path):
    parts = [Part.of(b"abc"), Part.of(b"d")]
    with open_engine(cluster) as engine:
        done = []
        tell = lambda place, result: done.append(place)  # noqa: E731
        assert engine.map_ordered(add, parts, [3, 1, 2], tell) == [7, 5, 6]
        assert sorted(done) == [0, 1, 2]
        assert engine.map_ordered(add, [], []) == []
        with pytest.raises(HardlimitError, match="job"):
            engine.map_ordered(fail, parts, [1])
        assert engine.map_ordered(stumble, [], [str(tmp_path / "a")]) == ["done"]
        with pytest.raises(OSError, match="never 1"):
            engine.map_ordered(break_off, [], [1])
