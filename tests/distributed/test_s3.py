"""S3 as moto's server has it, behind a proxy that breaks; ``make test-remote`` installs it."""

import http.client
import random
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.distributed import train, worker
from hardlimit.exceptions import FileError
from hardlimit.foundation import storage
from hardlimit.foundation.storage import near, patterns, retrying

from ..making import digest

moto = pytest.importorskip("moto.server", reason="make test-remote installs it")
pytest.importorskip("s3fs", reason="make test-remote installs it")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:botocore")


class Proxy(ThreadingHTTPServer):
    """Hands requests on to S3; ``faults`` befall the next ones that get an object's bytes.

    Among them "stale", of the object OBJECT.old as a cache has it under the tag that it has there,
    and "shifted", of the part one byte later, which the answer says.
    """

    daemon_threads = True

    def __init__(self, port: int) -> None:
        self.port, self.faults, self.seen = port, [], []
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request, client_address):
        """Say nothing of connections that broke."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def hand_on(self):
        server, fault = self.server, ""
        gets = self.command == "GET" and "list-type" not in self.path or self.command == "PUT"
        if gets:
            server.seen.append((self.command, self.path, self.headers.get("Range", "")))
            fault = server.faults.pop(0) if server.faults else ""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if fault == "wait":
            time.sleep(0.2)
        elif fault == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True
            return
        elif isinstance(fault, int):
            self.send_response(fault)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        there = http.client.HTTPConnection("127.0.0.1", server.port)
        there.request(self.command, *misled(self.path, body, dict(self.headers), fault))
        answer = there.getresponse()
        data = answer.read()
        there.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "server", "date"):
                self.send_header(name, value)
        if "Content-Length" not in answer.headers:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[: len(data) // 2] if fault == "cut" else data)
        if fault == "cut":
            self.close_connection = True

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = hand_on  # noqa: N815


def misled(path, body, headers, fault):
    """Return the request that is answered in place of the one that was made."""
    if fault in ("stale", "shifted"):
        headers.pop("If-Match", None)
        path += ".old" if fault == "stale" else ""
    if fault == "shifted":
        begin, end = map(int, headers["Range"].removeprefix("bytes=").split("-"))
        headers["Range"] = f"bytes={begin + 1}-{end + 1}"
    return path, body, headers


@pytest.fixture(scope="module")
def proxy():
    """A proxy before a server of S3."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    with Proxy(server._server.server_port) as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield found
        found.shutdown()
        thread.join()
    server.stop()


@pytest.fixture
def s3(proxy, monkeypatch, tmp_path):
    """The address and the credentials are found in the environment, as s3fs finds them."""
    import fsspec

    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.server_port}",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(retrying, "WAITS", (0.01,) * 4)
    monkeypatch.setattr(near, "_own_folder", lambda: None)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    system = fsspec.filesystem("s3", use_listings_cache=False)
    storage.forget()
    worker.forget()
    system.mkdir("bucket") if not system.exists("bucket") else None
    if system.find("bucket"):
        system.rm("bucket/*", recursive=True)
    proxy.faults.clear()
    proxy.seen.clear()
    yield system
    worker.forget()


@pytest.fixture
def sources(files, s3):
    for path in files:
        s3.put_file(path, f"bucket/mails/{Path(path).name}")
    s3.pipe_file("bucket/other/c.csv", b"no")
    return files, [f"s3://bucket/mails/{Path(path).name}" for path in files]


def test_a_model_from_a_bucket_is_that_of_the_disk(sources, tmp_path):
    disk, uris = sources
    wanted = digest(train(disk, shards=3, max_iter=3), tmp_path)
    for found in (uris, "s3://bucket/mails/*", "s3://bucket/**/[ab].*"):
        for cluster in ("threads:2", "threads:1"):
            worker.forget()
            clf = train(found, shards=3, max_iter=3, cluster=cluster)
            assert digest(clf, tmp_path) == wanted


@pytest.mark.slow
def test_processes_find_the_credentials_too(sources, tmp_path):
    disk, uris = sources
    wanted = digest(train(disk, shards=3, max_iter=3), tmp_path)
    clf = train(uris, shards=3, max_iter=3, cluster="processes:2")
    assert digest(clf, tmp_path) == wanted


@pytest.mark.parametrize("fault", [503, 500, "reset", "cut", "wait"])
def test_faults_of_the_store_change_no_bit(sources, proxy, tmp_path, monkeypatch, fault):
    monkeypatch.setattr(worker, "MOST_REMEMBERED", 1)
    disk, uris = sources
    wanted = digest(train(disk, shards=3, max_iter=2), tmp_path)
    worker.forget()
    proxy.faults[:] = ["", fault, "", fault] * 30
    clf = train(uris, shards=3, max_iter=2, cluster="threads:1")
    assert digest(clf, tmp_path) == wanted


