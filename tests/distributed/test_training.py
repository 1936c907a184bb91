"""The same bits on every engine, whatever becomes of the workers; one shard is the ordinary fit."""

import csv
import errno
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit import TextClassifier
from hardlimit.classifiers import load
from hardlimit.classifiers.files import write
from hardlimit.distributed import run, train, worker
from hardlimit.distributed.engines.threads import Threads
from hardlimit.exceptions import DataFormatError, HardlimitWarning, InputError, ModelFileError
from hardlimit.foundation.workers import using

from ..making import digest
from .conftest import messages


@pytest.mark.parametrize("mixing", ["auto", "mistakes", "accelerated"])
def test_the_engine_and_the_number_of_workers_change_no_bit(files, tmp_path, mixing):
    made = {"shards": 5, "mixing": mixing}
    wanted = digest(train(files, cluster="threads:1", **made), tmp_path)
    for cluster in ("threads:3", "processes:2"):
        assert digest(train(files, cluster=cluster, **made), tmp_path) == wanted
    worker.forget()
    assert digest(train(files, **made), tmp_path) == wanted


def test_an_engine_has_one_pass_at_a_time(files, monkeypatch):
    mapped, under_way = Threads.map_ordered, []

    def map_alone(self, *arguments):
        under_way.append(None)
        assert len(under_way) == 1
        time.sleep(0.01)
        found = mapped(self, *arguments)
        under_way.pop()
        return found

    monkeypatch.setattr(Threads, "map_ordered", map_alone)
    with using(4):
        assert train(files, shards=2, probability=True).fitted.slope is not None


def test_what_is_learnt_is_told(files):
    heard = []
    clf = train(files, shards=3, max_iter=4, callback=heard.append)
    assert [record.epoch for record in heard] == [1, 2, 3, 4]
    assert clf.n_training_errors_ == sum(
        a != b for a, b in zip(clf.predict([t for t, _ in messages(400)]), labels(), strict=True)
    )
    assert clf.fitted.facts.n_rows == 400
    assert clf.explain(messages(1)[0][0]).terms


def labels():
    return [y for _, y in messages(400)]


def test_rows_that_were_forgotten_are_made_again(files, tmp_path, monkeypatch):
    wanted = digest(train(files, shards=4), tmp_path)
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    assert digest(train(files, shards=4), tmp_path) == wanted


def test_a_loaded_model_goes_on(files, tmp_path):
    clf = train(files, shards=4)
    clf.save(tmp_path / "m")
    more = [["a new prize"], ["spam"]]
    assert (hl.load(tmp_path / "m").partial_fit(*more).predict(["a prize"])) == clf.partial_fit(
        *more
    ).predict(["a prize"])


def test_workers_that_are_sent_all_weights_learn_the_same(files, tmp_path, monkeypatch):
    for made in (
        {"shards": 3, "max_iter": 7},
        {"shards": 2, "multiclass": "ovr", "rule": "perceptron", "until": "separated"},
    ):
        wanted = digest(train(files, **made), tmp_path)
        monkeypatch.setattr(run, "MOST_PARTS", 2)
        assert digest(train(files, **made), tmp_path) == wanted
        monkeypatch.undo()


@pytest.mark.parametrize("most", [1, worker.MOST_REMEMBERED])
def test_a_file_that_changes_between_epochs_is_refused(files, monkeypatch, most):
    """Also where the workers have its rows in memory and read it no more."""
    monkeypatch.setattr(worker, "MOST_REMEMBERED", most)

    def change(record):
        data = Path(files[1]).read_bytes()
        Path(files[1]).write_bytes(data.replace(b"spam", b"list", 1))

    with pytest.raises(InputError, match=r"b\.jsonl, bytes .*changed while it was learnt from"):
        train(files, shards=4, callback=change)


