"""What every engine promises, and the same bits whatever becomes of its workers."""

import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading
import time

import pytest

from hardlimit.distributed import train
from hardlimit.distributed.engines import Part, names, open_engine, processes
from hardlimit.distributed.engines import dask as dask_engine
from hardlimit.exceptions import ClusterError, FileError, InputError

from ..making import digest
from .conftest import kill

pytest_plugins = ["tests.disks"]


def add(parts, job):
    return sum(len(part.data) for part in parts) + job


def wait_for(parts, seconds):
    from hardlimit.foundation import progress

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)
        progress.report("waiting")
    return os.getpid()


def die(parts, job):
    os.kill(os.getpid(), 9)


def test_all_engines_are_found():
    assert names() == ["dask", "processes", "spark", "threads"]


@pytest.mark.parametrize("cluster", ["threads:2", "processes:2"])
def test_the_contract(cluster):
    with open_engine(cluster) as engine:
        check_results(engine)
        check_end(engine)
        check_results(engine)
    assert not multiprocessing.active_children()


def check_results(engine):
    parts, told = [Part.of(b"abc"), Part.of(b"d")], []
    found = engine.map_ordered(add, parts, [3, 1, 2], lambda *said: told.append(said))
    assert found == [7, 5, 6] and sorted(told) == [(0, 7), (1, 5), (2, 6)]
    assert engine.map_ordered(add, [], []) == []


def check_end(engine):
    def stop(place, result):
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        engine.map_ordered(wait_for, [], [0, 12, 12, 12], stop)
    assert time.monotonic() - began < 10


def test_a_job_that_kills_its_process_is_given_up(monkeypatch):
    monkeypatch.setattr(processes, "MOST_LOSSES", 2)
    with (
        open_engine("processes:1") as engine,
        pytest.raises(ClusterError, match="2 times a worker was lost"),
    ):
        engine.map_ordered(die, [], [1])


@pytest.mark.slow
def test_a_process_is_killed_in_an_epoch(files, tmp_path):
    made = {"shards": 6, "max_iter": 6}
    wanted = digest(train(files, **made), tmp_path)

    def kill_one(record):
        if record.epoch in (2, 4):
            victim = multiprocessing.active_children()[0].pid
            threading.Timer(0.01, kill, (victim,)).start()

    clf = train(files, cluster="processes:2", callback=kill_one, **made)
    assert digest(clf, tmp_path) == wanted


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same_bits(files, tmp_path, dask):
    made = {"shards": 5, "mixing": "mistakes"}
    wanted = digest(train(files, **made), tmp_path)
    assert digest(train(files, cluster=dask, **made), tmp_path) == wanted
    address = dask.scheduler.address.replace("tcp://", "dask://")
    assert digest(train(files, cluster=address, **made), tmp_path) == wanted


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_contract_of_dask(dask):
    with open_engine(dask) as engine:
        check_results(engine)
        check_end(engine)
        # As a system does to a worker that takes more memory than there is.
        with pytest.raises(ClusterError, match="4 times a worker was lost"):
            engine.map_ordered(die, [], [1])
        assert not engine.map_ordered(add, [], [])
        check_results(engine)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_dask_is_killed_in_an_epoch(files, tmp_path, dask):
    made = {"shards": 6, "max_iter": 8}
    wanted = digest(train(files, **made), tmp_path)

    def kill_one(record):
        if record.epoch in (2, 5):
            workers = [info["pid"] for info in dask.run(_process_of).values()]
            threading.Timer(0.02, kill, (workers[0],)).start()

    clf = train(files, cluster=dask, callback=kill_one, **made)
    assert digest(clf, tmp_path) == wanted


def _process_of():
    return {"pid": os.getpid()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_dask_with_another_build_is_refused_before_the_start(files, dask):
    address = next(iter(dask.scheduler_info()["workers"]))
    before = dask.run(_pretend_build, "0" * 12, workers=[address])[address]
    try:
        refusal = f"the worker at {address} has hardlimit build 0{{12}}, and the work is of"
        with pytest.raises(ClusterError, match=refusal):
            train(files, cluster=dask, shards=2, max_iter=2)
    finally:
        dask.run(_pretend_build, before, workers=[address])
    assert train(files, cluster=dask, shards=2, max_iter=2).n_iter_ == 2


def _pretend_build(digest):
    from hardlimit.distributed import calls

    before = calls.digest_sources()
    calls.digest_sources = lambda: digest
    return before


@pytest.mark.slow
def test_a_scheduler_that_is_not_there(files, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_engine, "SECONDS", 1)
    with pytest.raises(InputError, match="no scheduler answered within 1 seconds"):
        train(files, cluster="dask://127.0.0.1:1")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_asks_for_certificates(files, tmp_path):
    distributed = pytest.importorskip("distributed")
    import dask

    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split()
    if shutil.which(words[0]) is None:
        pytest.skip("no openssl")
    command = [*words, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    roles = {
        f"tls_{role}_{kind}": path
        for role in ("client", "worker", "scheduler")
        for kind, path in (("key", key), ("cert", certificate))
    }
    security = distributed.Security(tls_ca_file=certificate, require_encryption=True, **roles)
    made = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(protocol="tls://", security=security, **made) as cluster:
        address = f"dask://{cluster.scheduler_address}"
        with pytest.raises(InputError, match=r"set distributed\.comm\.tls"):
            train(files, cluster=address)
        tls = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
        with dask.config.set({f"distributed.comm.tls.{name}": tls[name] for name in tls}):
            assert train(files, cluster=address, shards=2, max_iter=2).n_iter_ == 2


def test_a_full_disk_is_named_where_parts_lie(tmp_path, monkeypatch, fill_disk):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fill_disk(tmp_path, 2)
    with (
        open_engine("processes:1") as engine,
        pytest.raises(FileError, match="hardlimit-parts-.*: temporary files .*No space.*TMPDIR"),
    ):
        engine.map_ordered(add, [Part.of(b"abc")], [1])
    assert not os.listdir(tmp_path)
