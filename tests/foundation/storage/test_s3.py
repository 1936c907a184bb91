"""Parts of objects of S3: of the version that was opened, and those that were asked for.

The package of S3 is not installed for these tests: a store of this process answers as it does.
"""

import pytest

from hardlimit.exceptions import FileError
from hardlimit.foundation import storage
from hardlimit.foundation.storage import retrying, stores

DATA = bytes(range(256)) * 4000
URI = "s3://bucket/a"


class Body:
    def __init__(self, data):
        self.data, self.closed = data, False

    async def read(self):
        return self.data

    def close(self):
        self.closed = True


class Store:
    """The object "a", and what becomes of the next answers: "stale", "shifted", "cut" or ""."""

    def __init__(self):
        from fsspec.asyn import get_loop

        self.loop, self.versions = get_loop(), {"new": DATA, "old": DATA[::-1]}
        self.faults, self.asked, self.bodies = [], [], []
        self.checks = True

    def split_path(self, name):
        return "bucket", name, None

    def info(self, name):
        return {"type": "file", "size": len(DATA), "ETag": '"new"'}

    async def _call_s3(self, method, **asked):
        self.asked.append(asked)
        fault = self.faults.pop(0) if self.faults else ""
        tag = "old" if fault == "stale" else "new"
        if self.checks and asked.get("IfMatch") != f'"{tag}"':
            cause = Exception()
            cause.response = {"ResponseMetadata": {"HTTPStatusCode": 412}}
            raise OSError(22, "at least one of the preconditions did not hold") from cause
        begin, end = map(int, asked["Range"].removeprefix("bytes=").split("-"))
        begin, end = begin + (fault == "shifted"), end + (fault == "shifted")
        data = self.versions[tag][begin : end + 1]
        body = Body(data[:-1] if fault == "cut" else data)
        self.bodies.append(body)
        said = f"bytes {begin}-{end}/{len(DATA)}"
        return {"Body": body, "ETag": f'"{tag}"', "ContentRange": said}


@pytest.fixture
def store(monkeypatch):
    pytest.importorskip("fsspec")
    found = Store()
    monkeypatch.setattr(stores, "find_system", lambda uri: (found, "a"))
    monkeypatch.setattr(retrying, "WAITS", (0.0,) * 4)
    storage.forget()
    return found


def read():
    with storage.open_remote(URI) as file:
        return file.read()


def test_all_of_it_under_one_tag(store):
    assert read() == DATA
    assert {one["IfMatch"] for one in store.asked} == {'"new"'}
    assert all(body.closed for body in store.bodies) and len(store.bodies) > 1


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_another_version_is_never_mixed_in(store, checks, place):
    """Whether the store knows the condition, or a cache before it answers all the same."""
    store.checks = checks
    store.faults[:] = [""] * place + ["stale"]
    with pytest.raises(FileError, match="changed while it was read"):
        read()
    assert len(store.asked) == place + 1


@pytest.mark.parametrize("fault", ["shifted", "cut"])
def test_another_part_is_asked_for_again(store, fault):
    store.faults[:] = ["", fault, "", fault, fault]
    assert read() == DATA
    store.faults[:] = ["", *[fault] * 5]
    with pytest.raises(FileError, match="tried 5 times, at last: the answer"):
        read()
