"""A run that is broken off goes on from its checkpoint, to the bits of an unbroken one."""

import errno
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import model_file, orders
from hardlimit.classifiers.fitting.checkpoints import RunCheckpoints
from hardlimit.exceptions import FileError, HardlimitError, HardlimitWarning, InputError

from .test_texts import LABELS, TEXTS, TWO, batches

pytest_plugins = ["tests.disks"]
BLOCK = 64
GIVEN = {"hash_bits": 10, "idf": None, "chars": None, "order": orders.Stream(BLOCK), "max_iter": 3}


class BrokenError(Exception):
    """Stands for whatever ends a run."""


@pytest.fixture
def break_after(monkeypatch):
    """Break a run right after so many checkpoints."""

    def install(count):
        write = RunCheckpoints.write
        left = [count]

        def counting(self, model, note):
            write(self, model, note)
            left[0] -= 1
            if left[0] == 0:
                raise BrokenError

        monkeypatch.setattr(RunCheckpoints, "write", counting)

    yield install
    monkeypatch.undo()


def saved(clf, path):
    clf.save(path)
    file = model_file.open(path)
    return json.dumps(file.header, sort_keys=True), {n: bytes(file.memory(n)) for n in file.names}


def check_same(make, source, count, tmp_path, break_after, monkeypatch):
    whole = saved(make().fit_stream(source), tmp_path / "a")
    break_after(count)
    with pytest.raises(BrokenError):
        make().fit_stream(source, checkpoint=tmp_path / "c", every=0)
    monkeypatch.undo()
    assert (tmp_path / "c").exists()
    resumed = make().fit_stream(source, checkpoint=tmp_path / "c", every=1000)
    assert saved(resumed, tmp_path / "b") == whole
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("count", [5, 6, 12, 18])
def test_neurons_that_have_reached_their_aim_rest_on(count, tmp_path, break_after, monkeypatch):
    draw, y = np.random.default_rng(0), np.arange(300) % 3
    X = np.array([[4, 1], [-4, 1], [0, -0.85]])[y] + draw.uniform(-0.9, 0.9, (300, 2))

    def make():
        given = {"order": orders.Stream(BLOCK), "multiclass": "ovr", "max_iter": 40}
        return hl.LinearClassifier("perceptron", until="separated", **given)

    check_same(make, [(X, y)], count, tmp_path, break_after, monkeypatch)


def test_the_cache_may_be_gone(tmp_path, break_after, monkeypatch):
    whole = hl.TextClassifier(**GIVEN).fit_stream(batches())
    break_after(8)
    with pytest.raises(BrokenError):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=tmp_path / "c", every=0)
    monkeypatch.undo()
    (tmp_path / "c.rows").unlink()
    resumed = hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=tmp_path / "c")
    assert (resumed.coef_ == whole.coef_).all()
    assert resumed.n_training_errors_ == whole.n_training_errors_


def test_other_rows_are_refused_though_the_cache_is_there(tmp_path, break_after, monkeypatch):
    break_after(8)
    with pytest.raises(BrokenError):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=tmp_path / "c", every=0)
    monkeypatch.undo()
    with pytest.raises(HardlimitError, match="other rows"):
        source = batches([*TEXTS[:-1], "x"])
        hl.TextClassifier(**GIVEN).fit_stream(source, checkpoint=tmp_path / "c")


def test_a_checkpoint_is_a_model_that_predicts(tmp_path, break_after):
    break_after(2)
    with pytest.raises(BrokenError):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=tmp_path / "c", every=0)
    clf = hl.load(tmp_path / "c")
    assert set(clf.predict(TEXTS[:9])) <= set("abc")
    assert clf.stop_reason_ == "interrupted"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"given": {"rule": "perceptron"}}, "rule="),
        ({"given": {"max_iter": 4}}, "max_iter=3"),
        ({"given": {"random_state": 5}}, "random_state=0"),
        ({"texts": [*TEXTS[1:], "x"]}, "other rows"),
        ({"labels": [*LABELS[1:], "a"]}, "other rows"),
        ({"texts": TEXTS[:50], "labels": LABELS[:50]}, "other rows"),
        ({"manifest": ["b.csv"]}, "other files"),
    ],
    ids=str,
)
def test_another_run_is_refused(change, said, tmp_path, break_after, monkeypatch):
    break_after(2)
    saving = {"checkpoint": tmp_path / "c", "every": 0}
    with pytest.raises(BrokenError):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), **saving, manifest=["a.csv"])
    monkeypatch.undo()
    before = (tmp_path / "c").read_bytes()
    source = batches(change.get("texts", TEXTS), change.get("labels", LABELS))
    clf = hl.TextClassifier(**{**GIVEN, **change.get("given", {})})
    with pytest.raises(HardlimitError, match=said) as caught:
        clf.fit_stream(source, **saving, manifest=change.get("manifest", ["a.csv"]))
    assert "remove this one" in str(caught.value)
    assert (tmp_path / "c").read_bytes() == before


def test_a_model_that_is_no_checkpoint_is_refused(tmp_path):
    clf = hl.TextClassifier(**GIVEN).fit_stream(batches())
    clf.save(tmp_path / "m")
    with pytest.raises(HardlimitError, match="no checkpoint"):
        clf.fit_stream(batches(), checkpoint=tmp_path / "m")