def test_a_fault_that_stays_is_said(sources, proxy):
    proxy.faults[:] = [503] * 1000
    with pytest.raises(FileError, match=r"s3://bucket/mails/a\.csv, bytes 0 to .*tried 5 times"):
        storage.open_remote(sources[1][0]).read()
    proxy.faults[:] = ["cut"] * 1000
    with pytest.raises(FileError, match=r"bytes 0 to .*tried 5 times"):
        storage.open_remote(sources[1][0]).read()


def test_other_versions_and_parts_are_never_mixed_in(s3, proxy):
    data = random.Random(0).randbytes(2_000_000)
    s3.pipe_file("bucket/big", data)
    s3.pipe_file("bucket/big.old", data[::-1])
    for place in range(4):
        proxy.faults[:] = [""] * place + ["stale"]
        with pytest.raises(FileError, match="changed while it was read"):
            storage.open_remote("s3://bucket/big").read()
    proxy.faults[:] = ["", "shifted", "shifted"]
    assert storage.open_remote("s3://bucket/big").read() == data
    proxy.faults[:] = ["", *["shifted"] * 5]
    with pytest.raises(FileError, match="tried 5 times, at last: the answer is of 'bytes 2"):
        storage.open_remote("s3://bucket/big").read()


def test_an_object_that_is_replaced_is_not_read_on(s3, proxy):
    """The store itself refuses: the request names the ETag."""
    s3.pipe_file("bucket/big", bytes(2_000_000))
    with storage.open_remote("s3://bucket/big") as file:
        file.read(10)
        s3.pipe_file("bucket/big", b"1" * 2_000_000)
        proxy.seen.clear()
        with pytest.raises(FileError, match="changed while it was read"):
            file.read()
    assert len(proxy.seen) == 1


def test_parts_are_asked_for(s3, proxy):
    s3.pipe_file("bucket/big", bytes(3_000_000))
    proxy.seen.clear()
    with storage.open_remote("s3://bucket/big", 1 << 16) as file:
        file.seek(2_000_000)
        file.read(10)
    assert [part for _, _, part in proxy.seen] == ["bytes=2000000-2065535"]


def test_versions_and_patterns(sources, s3):
    state = storage.state_of("s3://bucket/mails/a.csv")
    assert state.version and state.size == len(s3.cat_file("bucket/mails/a.csv"))
    s3.pipe_file("bucket/mails/a.csv", b"other")
    assert storage.state_of("s3://bucket/mails/a.csv").version != state.version
    s3.pipe_file("bucket/mails/deep/er/d.csv", b"")
    names = ["s3://bucket/mails/a.csv", "s3://bucket/mails/deep/er/d.csv"]
    assert patterns.expand("s3://bucket/mails/**/*.csv") == names
    assert patterns.expand("s3://bucket/mails/?.csv") == names[:1]
    with pytest.raises(FileError, match="no file matches"):
        patterns.expand("s3://bucket/*.parquet")
    with pytest.raises(FileError, match="no such file"):
        storage.open_remote("s3://bucket/none")
    with pytest.raises(FileError, match="no such file|not exist|access denied"):
        storage.open_remote("s3://no-such-bucket/none")


def test_commands_read_and_write_a_bucket(sources, s3, proxy, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    disk, uris = sources
    assert main(["train", *disk, "-o", "m"]) == 0
    assert main(["train", *uris, "-o", "s3://bucket/m"]) == 0
    assert s3.cat_file("bucket/m") == Path("m").read_bytes()
    proxy.faults[:] = [503, "reset"] * 2
    assert main(["train", "s3://bucket/mails/*", "-o", "s3://bucket/n"]) == 0
    assert s3.cat_file("bucket/n") == Path("m").read_bytes()
    assert hl.load("s3://bucket/n").predict(["win a free prize"])[0] == "spam"
    assert main(["predict", "s3://bucket/m", uris[0], "-o", "s3://bucket/out.csv"]) == 0
    assert main(["predict", "m", disk[0], "-o", "out.csv"]) == 0
    assert s3.cat_file("bucket/out.csv") == Path("out.csv").read_bytes()
    capsys.readouterr()
    proxy.faults[:] = [503] * 1000
    assert main(["predict", "m", disk[0], "-o", "s3://bucket/out.csv"]) == 1
    assert "s3://bucket/out.csv: cannot be written: tried 5 times" in capsys.readouterr().err
    proxy.faults.clear()
    assert s3.cat_file("bucket/out.csv") == Path("out.csv").read_bytes()


def test_an_upload_in_parts_is_committed_at_its_end(s3, proxy, tmp_path, monkeypatch):
    from hardlimit.foundation.atomic_file import replacing

    data = bytes(range(256)) * 50_000  # more than one part of s3fs
    monkeypatch.setattr(type(s3), "default_block_size", 5 << 20)
    with replacing("s3://bucket/big") as temporary:
        Path(temporary).write_bytes(data)
        assert not s3.exists("bucket/big")
    assert s3.cat_file("bucket/big") == data
    with pytest.raises(RuntimeError), replacing("s3://bucket/big") as temporary:
        Path(temporary).write_bytes(b"half")
        raise RuntimeError
    assert s3.cat_file("bucket/big") == data
