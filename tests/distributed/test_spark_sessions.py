"""Addresses of Spark that cannot be used, and why: told without Spark being there."""

import os
import sys
from types import ModuleType, SimpleNamespace

import pytest

from hardlimit.distributed.engines import _spark_sessions as sessions
from hardlimit.distributed.engines import open_engine, spark
from hardlimit.distributed.engines._spark_errors import check_loss
from hardlimit.distributed.engines._spark_tasks import HeldPart, make_task
from hardlimit.exceptions import ClusterError, InputError, MissingExtraError

PACKAGES = "pyspark", "pyarrow", "pandas", "grpc", "grpc_status", "google.rpc"


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Packages that are there, and a Java."""
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["pyspark"].SparkContext = SimpleNamespace(_active_spark_context=None)
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(sessions, "SECONDS", 0)


def refuse(cluster, error, message):
    with pytest.raises(error, match=message), open_engine(cluster):
        pass


def test_who_is_spark():
    for cluster in ("spark://host:7077", "spark:local[2]", "spark:yarn", "sc://host"):
        assert spark.accepts(cluster)
    for cluster in ("sparks", "threads:2", 3, None):
        assert not spark.accepts(cluster)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_is_missing(installed, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    refuse("sc://127.0.0.1:1", MissingExtraError, rf"package {name}.*pip install 'hardlimit\[spark")


def test_no_java(installed, monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    refuse("spark:local[2]", InputError, "needs Java 17 or newer, and there is none in JAVA_HOME=")
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    refuse("spark:local[2]", InputError, "needs Java 17 or newer, and there is none; install")


def test_nobody_answers(installed):
    refuse("spark://127.0.0.1:1,127.0.0.1:2", InputError, r"no master of Spark .* 0 seconds; begin")
    refuse("sc://127.0.0.1:1/;token=x", InputError, "no server of Spark Connect answered within 0")
    refuse("spark://127.0.0.1:x", InputError, "wanted spark://HOST:PORT")
    refuse("sc://127.0.0.1:99999", InputError, "wanted sc://HOST:PORT")


def test_one_session_a_process(installed):
    there = SimpleNamespace(master="local[2]")
    sys.modules["pyspark"].SparkContext._active_spark_context = there
    refuse("spark:local[3]", InputError, r"has a session of local\[2\]")


def test_a_session_that_has_ended():
    kind = type("SparkSession", (), {"__module__": "pyspark.sql"})
    session = kind()
    session._sc = SimpleNamespace(_jsc=None)
    refuse(session, InputError, "not stopped")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("[PYTHON_VERSION_MISMATCH] Python in worker has", "another version of Python"),
        ("x\nModuleNotFoundError: No module named 'pandas'\n", "lacks a package: No module named"),
        ('Cannot run program "/no/python": error=2', "cannot begin Python: Cannot run program"),
        ("is bigger than spark.driver.maxResultSize (1 GB)", "maxResultSize to 0"),
        ("Job 3 cancelled because SparkContext was shut down", "ended the session"),
        ("Job 3 cancelled part of cancelled job group x", "somebody cancelled"),
        ("Something new\n\tat org.apache", "spark: Something new$"),
        ("Traceback\n  File\npyarrow.lib.ArrowError: odd\n", "spark: pyarrow.lib.ArrowError: odd"),
    ],
)
def test_what_no_other_try_mends(said, message):
    with pytest.raises(ClusterError, match=message):
        check_loss(RuntimeError(said))


@pytest.mark.parametrize(
    "said",
    [
        "Task 0 failed 4 times: ExecutorLostFailure (executor 1 exited)",
        "SparkException: Python worker exited unexpectedly (crashed)",
        "TaskResultLost (result lost from block manager)",
    ],
)
def test_what_another_try_may_mend(said):
    check_loss(RuntimeError(said))


def add(parts, job):
    return parts[0].data, job


def test_a_worker_without_hardlimit_says_so(monkeypatch):
    arrow = pytest.importorskip("pyarrow")
    batch = arrow.RecordBatch.from_pydict({"id": [4, 5]})
    task = make_task(add, {}, "", {4: 1})
    monkeypatch.setitem(sys.modules, "hardlimit.distributed.engines._spark_tasks", None)
    (row,) = [found.to_pylist()[0] for found in task([batch])]
    assert (row["number"], row["kind"]) == (4, "unfit")
    assert b"has no hardlimit of this version in " + os.fsencode(sys.executable) in row["data"]


def test_a_part_is_read_when_it_is_asked_for():
    class Variable:
        @property
        def value(self):
            self._value = b"abc"
            return self._value

    variable = Variable()
    part = HeldPart("a", variable, "")
    assert not vars(variable)
    assert part.data == b"abc"
    assert not vars(variable)  # nobody else has it
    assert part == HeldPart("a", None, "")
    assert len({part, HeldPart("a", None, ""), HeldPart("b", None, "")}) == 2


def test_a_session_of_ours_whose_java_is_gone_is_forgotten(installed):
    """So that the same call can begin another one in this process."""
    context, sql = sys.modules["pyspark"].SparkContext, ModuleType("pyspark.sql")
    sql.SparkSession = SimpleNamespace(_instantiatedSession=1, _activeSession=1)
    sql.SQLContext = SimpleNamespace(_instantiatedContext=1)
    context._active_spark_context = context._gateway = context._jvm = 1

    def stop():
        raise ConnectionRefusedError(111, "Connection refused")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pyspark.sql", sql)
        sessions.end_session(SimpleNamespace(stop=stop))
    assert context._active_spark_context is context._gateway is context._jvm is None
    assert sql.SparkSession._activeSession is sql.SQLContext._instantiatedContext is None


def test_java_that_is_gone_while_a_session_begins(installed, monkeypatch):
    def begin(cluster, master):
        return sessions._within(5, made, cluster)

    def made():
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(sessions, "_begin", begin)
    refuse("spark:local[2]", ClusterError, "the connection to Spark was lost")
