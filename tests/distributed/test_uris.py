"""Shards of objects: the bits of the disk's files, few bytes fetched, faults that change none."""

import gzip
import json
import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from hardlimit import readers
from hardlimit.cli import main
from hardlimit.distributed import train, worker
from hardlimit.exceptions import FileError, HardlimitError, InputError
from hardlimit.foundation.storage import near
from hardlimit.sources.cutting import cut_files
from hardlimit.sources.pieces import NotUtf8Error

from ..making import digest
from .conftest import messages, rows_of

pytest_plugins = ["tests.stores"]


def learn(files, tmp_path, **more):
    worker.forget()
    return digest(train(files, **({"shards": 3, "max_iter": 3} | more)), tmp_path)


@pytest.fixture(autouse=True)
def parts(tmp_path, monkeypatch):
    """The folder of what was fetched; nothing is remembered but there."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    worker.forget()
    yield tmp_path / f"hardlimit-parts-{os.getuid()}"
    worker.forget()


@pytest.fixture
def everywhere(files, memory, web):
    """The files on the disk, in memory and on the web."""
    for path in files:
        data, name = Path(path).read_bytes(), Path(path).name
        memory.pipe_file(f"/d/{name}", data)
        web.files[name] = data
    names = [Path(path).name for path in files]
    return files, [f"memory://d/{name}" for name in names], [web.uri(name) for name in names]


def sent(web):
    """The bytes that were asked for."""
    parts = [part[6:].split("-") for _, part in web.seen if part]
    return sum(int(end) - int(begin) + 1 for begin, end in parts)


def test_objects_give_the_bits_of_files(everywhere, tmp_path):
    disk, stored, served = everywhere
    wanted = learn(disk, tmp_path)
    assert learn(stored, tmp_path, cluster="threads:2") == wanted
    assert learn("memory://d/*", tmp_path) == wanted
    assert learn(served, tmp_path, cluster="threads:2") == wanted
    assert learn([Path(path).as_uri() for path in disk], tmp_path) == wanted


@pytest.mark.slow
def test_processes_fetch_their_own(everywhere, tmp_path):
    disk, _, served = everywhere
    assert learn(served, tmp_path, cluster="processes:2") == learn(disk, tmp_path)


def test_whole_files_and_row_groups(tmp_path, memory, web):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = messages(200)
    columns = {"text": [t for t, _ in rows], "label": [y for _, y in rows]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=50)
    lines = "".join(json.dumps({"text": t, "label": y}) + "\n" for t, y in rows)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    names = ["a.parquet", "b.jsonl.gz"]
    wanted = learn([str(tmp_path / name) for name in names], tmp_path)
    for name in names:
        memory.pipe_file(f"/{name}", (tmp_path / name).read_bytes())
        web.files[name] = (tmp_path / name).read_bytes()
    assert learn([f"memory://{name}" for name in names], tmp_path) == wanted
    assert learn([web.uri(name) for name in names], tmp_path) == wanted


def test_lines_are_cut_by_looking_at_borders(web):
    web.files["a.jsonl"] = b'{"text": "win a prize", "label": "spam"}\n' * 100_000
    shards, _ = cut_files([web.uri("a.jsonl")], None, 4, looked_at=False)
    assert len(shards) == 4
    assert sent(web) < len(web.files["a.jsonl"]) / 4
    web.seen.clear()
    # A cut lies inside a row, which belongs to one of the two shards.
    assert sum(1 for _ in rows_of(shards[1])) == pytest.approx(25_000, abs=1)
    assert sent(web) < len(web.files["a.jsonl"]) / 3


def test_each_part_is_fetched_once(everywhere, web, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    learn(everywhere[2][1], tmp_path, max_iter=4)
    asked = Counter(part for _, part in web.seen)
    inside = [part for part in asked if not part.startswith("bytes=0-")]
    # Those that begin inside are for the borders, to the end of a small file, and for the parts.
    assert len(inside) >= 2 and sum(asked[part] for part in inside) <= 5, asked


@pytest.mark.parametrize("what", ["gone", "torn", "altered", "a link"])
def test_the_copies_may_vanish_or_lie(everywhere, parts, tmp_path, monkeypatch, what):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    wanted = learn(everywhere[0], tmp_path)

    def harm(_):
        for path in parts.iterdir():
            data = path.read_bytes()
            if what == "gone":
                path.unlink()
            elif what == "torn":
                path.write_bytes(data[: len(data) // 2])
            elif what == "altered":
                path.write_bytes(data[:-9] + b"X" + data[-8:])
        if what == "a link" and not parts.is_symlink():
            parts.rename(tmp_path / "elsewhere")
            parts.symlink_to(tmp_path / "elsewhere")

    assert learn(everywhere[2], tmp_path, callback=harm) == wanted


def test_the_folder_is_bounded_and_private(everywhere, parts, tmp_path, monkeypatch):
    learn(everywhere[2], tmp_path)
    kept = list(parts.iterdir())
    assert kept and parts.stat().st_mode & 0o077 == 0
    assert not any(b"token" in path.name.encode() for path in kept)
    monkeypatch.setattr(near, "MOST_KEPT", sum(p.stat().st_size for p in kept))
    near.make_room(str(parts), 1)
    assert 0 < len(list(parts.iterdir())) < len(kept)
    old = next(parts.iterdir())
    os.utime(old, (0, 0))
    near.make_room(str(parts), 1)
    assert not old.exists()


@pytest.mark.parametrize("fault", [503, "cut", "reset", "wait"])
def test_faults_in_the_middle_change_no_bit(everywhere, web, tmp_path, monkeypatch, fault):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    monkeypatch.setattr(near, "_own_folder", lambda: None)  # all is fetched each time
    wanted = learn(everywhere[0], tmp_path)
    web.faults[:] = ["", fault, "", "", fault, fault] * 20
    assert learn(everywhere[2], tmp_path, cluster="threads:1") == wanted


def test_a_fault_that_stays_names_uri_bytes_and_reason(everywhere, web, tmp_path, monkeypatch):
    from hardlimit.distributed import running

    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    monkeypatch.setattr(near, "_own_folder", lambda: None)
    monkeypatch.setattr(running, "PAUSE", 0.01)
    uris = [uri + "?sig=pa55" for uri in everywhere[2]]

    def fail(_):
        web.faults[:] = ["", *[503] * 1000]

    with pytest.raises(FileError) as caught:
        learn(uris, tmp_path, callback=fail)
    said = str(caught.value)
    assert "a.csv" in said and "bytes" in said and "answered 503" in said and "pa55" not in said


def test_a_server_without_parts(everywhere, web, tmp_path):
    wanted = learn(everywhere[0], tmp_path)
    web.ranges = False
    assert learn(everywhere[2], tmp_path) == wanted


def test_an_object_that_changes_between_epochs_is_refused(everywhere, web, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    before = web.files["b.jsonl"]

    def change(_):
        web.files["b.jsonl"] = before.replace(b"prize", b"price")

    with pytest.raises(InputError, match=r"b\.jsonl.*other bytes, version .* in place of"):
        learn(everywhere[2], tmp_path, callback=change)
    web.files["b.jsonl"] = before

    def grow(_):
        web.files["b.jsonl"] = before + b"\n"

    with pytest.raises(InputError, match=r"b\.jsonl.* bytes in place of .*changed"):
        learn(everywhere[2], tmp_path, callback=grow)


def test_a_run_goes_on_under_another_signature(everywhere, web, tmp_path, monkeypatch):
    disk, _, served = everywhere
    wanted = learn(disk, tmp_path)
    more = {"checkpoint": str(tmp_path / "c"), "every": 0}

    def stop(record):
        if record.epoch == 2:
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        learn([f"{uri}?sig=pa55" for uri in served], tmp_path, callback=stop, **more)
    left = list((tmp_path / "c").iterdir())
    assert left and not any(b"pa55" in one.read_bytes() for one in left)
    before = web.files["a.csv"]
    web.files["a.csv"] = before.replace(b"prize", b"price")
    with pytest.raises(HardlimitError, match=r"a\.csv.*other bytes"):
        learn([f"{uri}?sig=new" for uri in served], tmp_path, **more)
    web.files["a.csv"] = before
    assert learn([f"{uri}?sig=new" for uri in served], tmp_path, **more) == wanted


def test_what_is_not_utf8_stays_whole_though_nobody_looked(tmp_path):
    lines = ["win a prize\tspam", "lunch at noon\tham"] * 200
    data = "\n".join([*lines, "na\xefve lunch\tham", *lines]) + "\n"
    path = tmp_path / "a.tsv"
    path.write_bytes(data.encode("cp1252"))
    (tmp_path / "b.tsv").write_bytes(data.encode())
    both = [str(path), str(tmp_path / "b.tsv"), str(path) + "2.tsv"]
    Path(both[2]).write_bytes(data.encode())
    # Two shards of three files, of which the first cannot be cut.
    cut, _ = cut_files(both, None, 2)
    assert cut[0].pieces[0].end is None
    rows = [row for shard in cut for row in rows_of(shard)]
    with readers.open_rows(both, need_label=True) as table:
        assert rows == [(row.text, row.label) for row in table]
    assert ("na\xefve lunch", "ham") in rows
    found = train(both, shards=2, max_iter=2)
    assert found.fitted.facts.n_rows == len(rows)
    assert found.vectorizer_.n_replaced_ == 0
    with pytest.raises(NotUtf8Error):
        unlooked, _ = cut_files(both, None, 2, looked_at=False)
        list(rows_of(unlooked[0]))


def test_a_checkpoint_may_lie_in_a_store(everywhere, memory, tmp_path):
    disk, stored, _ = everywhere
    wanted = learn(disk, tmp_path)
    more = {"checkpoint": "memory://runs/one", "every": 0}

    def stop(record):
        if record.epoch == 2:
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        learn(stored, tmp_path, callback=stop, **more)
    left = [name for name in memory.ls("/runs/one", detail=False) if not name.endswith(".lead")]
    assert left == ["/runs/one/shards.hardlimit"]
    heard = []
    assert learn(stored, tmp_path, callback=heard.append, **more) == wanted
    assert [record.epoch for record in heard] == [3]
    assert not memory.exists("/runs/one/shards.hardlimit")


def test_a_command_reads_an_object_for_its_digest_once(everywhere, web, tmp_path, monkeypatch):
    disk, _, served = everywhere
    monkeypatch.chdir(tmp_path)
    options = ["--shards", "3", "--cluster", "threads:2", "--epochs", "2"]
    assert main(["train", *disk, *options, "-o", "m"]) == 0
    monkeypatch.setattr("hardlimit.cli.digests._digest_file", None)
    worker.forget()
    assert main(["train", *served, *options, "-o", "n"]) == 0
    assert Path("m").read_bytes() == Path("n").read_bytes()
