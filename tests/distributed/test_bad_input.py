"""Input that cannot be learnt from in shards: what is said, and what is allowed after all."""

import csv
import json
import os
from pathlib import Path

import pytest

from hardlimit.distributed import train, worker
from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.run import Unchanged
from hardlimit.exceptions import (
    ColumnError,
    DataFormatError,
    FileError,
    HardlimitError,
    InputError,
)

from .conftest import messages

GOOD = "".join(f"win a prize {n},spam\nlunch at noon {n},ham\n" for n in range(20))


@pytest.fixture
def write(tmp_path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.fixture
def good(write):
    return write("good.csv", f"text,label\n{GOOD}")


@pytest.mark.parametrize("shards", [0, -1, True, 1.5, 1 << 17])
def test_no_number_of_shards(good, shards):
    with pytest.raises(InputError, match=r"shards: got .*, wanted a whole number from 1 to 65,536"):
        train(good, shards=shards)


def test_more_shards_than_records(good):
    with pytest.raises(InputError, match=r"shards: got 100, wanted at most 40 .*would be empty"):
        train(good, shards=100)


def test_files_without_rows(write, good):
    for name, text in (("header.csv", "text,label\n"), ("empty.csv", "")):
        for paths in ([write(name, text)], [good, write(name, text)], [write(name, text), good]):
            with pytest.raises(HardlimitError, match=rf"{name}: .*(no row|empty)"):
                train(paths, shards=1)


def test_a_shard_without_rows_is_named(write):
    rows = "".join(json.dumps({"text": f"t{n}", "label": "xy"[n % 2]}) + "\n" for n in range(4))
    path = write("blank.jsonl", rows + "\n" * 400)
    with pytest.raises(DataFormatError, match=r"blank\.jsonl.*no row"):
        train(path, shards=4)


def test_one_class_in_a_shard_is_allowed_and_in_all_refused(write, tmp_path):
    path = tmp_path / "sorted.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(sorted(messages(200), key=lambda row: row[1]))
    assert list(train(path, shards=4).classes_) == ["ham", "list", "spam"]
    with pytest.raises(InputError, match=r"got 1 class \('ham'\), wanted at least two"):
        train(write("one.csv", "text,label\n" + "a b,ham\n" * 20), shards=2)


def test_files_of_other_layouts(write, good):
    """Columns are found by name in each file; the format is that of the file."""
    swapped = write("swapped.csv", "id,label,text\n7,spam,a prize\n8,ham,lunch\n")
    lines = write("lines.jsonl", '{"label": "spam", "text": "a prize", "more": 3}\n')
    clf = train([good, swapped, lines], shards=3)
    assert clf.fitted.facts.n_rows == 43
    other = write("other.csv", "body,folder\na prize,spam\n")
    with pytest.raises(
        ColumnError, match=r"other\.csv: there is no column 'text'.*'body', 'folder'"
    ):
        train([good, other], shards=2)


@pytest.mark.parametrize("cluster", ["threads:2", "processes:2"])
def test_a_bad_row_is_the_same_error_on_each_engine(write, cluster):
    path = write("bad.csv", f"text,label\n{GOOD * 20}x,y,z\n{GOOD}")
    with pytest.raises(DataFormatError) as caught:
        train(path, shards=3, cluster=cluster, words=(1, 1), chars=None)
    assert "bad.csv:802:" in str(caught.value)


def test_a_bad_row_of_a_later_shard(write):
    """Behind the first texts, which the driver looks at, a worker finds it."""
    rows = "".join(f"win a prize {n},spam\nlunch at noon {n},ham\n" for n in range(9_000))
    path = write("bad.csv", f"text,label\n{rows}x,y,z\n{GOOD}")
    for cluster in ("threads:2", "processes:2"):
        with pytest.raises(DataFormatError) as caught:
            train(path, shards=4, cluster=cluster)
        assert "bad.csv:18002:" in str(caught.value) and "of shard 3 (" in str(caught.value)


def test_a_file_that_is_not_there_for_a_worker(good, monkeypatch):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    monkeypatch.setattr(Unchanged, "check", lambda self: None)  # the driver still has it
    with pytest.raises(FileError, match=r"good\.csv.*every worker must see the files"):
        train(good, shards=2, callback=lambda record: Path(good).unlink(missing_ok=True))


def test_a_file_that_is_gone_is_missed_where_its_rows_are_remembered(good):
    with pytest.raises(FileError, match=r"good\.csv: no such file"):
        train(good, shards=2, callback=lambda record: Path(good).unlink(missing_ok=True))


def test_a_file_that_grows_is_refused(good, monkeypatch):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)

    def grow(record):
        with Path(good).open("a") as file:
            file.write("one more,spam\n")

    with pytest.raises(InputError, match=r"good\.csv.*changed while it was learnt from"):
        train(good, shards=2, callback=grow)


def test_a_file_of_the_same_size_and_time_is_refused_where_rows_are_remembered(good):
    """As a copy that keeps times leaves it: in place, or under a new number."""
    before = Path(good).read_bytes()
    other = before.replace(b"lunch", b"LUNCH")

    def copy_over(record):
        found = os.stat(good)
        Path(good).write_bytes(other)
        os.utime(good, ns=(found.st_atime_ns, found.st_mtime_ns))

    def rename_over(record):
        found, path = os.stat(good), f"{good}.new"
        Path(path).write_bytes(other)
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        os.replace(path, good)

    for change in (copy_over, rename_over):
        Path(good).write_bytes(before)
        with pytest.raises(InputError, match=r"good\.csv.*changed while it was learnt from"):
            train(good, shards=2, callback=change)


def test_a_cluster_that_is_none(good):
    for cluster in ("threads:0", "threads:-1", "processes:x", "ray://host", 3, None):
        with pytest.raises(InputError, match="cluster: got"), open_engine(cluster):
            pass
