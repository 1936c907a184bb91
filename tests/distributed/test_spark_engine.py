"""What is done about Spark's losses, silence and interruptions; with a session that pretends."""

import logging
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace

import pytest

from hardlimit.distributed import train
from hardlimit.distributed.engines import LOST, Part, _spark_tasks, open_engine, spark
from hardlimit.exceptions import ClusterError, HardlimitWarning

arrow = pytest.importorskip("pyarrow")
LOSS = RuntimeError("Job aborted: ExecutorLostFailure (executor 1 exited)")


class Variable:
    """A broadcast variable."""

    def __init__(self, data):
        self.value = data

    def destroy(self):
        self.value = None


class Frame:
    """So many partitions of one number; what is done with them is done in this process."""

    def __init__(self, numbers, context, task=None):
        self.numbers, self.context, self.task = numbers, context, task

    def mapInArrow(self, task, schema):  # noqa: N802 Spark's name
        return Frame(self.numbers, self.context, task)

    def collect(self):
        self.context.before(self.numbers)
        found = []
        for number in self.numbers:
            for batch in self.task([arrow.RecordBatch.from_pydict({"id": [number]})]):
                found += batch.to_pylist()
        return found


class Context:
    """A session and its context.

    before : called with numbers before they are collected.
    """

    def __init__(self, before=lambda numbers: None, master="local[2]", executors=1):
        self.sparkContext = self  # noqa: N815 Spark's name
        self.before, self.master, self.cancelled, self.variables = before, master, set(), []
        infos = SimpleNamespace(getExecutorInfos=lambda: [None] * executors)
        self._jsc = SimpleNamespace(sc=lambda: SimpleNamespace(statusTracker=lambda: infos))

    def range(self, begin, end, step, partitions):
        assert (step, partitions) == (1, end - begin)
        return Frame(range(begin, end), self)

    def broadcast(self, data):
        self.variables.append(Variable(data))
        return self.variables[-1]

    def setJobGroup(self, name, text, interruptOnCancel):  # noqa: N802, N803 Spark's names
        pass

    def cancelJobGroup(self, name):  # noqa: N802 Spark's name
        self.cancelled.add(name)


SparkSession = type("SparkSession", (Context,), {"__module__": "pyspark.sql.session"})


@pytest.fixture(autouse=True)
def _package(monkeypatch):
    package = ModuleType("pyspark")
    inherit: Callable = lambda session: lambda function: function  # noqa: E731
    package.inheritable_thread_target = inherit
    monkeypatch.setitem(sys.modules, "pyspark", package)
    monkeypatch.setattr(_spark_tasks, "_spare_modules", lambda: None)


def add(parts, job):
    return parts[0].data + bytes([job])


def test_results_come_in_the_order_of_the_jobs_and_are_told_as_they_come():
    session, told = SparkSession(), []
    with open_engine(session) as engine:
        for n in (0, 1, 3, 40):
            wanted = [b"x" + bytes([place]) for place in range(n)]
            told.clear()
            found = engine.map_ordered(
                add, [Part.of(b"x")], list(range(n)), lambda *one: told.append(one)
            )
            assert found == wanted
            assert sorted(told) == list(enumerate(wanted))
        assert len(session.variables) == 1
    assert session.variables[0].value is None  # let go of


def test_results_larger_than_a_row_are_joined_again(monkeypatch):
    monkeypatch.setattr(_spark_tasks, "LARGEST", 5)
    with open_engine(SparkSession()) as engine:
        data = bytes(range(100))
        assert engine.map_ordered(add, [Part.of(data)], [7, 8]) == [data + b"\x07", data + b"\x08"]


def test_what_was_lost_is_done_again_and_what_is_done_is_not():
    lost, done = [], []

    def lose_twice(numbers):
        if 3 in numbers and len(lost) < 2:
            lost.append(numbers)
            raise LOSS
        done.extend(numbers)

    with open_engine(SparkSession(lose_twice)) as engine:
        found = engine.map_ordered(add, [Part.of(b"")], list(range(8)))
    assert found == [bytes([place]) for place in range(8)]
    assert sorted(done) == list(range(8))


def test_a_job_whose_workers_are_lost_again_and_again():
    def lose(numbers):
        raise LOSS

    job = SimpleNamespace(where="shard 3 (a.csv)")
    with (
        open_engine(SparkSession(lose)) as engine,
        pytest.raises(ClusterError, match=r"^shard 3 \(a\.csv\): 5 times a worker was lost"),
    ):
        engine.map_ordered(add, [], [job])


def test_what_no_other_try_mends_is_tried_once():
    tries = []

    def refuse(numbers):
        tries.append(numbers)
        raise RuntimeError("ModuleNotFoundError: No module named 'pandas'")

    with (
        open_engine(SparkSession(refuse)) as engine,
        pytest.raises(ClusterError, match="lacks a package"),
    ):
        engine.map_ordered(add, [], [1])
    assert len(tries) == 1


def test_a_function_that_raises_ends_the_work():
    with (
        open_engine(SparkSession()) as engine,
        pytest.raises(ClusterError, match="a worker cannot do the work: IndexError"),
    ):
        engine.map_ordered(add, [], [1])


