"""Files are replaced whole or not at all, and dead writers leave nothing for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hardlimit.exceptions import FileError
from hardlimit.foundation import temporary_folder
from hardlimit.foundation.atomic_file import replacing

fcntl = pytest.importorskip("fcntl", reason="dead writers are known by their locks")
WAITING = """
import sys
from hardlimit.foundation.atomic_file import replacing
with replacing(sys.argv[1]) as temporary:
    open(temporary, "w").write("half")
    open(temporary + "-of-a-library", "w").write("half")
    print("writing", flush=True)
    sys.stdin.read()
    open(temporary, "w").write("whole")
"""


def start_writer(path: Path) -> subprocess.Popen[str]:
    """Start a process that writes until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    return process


def write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        Path(temporary).write_text(text)


def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write(path, "old")
    for _ in range(2):
        process = start_writer(path)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    left = set(os.listdir(tmp_path)) - {"m"}
    assert len(left) == 1 and path.read_text() == "old", "the second removed that of the first"
    write(tmp_path / "another", "new")
    assert sorted(os.listdir(tmp_path)) == ["another", "m"]


def test_what_belongs_to_a_living_writer_stays(tmp_path: Path) -> None:
    path = tmp_path / "m"
    process = start_writer(path)
    for _ in range(3):
        write(path, "quick")
    assert path.read_text() == "quick" and len(os.listdir(tmp_path)) == 2
    process.communicate("")
    assert process.returncode == 0 and path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["m"]


def test_killed_while_the_folder_was_made_or_removed(tmp_path: Path) -> None:
    with temporary_folder.make_folder(str(tmp_path / "m")) as name:
        pass
    os.mkdir(name)
    write(tmp_path / "m", "new")
    assert os.listdir(tmp_path) == ["m"]


def test_folders_that_are_not_ours_stay(tmp_path: Path) -> None:
    with temporary_folder.make_folder(str(tmp_path / "m")) as name:
        ours = Path(name).name
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "lock").touch()
    # By its name it could be a dead writer's, but it leads elsewhere; the others are not ours.
    (tmp_path / ours).symlink_to("kept")
    machine = ours.split(".")[-2][:8]
    strangers = [ours.replace(machine, "00000000"), ".m.0123456789ab.tmp", "m.tmp"]
    for stranger in strangers:
        (tmp_path / stranger).mkdir()
        (tmp_path / stranger / "lock").touch()
    write(tmp_path / "m", "new")
    assert sorted(os.listdir(tmp_path)) == sorted(["kept", ours, "m", *strangers])
    assert os.listdir(kept) == ["lock"]


def test_a_folder_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with temporary_folder.make_folder(str(tmp_path / "m")) as name:
        pass
    os.mkdir(name)
    Path(name, "lock").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    write(tmp_path / "m", "new")
    assert len(os.listdir(tmp_path)) == 2


def test_writers_and_removers_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(40):
                write(tmp_path / f"m{number % 2}", f"{number} {turn}")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and sorted(os.listdir(tmp_path)) == ["m0", "m1"]


@pytest.mark.parametrize("moment", ["empty", "unlocked", "opened"])
def test_one_that_removes_comes_between(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without a lock may be taken for a dead one: then the writer takes another."""
    came: list[str] = []
    open_file, flock = os.open, fcntl.flock

    def come() -> None:
        came.append(moment)
        temporary_folder.remove_dead_folders(str(tmp_path))

    def before_open(path: object, flags: int, *rest: object, **more: object) -> int:
        if str(path).endswith("lock") and not came and moment != "opened":
            if moment == "unlocked":
                os.close(open_file(str(path), os.O_CREAT))
            come()
        return open_file(path, flags, *rest, **more)  # type: ignore[arg-type]

    def before_lock(handle: int, operation: int) -> None:
        if not came and moment == "opened":
            come()
        flock(handle, operation)

    monkeypatch.setattr(os, "open", before_open)
    monkeypatch.setattr(fcntl, "flock", before_lock)
    write(tmp_path / "m", "new")
    assert len(came) == 1 and os.listdir(tmp_path) == ["m"]


def test_a_lock_of_another_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    flock = fcntl.flock

    def once_busy(handle: int, operation: int) -> None:
        assert operation & fcntl.LOCK_NB
        calls.append(handle)
        if len(calls) == 1:
            raise BlockingIOError
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", once_busy)
    write(tmp_path / "m", "new")
    assert len(calls) == 2 and os.listdir(tmp_path) == ["m"]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could tell that such a writer is dead, so its name is none that is looked for."""

    def unlocked(handle: int, operation: int) -> None:
        raise OSError("no locks here")

    names: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", unlocked)
        with replacing(tmp_path / "m") as temporary:
            names.append(Path(temporary).parent.name)
            patched.undo()
            temporary_folder.remove_dead_folders(str(tmp_path))
            Path(temporary).write_text("new")
    assert len(names[0]) == len(".m.0123456789ab.tmp") and os.listdir(tmp_path) == ["m"]


def test_after_the_rename_nothing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the new file is there, "what was there before is untouched" would be false."""
    open_file = os.open

    def refuse_folders(path: object, flags: int, *rest: object, **more: object) -> int:
        if path == str(tmp_path):
            raise PermissionError(13, "Permission denied")
        return open_file(path, flags, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse_folders)
    write(tmp_path / "m", "new")
    assert (tmp_path / "m").read_text() == "new"


def test_what_could_not_be_removed_can_be_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = os.unlink
    refused: list[str] = []

    def refuse_once(path: str, **more: int) -> None:
        if path not in (temporary_folder._LOCK, *refused):
            refused.append(path)
            raise OSError(5, "Input/output error")
        unlink(path, **more)

    monkeypatch.setattr(os, "unlink", refuse_once)
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "m"):
        raise ZeroDivisionError
    assert refused and len(os.listdir(tmp_path)) == 1
    write(tmp_path / "m", "new")
    assert os.listdir(tmp_path) == ["m"]


def test_nobody_else_reads_what_is_not_complete(tmp_path: Path) -> None:
    with replacing(tmp_path / "m") as temporary:
        assert os.stat(os.path.dirname(temporary)).st_mode & 0o077 == 0
        Path(temporary).touch()


def test_a_folder_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="does not exist; make it first"):
        write(tmp_path / "missing" / "m", "new")


def test_a_link_that_is_put_in_the_way_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody guesses the name of the temporary file and puts a link to another file there."""
    victim, target, opened = tmp_path / "victim", tmp_path / "out", os.open
    victim.write_text("precious")

    def late(path: object, flags: int, *more: object, **named: object) -> int:
        if flags & os.O_CREAT and not os.path.lexists(str(path)):
            os.symlink(victim, str(path))
        return opened(path, flags, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(FileError, match="exists"):
        write(target, "new")
    assert victim.read_text() == "precious" and os.listdir(tmp_path) == ["victim"]