def test_a_file_that_is_written_again_alike_has_not_changed(files, tmp_path):
    wanted = digest(train(files, shards=4), tmp_path)
    clf = train(files, shards=4, callback=lambda record: os.utime(files[1], ns=(record.epoch, 1)))
    assert digest(clf, tmp_path) == wanted


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.mark.parametrize("mixing", ["inertial", "accelerated"])
def test_mixing_with_momentum_goes_on_as_it_went(files, tmp_path, mixing):
    made = {"shards": 4, "mixing": mixing, "until": None, "max_iter": 6}
    wanted = digest(train(files, **made), tmp_path)
    folder = tmp_path / "kept"

    def die(record):
        if record.epoch == 4:
            raise KilledError

    with pytest.raises(KilledError):
        train(files, checkpoint=folder, every=0, callback=die, **made)
    model, lead = sorted(folder.iterdir())
    assert model.name == "shards.hardlimit" and lead.suffix == ".lead"
    data = lead.read_bytes()
    lead.write_bytes(data[:-1] + b"!")
    with pytest.raises(InputError, match="its lead is another file"):
        train(files, checkpoint=folder, **made)
    lead.unlink()
    with pytest.raises(InputError, match="without its lead"):
        train(files, checkpoint=folder, **made)
    lead.write_bytes(data)
    assert digest(train(files, checkpoint=folder, every=0, **made), tmp_path) == wanted
    assert not list(folder.iterdir())


def test_a_run_that_was_begun_with_another_default_goes_on_as_it_was_begun(files, tmp_path):
    made = {"shards": 3, "max_iter": 5}
    wanted = digest(train(files, mixing="uniform", **made), tmp_path)
    assert wanted != digest(train(files, **made), tmp_path)
    folder = tmp_path / "kept"

    def die(record):
        if record.epoch == 2:
            raise KilledError

    with pytest.raises(KilledError):
        train(files, checkpoint=folder, every=0, callback=die, mixing="uniform", **made)
    with pytest.raises(InputError, match="of a run with .*, and this one has"):
        train(files, checkpoint=folder, every=0, mixing="inertial", **made)
    assert digest(train(files, checkpoint=folder, every=0, **made), tmp_path) == wanted


def test_an_interruption_keeps_what_was_learnt_and_leaves_a_checkpoint(files, tmp_path):
    made = {"shards": 3, "max_iter": 6, "rule": "perceptron", "until": None}
    wanted = digest(train(files, **made), tmp_path)
    folder, clf = tmp_path / "kept", TextClassifier(**made)

    def interrupt(record):
        if record.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(files, classifier=clf, checkpoint=folder, callback=interrupt)
    assert clf.n_iter_ == 2 and clf.stop_reason_ == "interrupted"
    heard = []
    again = train(files, checkpoint=folder, callback=heard.append, **made)
    assert heard[0].epoch == 3 and digest(again, tmp_path) == wanted


def test_a_run_that_is_killed_after_its_last_epoch_ends_with_the_same_bits(files, tmp_path):
    made = {"shards": 2, "rule": "perceptron", "until": "separated", "max_iter": 30}
    whole = train(files, **made)
    assert whole.stop_reason_ == "separated"
    folder = tmp_path / "kept"

    def die(record):
        if record.epoch == whole.n_iter_:
            raise KilledError

    with pytest.raises(KilledError):
        train(files, checkpoint=folder, every=0, callback=die, **made)
    again = train(files, checkpoint=folder, every=0, **made)
    assert digest(again, tmp_path) == digest(whole, tmp_path)


