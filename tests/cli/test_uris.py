"""Commands on URIs: the same models and answers as with the files of the disk."""

import hashlib
import json

import pytest

import hardlimit as hl
from hardlimit.cli import labelled_rows, main

pytest_plugins = ["tests.stores"]
ROWS = "text,label\n" + "win a prize,spam\nlunch at noon,ham\ncash prize,spam\nsee you,ham\n" * 5


@pytest.fixture
def said(capsys):
    def run(*words, code=0):
        capsys.readouterr()
        assert main(list(map(str, words))) == code, capsys.readouterr().err
        return capsys.readouterr()

    return run


@pytest.fixture
def local(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(ROWS)
    (tmp_path / "new.txt").write_text("a cash prize\nnoon\n")
    return tmp_path


def digest(data):
    return hashlib.sha256(data).hexdigest()


def test_a_model_from_anywhere_is_the_same(memory, web, said, local):
    memory.pipe_file("/b/a.csv", ROWS.encode())
    web.files["a.csv"] = ROWS.encode()
    said("train", "a.csv", "-o", "m")
    wanted = digest((local / "m").read_bytes())
    for source in ("memory://b/a.csv", "memory://b/*.csv", web.uri("a.csv?token=secret=")):
        out = said("train", source, "-o", "n")
        assert digest((local / "n").read_bytes()) == wanted
        assert "secret" not in out.out + out.err
    said("train", (local / "a.csv").as_uri(), "-o", (local / "file model").as_uri())
    assert digest((local / "file model").read_bytes()) == wanted


@pytest.mark.parametrize("more", [(), ("--shards", "2"), ("--stream", "--epochs", "2")])
def test_models_are_written_whole_into_a_store(memory, said, local, more):
    memory.pipe_file("/b/a.csv", ROWS.encode())
    if more[:1] == ("--shards",):
        more = (*more, "--cluster", "threads:2")
    if more[:1] == ("--stream",):
        more = (*more, "--cache", "rows")
    said("train", "a.csv", "-o", "m", *more)
    out = said("train", "memory://b/a.csv", "-o", "memory://b/m", *more).out
    assert memory.cat_file("/b/m") == (local / "m").read_bytes()
    assert "memory://b/m" in out
    assert memory.ls("/b", detail=False) == ["/b/a.csv", "/b/m"]
    assert list(hl.load("memory://b/m").predict(["cash prize"])) == ["spam"]


def test_answers_are_those_of_the_disk(memory, web, said, local):
    for name in ("a.csv", "new.txt"):
        memory.pipe_file(f"/b/{name}", (local / name).read_bytes())
        web.files[name] = (local / name).read_bytes()
    said("train", "a.csv", "-o", "memory://b/m")
    said("train", "a.csv", "-o", "m")
    for command in (("predict", "m", "new.txt"), ("evaluate", "m", "a.csv", "--json")):
        wanted = said(*command).out
        for place in ("memory://b/", web.uri("")):
            found = said(command[0], "memory://b/m", place + command[2], *command[3:]).out
            assert found.replace(place, "").replace("memory://b/m", "m") == wanted
    said("predict", "m", "a.csv", "-o", "memory://b/answers.csv")
    said("predict", "m", "a.csv", "-o", "answers.csv")
    assert memory.cat_file("/b/answers.csv") == (local / "answers.csv").read_bytes()
    assert "memory://b/m" in said("inspect", "memory://b/m").out


def test_what_is_not_there_is_said(memory, web, said, local):
    assert "no such file" in said("train", "memory://b/no.csv", "-o", "m", code=1).err
    assert "no file matches" in said("train", "memory://b/*.csv", "-o", "m", code=2).err
    assert "not opened" in said("train", "zip://a::memory://b", "-o", "m", code=1).err
    assert "web servers take no files" in said("train", "a.csv", "-o", web.uri("m"), code=1).err
    assert web.seen == []
    assert "no such file" in said("predict", "memory://b/m", "a.csv", code=1).err
    memory.pipe_file("/b/a.csv", b"text,label\n")
    assert "memory://b/a.csv" in said("train", "memory://b/a.csv", "-o", "m", code=1).err
    assert not (local / "m").exists()


def test_a_failed_put_leaves_what_was_there(memory, said, local, monkeypatch):
    from hardlimit.foundation.storage import retrying

    monkeypatch.setattr(retrying, "WAITS", (0.0,) * 4)
    said("train", "a.csv", "-o", "memory://b/m")
    before = memory.cat_file("/b/m")

    def put(*_, **__):
        raise ConnectionResetError("by the peer")

    monkeypatch.setattr(type(memory), "put_file", put)
    err = said("train", "a.csv", "--epochs", "1", "-o", "memory://b/m", code=1).err
    assert "memory://b/m: cannot be written: tried 5 times" in err
    assert memory.cat_file("/b/m") == before
    assert sorted(p.name for p in local.iterdir()) == ["a.csv", "new.txt"]


def test_passwords_and_signatures_stay_out_of_sight(web, said, local):
    web.files["a.csv"] = ROWS.encode()
    uri = web.uri("a.csv?X-Amz-Signature=pa55").replace("//", "//ann:pa55@")
    for words in (("--json",), ("--shards", "2", "--cluster", "threads:2"), ("--stream",)):
        heard = said("train", uri, "-o", "m", *words)
        assert "pa55" not in heard.out + heard.err
        assert b"pa55" not in (local / "m").read_bytes()
    for words in (("evaluate", "m"), ("predict", "m"), ("predict", "m", "--json")):
        heard = said(*words, uri)
        assert "pa55" not in heard.out + heard.err
    found = json.loads(said("inspect", "m", "--json").out)
    assert "pa55" not in str(found)
    heard = said("evaluate", "m", uri.replace("a.csv", "b.csv"), code=1)
    assert "pa55" not in heard.err and "b.csv" in heard.err
    heard = said("evaluate", "m", uri, uri, code=2)
    assert "pa55" not in heard.err and "named twice" in heard.err
    said("report", "m", uri, "-o", "r.html")
    assert b"pa55" not in (local / "r.html").read_bytes()


def test_a_fragment_is_in_no_message_and_no_traceback(web, said, local):
    web.files["a.csv"] = b"text,label\nwin a prize,spam,more\n"
    for name in ("a.csv", "b.csv"):
        out = said("--traceback", "train", web.uri(f"{name}#token=SECRET"), "-o", "m", code=1)
        assert name in out.err and "SECRET" not in out.out + out.err


def test_a_full_disk_without_a_name_says_where_temporary_files_lie(said, local, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(labelled_rows, "read", fail)
    err = said("train", "a.csv", "-o", "m", code=1).err
    assert err.startswith("error: No space left on device; free some space; temporary files lie in")
    assert "TMPDIR" in err
