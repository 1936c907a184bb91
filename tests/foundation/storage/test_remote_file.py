"""A remote file reads as the local one does, or says why not; what is short is never its end."""

import io
import random
import shutil

import pytest

from hardlimit.exceptions import FileError, HardlimitError
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.storage import remote_file, retrying

pytest_plugins = ["tests.stores"]
DATA = random.Random(0).randbytes(3_000_000)


def fetch(uri, **more):
    with storage.open_remote(uri, **more) as file:
        return file.read()


def test_all_of_it_by_few_requests(web):
    web.files["a"] = DATA
    assert fetch(web.uri("a")) == DATA
    parts = [part for _, part in web.seen]
    # The first byte, for the size; then as much as was asked for, and the state once more.
    assert len(parts) <= 6, parts


def test_any_place(web):
    web.files["a"] = DATA
    draw = random.Random(1)
    with storage.open_remote(web.uri("a")) as file, io.BytesIO(DATA) as same:
        for _ in range(30):
            place, length = draw.randrange(len(DATA) + 10), draw.randrange(1000)
            assert file.seek(place) == same.seek(place)
            assert file.read(length) == same.read(length)
            assert file.tell() == same.tell()
        file.seek(-5, 2)
        assert file.read() == DATA[-5:]
        assert sum(1 for _ in web.seen) < 40


def test_a_place_costs_a_part_and_not_the_file(web):
    web.files["a"] = b"x" * 5_000_000
    with storage.open_remote(web.uri("a"), 1 << 16) as file:
        file.seek(4_000_000)
        file.read(10)
    (_, _), (_, part) = web.seen
    assert part == "bytes=4000000-4065535"


@pytest.mark.parametrize("fault", [503, 429, 500, "reset", "cut", "short", "wait"])
def test_faults_that_pass_are_tried_again(web, fault):
    web.files["a"] = DATA
    for faults in ([fault], ["", fault, fault], ["", "", fault, "", fault]):
        web.faults[:] = faults
        assert fetch(web.uri("a")) == DATA
        assert not web.faults


@pytest.mark.parametrize("fault", [503, "reset", "cut"])
def test_faults_that_stay_name_uri_bytes_and_reason(web, fault):
    web.files["a"] = DATA
    web.faults[:] = ["", "", *[fault] * 12]  # aiohttp tries again once by itself
    with pytest.raises(FileError) as caught:
        fetch(web.uri("a?token=secret"))
    said = str(caught.value)
    assert "127.0.0.1" in said and "bytes 262144 to " in said and "tried 5 times" in said
    assert "secret" not in said and "secret" not in repr(caught.value.fields)
    assert caught.value.__cause__ is None


def test_what_no_second_try_mends_is_said_at_once(web):
    for fault, word in ((404, "no such file"), (403, "access denied"), (400, "answered 400")):
        web.faults[:], web.seen[:] = [fault], []
        with pytest.raises(FileError, match=word):
            fetch(web.uri("a"))
        assert len(web.seen) == 1


def test_a_server_without_parts_is_copied(web):
    web.files["a"], web.ranges = DATA, False
    with storage.open_remote(web.uri("a")) as file:
        assert file.raw.size == len(DATA)
        file.seek(1_000_000)
        assert file.read(10) == DATA[1_000_000:1_000_010]
    web.faults[:] = ["", "cut", "reset"]
    assert fetch(web.uri("a")) == DATA
    web.faults[:] = ["", *["cut"] * 5]
    with pytest.raises(FileError, match="tried 5 times"):
        fetch(web.uri("a"))


def test_a_server_that_tells_no_length_is_copied(web):
    web.files["a"], web.ranges, web.sized = DATA, False, False
    assert fetch(web.uri("a")) == DATA
    assert storage.size_of(web.uri("a")) == len(DATA)


def test_an_answer_without_an_end_is_refused_before_the_disk_is_full(web, monkeypatch):
    web.files["a"], web.ranges, web.sized = DATA, False, False
    usage = shutil.disk_usage("/")._replace(free=len(DATA))
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    with pytest.raises(FileError, match="goes on beyond .* bytes, half of the free disk"):
        fetch(web.uri("a"))


def test_nothing_is_nothing(web, memory):
    web.files["a"] = b""
    assert fetch(web.uri("a")) == b""
    web.ranges = False
    assert fetch(web.uri("a")) == b""
    memory.pipe_file("/a", b"")
    assert fetch("memory://a") == b""


def test_a_file_that_changes_while_it_is_read_is_refused(web, memory):
    web.files["a"] = DATA
    with storage.open_remote(web.uri("a")) as file:
        file.read(10)
        web.files["a"] = DATA[::-1]
        with pytest.raises(FileError, match="changed while it was read"):
            file.read()
    memory.pipe_file("/a", DATA)
    with storage.open_remote("memory://a") as file:
        file.read(10)
        memory.pipe_file("/a", DATA + b"more")
        with pytest.raises(FileError, match="changed while it was read"):
            file.read()