def test_a_run_that_has_reached_its_aim_leaves_no_checkpoint(files, tmp_path):
    """Nothing would be learnt by going on, although its last epoch corrected."""
    made = {"shards": 2, "rule": "passive-aggressive", "multiclass": "ovr", "until": "separated"}
    heard, folder = [], tmp_path / "kept"
    train(files, callback=heard.append, **made)
    last = heard[-1]
    assert last.corrections and not last.mistakes and last.epoch > 1
    for epoch in (last.epoch, 1):

        def die(record, epoch=epoch):
            if record.epoch == epoch:
                raise KilledError

        with pytest.raises(KilledError):
            train(files, checkpoint=folder, every=1000, callback=die, **made)
        left = [path.name for path in folder.iterdir() if path.suffix != ".lead"]
        assert left == ([] if epoch == last.epoch else ["shards.hardlimit"])


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(files, tmp_path):
    made = {"shards": 3, "max_iter": 6}
    wanted = digest(train(files, **made), tmp_path)
    folder, whole = tmp_path / "kept", resource.getrlimit(resource.RLIMIT_FSIZE)
    seen = {}

    def fill_the_disk(record):
        path = folder / "shards.hardlimit"
        seen[record.epoch] = path.read_bytes() if path.exists() else b""
        if record.epoch == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, whole[1]))
        if record.epoch == 4:
            raise KilledError

    try:
        with (
            pytest.raises(KilledError),
            pytest.warns(HardlimitWarning, match="the checkpoint was not written"),
        ):
            train(files, checkpoint=folder, every=0, callback=fill_the_disk, **made)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, whole)
    assert seen[2] and seen[4] == seen[2]
    assert [one.name for one in folder.iterdir() if one.suffix != ".lead"] == ["shards.hardlimit"]
    heard = []
    clf = train(files, checkpoint=folder, callback=heard.append, **made)
    assert heard[0].epoch == 2 and digest(clf, tmp_path) == wanted


def in_a_thread(work):
    """Do some work in another thread, as another process would do it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_a_checkpoint_that_another_run_uses_is_refused(files, tmp_path):
    """While the first one runs, whatever it has written so far; it ends with its own bits."""
    made, folder, refused = {"shards": 2, "max_iter": 3}, tmp_path / "kept", []
    wanted = digest(train(files, **made), tmp_path)

    def begin_another(record):
        with pytest.raises(InputError, match=f"another run is using it, process {os.getpid()} on"):
            in_a_thread(lambda: train(files, checkpoint=folder, every=0, **made))
        refused.append(record.epoch)

    clf = train(files, checkpoint=folder, every=0, callback=begin_another, **made)
    assert refused == [1, 2, 3] and digest(clf, tmp_path) == wanted
    assert not list(folder.iterdir())
    assert digest(train(files, checkpoint=folder, **made), tmp_path) == wanted


RUN = """
import os, signal, sys
from hardlimit.distributed import train
def stop(record):
    print("learning", flush=True)
    sys.stdin.read() if record.epoch == 2 else None
