"""A full disk, and limits of memory and of file sizes, as the system itself enforces them."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..forking import Done, Server
from .test_files import COMMANDS, OLD, TEXTS

pytestmark = pytest.mark.skipif(platform.system() != "Linux", reason="limits as Linux has them")
WRITING = ["train", "train numbers", "predict", "certify", "report", "trace"]


_EVERY_MODULE = """
import importlib, pkgutil, hardlimit
for module in pkgutil.walk_packages(hardlimit.__path__, "hardlimit."):
    try:
        importlib.import_module(module.name)
    except ImportError:  # an extra that is not installed
        pass
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Every module is there before: where memory ends, Python's compiler raises what it likes."""
    with Server(tmp_path_factory.mktemp("server"), _EVERY_MODULE) as server:
        yield server


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    rows = [f"{i},win a prize {i % 7},spam\n{i},see you later {i % 5},ham\n" for i in range(10)]
    (folder / "TEXTS").write_text("id,message,folder\n" + "".join(rows))
    (folder / "NUMBERS").write_text("+1 1:1 2:2\n+1 2:1\n-1 1:-1\n-1 2:-2\n")
    assert server.run("train", folder / "TEXTS", *TEXTS, "-o", folder / "MODEL").code == 0
    return folder


def words_of(name: str, inputs: Path, written: Path) -> list[str]:
    def place(word: str) -> str:
        if word.split(".")[0] == "OUT":
            return str(written / word)
        return str(inputs / word) if (inputs / word).exists() else word

    return [place(word) for word in COMMANDS[name]]


def output_of(words: list[str]) -> Path:
    (found,) = (Path(word) for word in words if Path(word).name.startswith("OUT"))
    return found


def check(done: Done, output: Path, said: tuple[str, ...], before: set[str]) -> None:
    """A sentence, the old file whole, nothing left behind; or all of it done."""
    assert done.code in (0, 1) and "Traceback" not in done.err, done
    if done.code:
        assert any(text in done.err for text in said) and "unexpected" not in done.err, done
        assert done.err.count("error: ") == 1 and output.read_bytes() == OLD, done
    else:
        assert output.read_bytes() != OLD, done
    assert {path.name for path in output.parent.iterdir()} <= before | {output.name}, done


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if not mount or subprocess.run([mount, *options], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk(name: str, inputs: Path, small_disk: Path, server: Server) -> None:
    words = words_of(name, inputs, small_disk)
    output = output_of(words)
    output.write_bytes(OLD)
    with contextlib.suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))
    done = server.run(*words)
    assert done.code == 1
    check(done, output, ("No space left",), {"filler"})
    (small_disk / "filler").unlink()
    assert server.run(*words).code == 0 and output.read_bytes() != OLD


@pytest.mark.parametrize("name", WRITING)
def test_a_limit_of_file_sizes(name: str, inputs: Path, tmp_path: Path, server: Server) -> None:
    words = words_of(name, inputs, tmp_path)
    output = output_of(words)
    for most in (0, 100):
        output.write_bytes(OLD)
        before = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
        # What it says goes to a pipe: files of its own would have the limit, too.
        done = server.run(*words, before=before, stdout="/dev/null", stderr="/dev/null")
        assert done.code in (0, 1) and (output.read_bytes() == OLD) == bool(done.code)
        assert [path.name for path in tmp_path.iterdir()] == [output.name]


_ROOM = """
import resource, warnings
warnings.simplefilter("ignore", ResourceWarning)  # a file whose reader had no room closes itself
with open("/proc/self/statm") as told:
    pages = int(told.read().split()[0])
most = pages * resource.getpagesize() + {room}
resource.setrlimit(resource.RLIMIT_AS, (most, most))
"""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in WRITING[:1])) for n in WRITING]
)
def test_a_limit_of_memory(name: str, inputs: Path, tmp_path: Path, server: Server) -> None:
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a sanitizer reserves more than any limit")
    words = words_of(name, inputs, tmp_path)
    output = output_of(words)
    codes = set()
    for room in (0, *(1 << n for n in range(12, 29, 2))):
        output.write_bytes(OLD)
        done = server.run(*words, before=_ROOM.format(room=room))
        codes.add(done.code)
        check(done, output, ("emory",), set())
    assert 0 in codes