def test_a_part_of_another_file_is_refused_before_the_end(web):
    web.files["a"] = DATA
    with storage.open_remote(web.uri("a")) as file:
        file.read(10)
        web.files["a"] = DATA[::-1]
        file.seek(1_000_000)
        with pytest.raises(FileError, match="changed while it was read"):
            file.read(10)


def test_a_short_answer_of_a_store_is_no_end(memory, monkeypatch):
    monkeypatch.setattr(retrying, "WAITS", (0.0,) * 4)
    memory.pipe_file("/a", DATA)
    read, short = type(memory).cat_file, [True, False] * 9

    def cut(system, name, start=None, end=None, **more):
        data = read(system, name, start=start, end=end, **more)
        return data[: len(data) // 2] if short.pop() else data

    monkeypatch.setattr(type(memory), "cat_file", cut)
    assert fetch("memory://a") == DATA
    short[:] = [True] * 9
    with pytest.raises(FileError, match="131,072 of 262,144 bytes"):
        fetch("memory://a")


def test_redirects_lead_to_the_web_alone(web, tmp_path):
    (tmp_path / "a").write_text("local")
    web.files["a"] = DATA
    web.redirects.update({"b": "/a", "c": (tmp_path / "a").as_uri(), "d": "ftp://127.0.0.1/a"})
    assert fetch(web.uri("b")) == DATA
    for name in "cd":
        with pytest.raises(FileError):
            fetch(web.uri(name))


def test_waits_grow_and_end(monkeypatch):
    slept = []
    monkeypatch.setattr(retrying.time, "sleep", slept.append)

    def fail():
        raise ConnectionResetError("by the peer")

    with pytest.raises(FileError, match="by the peer"):
        retrying.retry("s3://b/a", "cannot be read", fail)
    assert len(slept) == 4 and slept == sorted(slept) and sum(slept) < 10


@pytest.mark.parametrize(
    "uri",
    [
        "zip://a.csv::s3://b/a.zip",
        "reference://a",
        "s3://b/a::http://x",
        "github://o:r@/a",
        "x://a",
    ],
)
def test_other_schemes_and_chains_are_refused(uri):
    with pytest.raises(HardlimitError, match="not opened"):
        storage.open_remote(uri)


def test_a_missing_package_is_named(monkeypatch):
    import fsspec

    def missing(*_, **__):
        raise ImportError("Install s3fs to access S3", name=None)

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    with pytest.raises(ImportError, match=r"pip install 'hardlimit\[s3\]'"):
        storage.open_remote("s3://bucket/a")
    with pytest.raises(ImportError, match=r"pip install 'hardlimit\[gcs\]'"):
        storage.open_remote("gs://bucket/a")


def test_requests_grow_no_further_than_memory_allows(memory, monkeypatch):
    monkeypatch.setattr(remote_file, "MOST", 1 << 19)
    memory.pipe_file("/a", DATA)
    with storage.open_remote("memory://a") as file:
        assert b"".join(iter(lambda: file.read(1000), b"")) == DATA
        assert len(file.raw._data) <= 1 << 19


@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_an_older_version_from_a_cache_is_never_mixed_in(web, weak, place):
    """Each part is asked for by its tag; a weak one is compared with that of the answer."""
    web.files["a"], web.older["a"], web.weak = DATA, DATA[::-1], weak
    web.faults[:] = [""] * place + ["stale"]
    with pytest.raises(FileError, match="changed while it was read"):
        fetch(web.uri("a"))
    assert {bool(tag) for tag in web.tags[1:]} == {not weak}


@pytest.mark.parametrize("fault", ["shifted", "shorter", "longer"])
def test_another_part_than_was_asked_for_is_never_mixed_in(web, fault):
    web.files["a"] = DATA
    web.faults[:] = ["", "", fault, fault]
    assert fetch(web.uri("a")) == DATA and not web.faults
    web.faults[:] = ["", *[fault] * 5]
    with pytest.raises(FileError, match="tried 5 times, at last: the answer is of 'bytes "):
        fetch(web.uri("a"))


def test_an_upload_whose_answers_are_lost_says_what_may_be_there(memory, tmp_path, monkeypatch):
    monkeypatch.setattr(retrying, "WAITS", (0.0,) * 4)
    put = type(memory).put_file

    def lose(system, path, name, **more):
        put(system, path, name, **more)
        raise ConnectionResetError("by the peer")

    monkeypatch.setattr(type(memory), "put_file", lose)
    said = (
        r"memory://b/m: cannot be written: tried 5 times, .*by the peer; if only the answers were"
    )
    with pytest.raises(FileError, match=said), replacing("memory://b/m") as path:
        (tmp_path / "new").write_bytes(b"new")
        shutil.copy(tmp_path / "new", path)
    assert memory.cat_file("/b/m") == b"new"

    def deny(system, path, name, **more):
        raise PermissionError("denied")

    monkeypatch.setattr(type(memory), "put_file", deny)
    with pytest.raises(FileError, match="denied") as caught, replacing("memory://b/m"):
        pass
    assert "answers" not in str(caught.value)