train(sys.argv[2:], checkpoint=sys.argv[1], every=0, callback=stop, shards=2, max_iter=3)
"""


@pytest.mark.slow
def test_a_run_that_was_killed_leaves_no_lock(files, tmp_path):
    made, folder = {"shards": 2, "max_iter": 3}, tmp_path / "kept"
    wanted = digest(train(files, **made), tmp_path)
    command = [sys.executable, "-c", RUN, str(folder), *files]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True) as other:
        assert [other.stdout.readline() for _ in range(2)] == ["learning\n"] * 2
        with pytest.raises(InputError, match=f"another run is using it, process {other.pid} on"):
            train(files, checkpoint=folder, **made)
        other.kill()
    assert (folder / "shards.hardlimit").exists()
    heard = []
    clf = train(files, checkpoint=folder, callback=heard.append, **made)
    assert digest(clf, tmp_path) == wanted and [one.epoch for one in heard] == [2, 3]
    assert not list(folder.iterdir())


def test_a_folder_without_locks_is_told(files, tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(handle, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.warns(HardlimitWarning, match=r"no lock can be had .*\(No locks available\)"):
        train(files, shards=2, max_iter=2, checkpoint=tmp_path / "kept")


def test_a_checkpoint_that_was_torn_is_refused(files, tmp_path):
    folder = tmp_path / "kept"

    def die(record):
        raise KilledError

    with pytest.raises(KilledError):
        train(files, shards=2, checkpoint=folder, every=0, callback=die)
    path = folder / "shards.hardlimit"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelFileError, match=r"shards\.hardlimit"):
        train(files, shards=2, checkpoint=folder)


@pytest.mark.parametrize(
    "change",
    [
        {"labels": []},
        {"lead": {"a": 1}},
        {"lead": "../../../etc/passwd"},
        {"resting": [10**9]},
        {"resting": "one too high"},
        {"features": 3},
        {"largest": "nan"},
        {"counts": [-1, 2, 3]},
        {"pieces": None},
    ],
    ids=str,
)
def test_a_checkpoint_that_says_what_nobody_wrote_is_refused(files, tmp_path, change):
    folder = tmp_path / "kept"

    def die(record):
        raise KilledError

    with pytest.raises(KilledError):
        train(files, shards=2, checkpoint=folder, every=0, callback=die)
    path = folder / "shards.hardlimit"
    model = load(path).fitted
    if change == {"resting": "one too high"}:
        change = {"resting": [len(model.state.state.resting)]}
    model.metadata["shards"] |= change
    write(model, path, True)
    with pytest.raises(InputError, match="damaged"):
        train(files, shards=2, checkpoint=folder)


def test_a_checkpoint_of_another_run_is_refused(files, tmp_path):
    folder = tmp_path / "kept"

    def die(record):
        raise KilledError

    def run(**made):
        made = {"shards": 4, **made}
        train(files, checkpoint=folder, every=0, callback=die, **made)

    with pytest.raises(KilledError):
        run()
    with pytest.raises(InputError, match="of a run with max_iter=5, and this one has 9"):
        run(max_iter=9)
    with pytest.raises(InputError, match="of a run with shards=4"):
        run(shards=2)
    data = Path(files[1]).read_bytes()
    Path(files[1]).write_bytes(data.replace(b"spam", b"list", 1))
    worker.forget()
    with pytest.raises(InputError, match="changed while it was learnt from"):
        run()
    Path(files[1]).write_bytes(data + data[:200])
    with pytest.raises(InputError, match="of other files: their names or sizes differ"):
        run()


def test_a_shard_that_fails_says_where(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("text,label\n" + "a b,ham\nc d,spam\n" * 300 + "e f,spam,9\n" * 2)
    with pytest.raises(DataFormatError, match=r"bad\.csv.*fields, but"):
        train(path, shards=3)


def test_a_shard_of_one_class_is_allowed_and_one_class_in_all_is_refused(tmp_path):
    path = tmp_path / "sorted.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(sorted(messages(200), key=lambda row: row[1]))
    clf = train(path, shards=4)
    assert list(clf.classes_) == ["ham", "list", "spam"]
    path.write_text("text,label\n" + "a b,ham\n" * 20)
    with pytest.raises(InputError, match="got 1 class"):
        train(path, shards=2)


def test_who_is_no_cluster(files):
    for cluster in ("threads:0", "processes:x", "ray://host", 3):
        with pytest.raises(InputError, match="cluster"):
            train(files, cluster=cluster)
    with pytest.raises(InputError, match="a kernel model keeps its rows"):
        train(files, classifier=hl.KernelClassifier())
    with pytest.raises(InputError, match="which columns occur together"):
        train(files, classifier=hl.LinearClassifier(map=hl.maps.Cross(which="seen")))


def test_a_classifier_stands_in_place_of_its_choices(files, tmp_path):
    clf = TextClassifier(shards=2, max_iter=3)
    assert train(files, classifier=clf) is clf
    assert digest(clf, tmp_path) == digest(train(files, shards=2, max_iter=3), tmp_path)
    with pytest.raises(InputError, match="a classifier has its choices already"):
        train(files, classifier=clf, shards=3)
    assert digest(clf, tmp_path) == digest(train(files, shards=2, epochs=3), tmp_path)
