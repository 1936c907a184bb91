"""A pass over shards: which failure is raised, what is tried again, what is told."""

import errno
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import hardlimit
from hardlimit import _native
from hardlimit.distributed import running
from hardlimit.distributed.calls import BUILD, COMPILED, Call, make_call, perform, versions
from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.running import run_shards
from hardlimit.exceptions import (
    ClusterError,
    DataFormatError,
    FileError,
    HardlimitError,
    InputError,
)
from hardlimit.foundation.progress import heard_by
from hardlimit.readers import Layout
from hardlimit.sources.pieces import Piece, Shard


@pytest.fixture(scope="module", params=["threads:2", "processes:2"])
def local(request):
    with open_engine(request.param) as engine:
        yield engine


class Job(NamedTuple):
    shard: Shard
    argument: object = None


def jobs(*arguments):
    pieces = [Piece("a.csv", Layout(), 100, 10 * n, 10 * n + 10) for n in range(len(arguments))]
    return [Job(Shard(n, (pieces[n],)), one) for n, one in enumerate(arguments)]


class UnpicklableError(InputError):
    def __reduce__(self):
        raise TypeError("a socket")


TRIES: list[int] = []


def work(parts, job):
    TRIES.append(job.shard.number)
    match job.argument:
        case "row":
            raise DataFormatError("3 fields, but 2 columns", where="a.csv:7")
        case "missing":
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", "a.csv")
        case "reset":
            raise ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")
        case "memory":
            raise MemoryError
        case "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        case "unpicklable":
            raise UnpicklableError("broken")
        case "unknown":
            raise KeyError("prize")
        case "exit":
            raise SystemExit(3)
    return job.argument


@pytest.mark.parametrize(
    ("argument", "kind", "said"),
    [
        ("row", DataFormatError, r"a\.csv:7 of shard 1 \(a\.csv, bytes 10 to 20\): 3 fields"),
        ("missing", FileError, r"bytes 10 to 20\).*: No such file.*; every worker must see"),
        ("full", FileError, r"bytes 10 to 20\): No space left .*temporary files lie in .*TMPDIR"),
        ("memory", MemoryError, r"shard 1 .*ran out of memory; use more shards"),
        ("unpicklable", InputError, r"shard 1 .*broken"),
        ("unknown", HardlimitError, r"shard 1 .*KeyError: 'prize'"),
        ("exit", HardlimitError, r"shard 1 .*SystemExit: 3"),
    ],
)
def test_a_failure_is_the_same_on_each_engine(local, argument, kind, said):
    with pytest.raises(kind, match=said) as caught:
        run_shards(local, work, [], jobs(1, argument, 2), "counting")
    assert isinstance(caught.value, HardlimitError)
    assert "in work" in caught.value.__notes__[0]


def test_the_first_shard_that_fails_is_named_whoever_is_faster():
    with open_engine("threads:4") as engine:
        for _ in range(20):
            with pytest.raises(HardlimitError, match="shard 2"):
                run_shards(engine, work, [], jobs(1, 2, "unknown", 3, "row", "exit"), "counting")


def test_the_input_is_tried_once_and_a_connection_again(monkeypatch):
    monkeypatch.setattr(running, "PAUSE", 0)
    for argument, kind, tries in (("row", DataFormatError, 1), ("reset", FileError, 4)):
        TRIES.clear()
        with open_engine("threads:1") as engine, pytest.raises(kind):
            run_shards(engine, work, [], jobs(1, argument), "counting")
        assert TRIES.count(1) == tries and TRIES.count(0) == 1


def test_a_worker_of_another_version_refuses():
    call = make_call(work, jobs(1)[0])
    for name in ("hardlimit", "Python"):
        failure = perform((), call._replace(made_by={**call.made_by, name: "0.0.9"})).failure
        assert isinstance(failure.error, ClusterError)
        message = str(failure.error)
        assert f"has {name} {versions()[name]}, and the work is of {name} 0.0.9" in message
        assert "the worker on" in message and "install the same versions" in message
    assert perform((), call).value == 1


def test_a_worker_of_the_same_version_and_another_build_refuses(monkeypatch):
    call = make_call(work, jobs(1)[0])
    for name in (BUILD, COMPILED, "numpy"):
        mine = versions()[name]
        other = f"{mine[:-1]}{'0' if mine[-1] != '0' else '1'}"
        failure = perform((), call._replace(made_by={**call.made_by, name: other})).failure
        assert f"has {name} {mine}, and the work is of {name} {other}: it would learn" in str(
            failure.error
        )
    elsewhere = call.made_by | {COMPILED: "another-platform 1f"}
    assert perform((), call._replace(made_by=elsewhere)).value == 1


PERFORM = """
import sys
sys.path.insert(0, sys.argv[1])
sys.meta_path[:] = [one for one in sys.meta_path if not type(one).__module__.startswith("_edit")]
import pickle
from hardlimit.distributed import calls
assert calls.__file__.startswith(sys.argv[1])
print(calls.perform((), pickle.load(sys.stdin.buffer)))
"""


@pytest.mark.slow
def test_one_changed_line_of_a_worker_is_another_build(tmp_path):
    """In a copy of the package: a worker that was not installed anew."""
    sources = Path(hardlimit.__file__).parent
    package = tmp_path / "hardlimit"
    shutil.copytree(sources, package, ignore=shutil.ignore_patterns("__pycache__", "_native.*so"))
    compiled = Path(_native.__file__)
    shutil.copy(compiled, package / compiled.name)
    data = pickle.dumps(make_call(len, jobs(1)[0]))

    def answer():
        command = [sys.executable, "-c", PERFORM, str(tmp_path)]
        return subprocess.run(command, input=data, check=True, capture_output=True).stdout.decode()

    assert "hardlimit build" not in answer()  # the same package: the call fails in its own way
    with (package / "distributed" / "worker.py").open("a") as file:
        file.write("\n# one line\n")
    said = answer()
    assert (
        "has hardlimit build" in said
        and f"the work is of hardlimit build {versions()[BUILD]}" in said
    )


def test_a_call_of_another_version_can_be_read():
    call = Call({"hardlimit": "9"}, "host", b"no pickle of ours", "shard 0")
    assert "hardlimit 9" in str(perform((), pickle.loads(pickle.dumps(call))).failure.error)


def test_the_worker_is_named_where_it_is_on_another_machine():
    call = make_call(work, jobs("missing")[0])._replace(host="elsewhere")
    assert str(perform((), call).failure.error).count("the worker on") == 1


def test_progress_is_told_shard_by_shard():
    told: list[Progress] = []
    with open_engine("threads:1") as engine, heard_by(told.append):
        run_shards(
            engine,
            work,
            [],
            jobs(5, 7),
            "learning",
            epoch=2,
            epochs=3,
            tally=lambda place, rows: (rows, 1),
        )
    assert [(one.shards_done, one.rows, one.mistakes) for one in told] == [
        (0, 0, None),
        (1, 5, 1),
        (2, 12, 2),
    ]
    assert told[0].rows_per_second is None and told[0].seconds_left is None
    last = told[-1].to_json()
    assert last["seconds_left"] == round(told[-1].seconds, 3)  # of one more epoch
    assert (last["stage"], last["epoch"], last["epochs"], last["shards"]) == ("learning", 2, 3, 2)