@pytest.mark.parametrize(
    "given",
    [
        {"keep": ("last", "pocket"), "rule": "perceptron"},
        {"random_state": None},
    ],
    ids=str,
)
def test_what_no_checkpoint_holds_is_refused(given, tmp_path):
    clf = hl.TextClassifier(**{**GIVEN, **given})
    if given.get("keep"):
        clf.set_params(readout="last")
    with pytest.raises(HardlimitError) as caught:
        clf.fit_stream(batches(), checkpoint=tmp_path / "c")
    assert caught.value.fix or caught.value.wanted


@pytest.mark.parametrize("option", ["cache", "checkpoint"])
def test_a_file_that_is_no_cache_is_never_overwritten(option, tmp_path):
    given = {"cache": tmp_path / "c.rows", "checkpoint": tmp_path / "c"}[option]
    mine = tmp_path / "c.rows"
    mine.write_text("my rows")
    with pytest.raises(HardlimitError, match="no cache of rows"):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), **{option: given})
    assert mine.read_text() == "my rows"
    mine.write_bytes(b"")
    hl.TextClassifier(**GIVEN).fit_stream(batches(), **{option: given})
    assert not mine.exists()


def test_other_classes_are_refused(tmp_path, break_after, monkeypatch):
    break_after(2)
    more = {"checkpoint": tmp_path / "c", "every": 0}
    with pytest.raises(BrokenError):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), classes=["a", "b", "c"], **more)
    monkeypatch.undo()
    for classes in (None, ["a", "b", "c", "d"]):
        with pytest.raises(HardlimitError, match="other classes were named"):
            hl.TextClassifier(**GIVEN).fit_stream(batches(), classes=classes, **more)
    hl.TextClassifier(**GIVEN).fit_stream(batches(), classes=["c", "b", "a"], **more)


def test_a_checkpoint_that_cannot_be_written_ends_no_run(tmp_path, monkeypatch):
    write, source = RunCheckpoints.write, batches(labels=TWO)
    whole = saved(hl.TextClassifier(**GIVEN).fit_stream(source), tmp_path / "a")
    tried = []

    def fail(self, model, note):
        tried.append(note.n_blocks)
        if len(tried) % 3 == 0:
            write(self, model, note)
        else:
            raise FileError("no space left on device", where=self.path)

    monkeypatch.setattr(RunCheckpoints, "write", fail)
    clf = hl.TextClassifier(**GIVEN)
    with pytest.warns(HardlimitWarning, match="no space left .*goes on") as told:
        clf.fit_stream(source, checkpoint=tmp_path / "c", every=0)
    # once until one was written again
    assert 1 < len(tried) and len(told) == -(-len(tried) // 3)
    assert saved(clf, tmp_path / "b") == whole


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        hl.TextClassifier(**GIVEN).fit_stream(batches(labels=TWO), checkpoint=tmp_path / "no" / "c")


@pytest.mark.parametrize("room", [0, 100, 3000])
@pytest.mark.parametrize("named", [True, False])
def test_rows_on_a_full_disk_end_no_run(room, named, tmp_path, fill_disk, monkeypatch):
    """They go on elsewhere: to the bits of a run without a checkpoint, and nothing is left."""
    full, spare = tmp_path / "full", tmp_path / "spare"
    full.mkdir()
    spare.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    whole = saved(hl.TextClassifier(**GIVEN).fit_stream(batches()), tmp_path / "a")
    fill_disk(full, room)
    clf, more = hl.TextClassifier(**GIVEN), {"cache": spare / "rows"} if named else {}
    with pytest.warns(HardlimitWarning, match=r"rows of the first pass are kept .*No space left"):
        clf.fit_stream(batches(), checkpoint=full / "c", every=1000, **more)
    assert saved(clf, tmp_path / "b") == whole
    assert not list(full.iterdir()) and not list(spare.iterdir())


def test_a_run_whose_rows_were_elsewhere_is_gone_on_with(
    tmp_path, fill_disk, break_after, monkeypatch
):
    """The rows are read again: the cache went with the run."""
    whole = saved(hl.TextClassifier(**GIVEN).fit_stream(batches()), tmp_path / "a")
    full = tmp_path / "full"
    full.mkdir()
    flush, failures = os.fsync, [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))]

    def fail(handle):  # of the rows, the first file that is whole
        if failures and "/.c.rows." in os.readlink(f"/proc/self/fd/{handle}"):
            raise failures.pop()
        flush(handle)

    monkeypatch.setattr(os, "fsync", fail)
    break_after(8)
    with pytest.raises(BrokenError), pytest.warns(HardlimitWarning, match="kept elsewhere"):
        hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=full / "c", every=0)
    monkeypatch.undo()
    assert [one.name for one in full.iterdir()] == ["c"]
    clf = hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=full / "c", every=1000)
    assert saved(clf, tmp_path / "b") == whole and not list(full.iterdir())


def test_a_checkpoint_that_another_run_uses_is_refused(tmp_path):
    whole = saved(hl.TextClassifier(**GIVEN).fit_stream(batches()), tmp_path / "a")
    refused = []

    def another():
        return hl.TextClassifier(**GIVEN).fit_stream(batches(), checkpoint=tmp_path / "c", every=0)

    def begin_another(record):
        with ThreadPoolExecutor(1) as pool:
            with pytest.raises(InputError, match=f"another run is .*process {os.getpid()} on"):
                pool.submit(another).result()
        refused.append(record.epoch)

    clf = hl.TextClassifier(**GIVEN)
    clf.fit_stream(batches(), checkpoint=tmp_path / "c", every=0, callback=begin_another)
    assert refused == [1, 2, 3] and saved(clf, tmp_path / "b") == whole
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "b"]