def test_an_exception_cancels_what_is_under_way():
    go_on = threading.Event()

    def wait(numbers):
        if 0 not in numbers:
            go_on.wait(20)

    def stop(place, result):
        raise KeyboardInterrupt

    session = SparkSession(wait)
    begin = time.monotonic()
    with open_engine(session) as engine, pytest.raises(KeyboardInterrupt):
        engine.map_ordered(add, [Part.of(b"")], list(range(8)), stop)
    assert time.monotonic() - begin < 10
    assert len(session.cancelled) == 1
    go_on.set()


@pytest.mark.parametrize(
    ("master", "executors", "warns"),
    [("spark://h:1", 1, True), ("spark://h:1", 2, False), ("local[2]", 1, False)],
)
def test_a_master_without_executors_is_remarked(monkeypatch, recwarn, master, executors, warns):
    monkeypatch.setattr(spark, "SILENCE", 0.05)
    session = SparkSession(lambda numbers: time.sleep(0.3), master, executors)
    with open_engine(session) as engine:
        engine.map_ordered(add, [Part.of(b"")], [1])
    found = [str(one.message) for one in recwarn if one.category is HardlimitWarning]
    assert found == (
        ["the master has given none: waiting for executors of spark://h:1"] if warns else []
    )


def folder(parts, job):
    return os.getcwd()


def test_relative_names_mean_there_what_they_mean_here(tmp_path, monkeypatch):
    """Of a worker whose folder is another one, and which has it again afterwards."""
    monkeypatch.chdir(tmp_path)
    task = _spark_tasks.make_task(folder, {}, "", {0: None})
    monkeypatch.chdir(tmp_path.parent)
    (batch,) = task([arrow.RecordBatch.from_pydict({"id": [0]})])
    assert pickle.loads(batch.to_pylist()[0]["data"]) == str(tmp_path)
    assert os.getcwd() == str(tmp_path.parent)


Py4JNetworkError = type("Py4JNetworkError", (Exception,), {})
GONE = (
    ConnectionRefusedError(111, "Connection refused"),
    ConnectionResetError(104, "Connection reset by peer"),
    EOFError(),
    Py4JNetworkError("Answer from Java side is empty"),
    RuntimeError("An error occurred: Error while sending or receiving"),
    RuntimeError("Cannot call methods on a stopped SparkContext."),
    RuntimeError("PythonRDD does not exist in the JVM"),
)
WORDS = "the connection to Spark was lost, or somebody ended the session"


class Gone:
    """A session whose Java is gone from some question on."""

    def __init__(self, session, error, name):
        self.session, self.error, self.name, self.is_gone = session, error, name, False
        for one in ("range", "broadcast", "setJobGroup", "cancelJobGroup", "before"):
            setattr(session, one, self.guarded(one, getattr(session, one)))

    def guarded(self, name, usual):
        def asked(*arguments, **more):
            self.is_gone = self.is_gone or name == self.name
            if self.is_gone:
                raise self.error
            return usual(*arguments, **more)

        return asked


@pytest.mark.parametrize("error", GONE, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", ["broadcast", "range", "setJobGroup", "before"])
def test_spark_that_is_gone_is_one_error_wherever_that_is_noticed(error, name):
    session = SparkSession()
    Gone(session, error, name)
    with pytest.raises(ClusterError) as caught, open_engine(session) as engine:
        engine.map_ordered(add, [Part.of(b"x")], [1, 2, 3])
    assert caught.value.reason == WORDS and caught.value.topic == LOST
    assert caught.value.__cause__ is error


def test_spark_that_is_gone_in_the_midst_of_an_interruption_or_at_the_end(monkeypatch):
    session = SparkSession()
    Gone(session, GONE[0], "cancelJobGroup")

    def destroy(self):
        raise GONE[0]

    monkeypatch.setattr(Variable, "destroy", destroy)

    def stop(place, result):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_engine(session) as engine:
        engine.map_ordered(add, [Part.of(b"x")], [1, 2, 3], stop)
    with open_engine(SparkSession()) as engine:
        assert engine.map_ordered(add, [Part.of(b"x")], [1]) == [b"x\x01"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("epoch", [0, 2])
def test_the_error_names_the_checkpoint(files, tmp_path, epoch):
    """In counting too, before which there is none."""
    session, folder = SparkSession(), tmp_path / "kept"
    gone = Gone(session, GONE[0], "" if epoch else "broadcast")

    def lose(record):
        gone.is_gone = record.epoch == epoch

    with pytest.raises(ClusterError) as caught:
        train(files, cluster=session, checkpoint=folder, every=0, callback=lose, shards=2)
    path = folder / "shards.hardlimit"
    advice = f"goes on from the checkpoint {path}" if epoch else "begin anew: no epoch had ended"
    assert WORDS in str(caught.value) and advice in str(caught.value)
    assert path.exists() == bool(epoch)


def test_the_tracebacks_of_py4j_are_left_out_while_spark_works(caplog):
    """Also those that it logs by the logger of all."""
    logger = logging.getLogger("py4j.clientserver")
    before = logger.getEffectiveLevel()

    def log(path, root=logging.getLogger()):  # noqa: B008
        root.handle(root.makeRecord("root", logging.ERROR, path, 1, "sending failed", (), None))

    with open_engine(SparkSession()):
        assert not logger.isEnabledFor(logging.CRITICAL)
        log("/lib/py4j/clientserver.py")
        assert not caplog.records
        log("/lib/own/program.py")
    log("/lib/py4j/clientserver.py")
    assert logger.getEffectiveLevel() == before and len(caplog.records) == 2
