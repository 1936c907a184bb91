"""A file system that is really full: nothing that was acknowledged is lost, and all files open."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError
from hardlimit.live.file_ledger import SUFFIX

LONG = " ".join(f"word{n}" for n in range(300))


@contextlib.contextmanager
def small_disk(folder, size):
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    try:
        done = subprocess.run(words, capture_output=True)
    except OSError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(live, told):
    """Correct until the disk is full, and see that what failed left no trace."""
    with pytest.raises(FileError) as refused:  # noqa: PT012
        while True:
            before = live.digest(), live.n_entries, live.fingerprint
            done = live.correct(f"{LONG} new{live.n_entries}", "ham" if told else "spam")
            told[done.id] = done.fingerprint
    assert refused.value.topic == "full"
    assert (live.digest(), live.n_entries, live.fingerprint) == before


@pytest.mark.parametrize(("size", "has_tail"), [("1m", False), ("6m", True)])
def test_a_full_disk_loses_nothing(two, tmp_path, size, has_tail):
    with small_disk(tmp_path / "disk", size) as disk:
        ledger, told = str(disk / "ledger"), {}
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(3_000_000 if has_tail else 300_000))
        with hl.open_live(two, ledger) as live:
            fill(live, told)
            assert len(told) > 5 and os.path.exists(ledger + SUFFIX) is has_tail
            with pytest.raises(FileError):
                live.undo(1)
            with pytest.raises(FileError):
                live.add_guard(LONG * 10)
            digest = live.digest()
            with hl.open_live(two, ledger, read_only=True) as other:
                assert other.digest() == digest
            ballast.unlink()
            live.correct("there is room again", "ham")
            live.undo(2)
            live.verify()
            digest = live.digest()
        with hl.open_live(two, ledger) as live:
            assert live.digest() == digest
            written = {entry.id: entry.after for entry in live.log()}
            assert {number: written[number] for number in told} == told
            live.verify()


FILLING = """
import sys, hardlimit as hl
live = hl.open_live(sys.argv[1], sys.argv[2])
text = " ".join(f"word{n}" for n in range(300))
while True:
    try:
        done = live.correct(f"{text} new{live.n_entries}", ["ham", "spam"][live.n_entries % 2])
        print(done.id, done.fingerprint, flush=True)
    except OSError:
        print("full", flush=True)
"""


def test_kill_9_on_a_full_disk_loses_nothing(two, tmp_path):
    with small_disk(tmp_path / "disk", "3m") as disk:
        ledger, told = str(disk / "ledger"), {}
        for _ in range(4):
            words = [sys.executable, "-c", FILLING, two, ledger]
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
                for line in process.stdout:
                    if line == "full\n":
                        break
                    number, fingerprint = line.split()
                    told[int(number)] = fingerprint
                process.send_signal(signal.SIGKILL)
            with hl.open_live(two, ledger, read_only=True) as live:
                written = {entry.id: entry.after for entry in live.log()}
                assert {number: written[number] for number in told} == told
                live.verify()
        assert len(told) > 50


LIMITED = """
import resource, sys, hardlimit as hl
live = hl.open_live(sys.argv[1], sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
text = " ".join(f"word{n}" for n in range(300))
for n in range(1000):
    before = live.digest(), live.n_entries
    try:
        live.correct(f"{text} new{n}", ["ham", "spam"][n % 2])
    except OSError as error:
        assert isinstance(error, hl.exceptions.FileError)
        assert (live.digest(), live.n_entries) == before
        break
else:
    raise SystemExit("nothing was refused")
print(live.n_entries, live.digest())
"""


@pytest.mark.parametrize("limit", [200_000, 1_500_000])
def test_a_file_that_may_not_grow_leaves_the_model_as_it_was(two, ledger, limit):
    pytest.importorskip("resource", reason="this system has no limits of files")
    words = [sys.executable, "-c", LIMITED, two, ledger, str(limit)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    number, digest = done.stdout.split()
    with hl.open_live(two, ledger) as live:
        assert (live.n_entries, live.digest()) == (int(number), digest)
        live.verify()
    assert Path(ledger).stat().st_size > 0
