"""SIGTERM and SIGHUP: the old file whole, nothing left behind, 128 and the signal as the status."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardlimit.cli import signals

from .conftest import PROGRAM, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
COLUMNS = ("--text", "message", "--label", "folder")


def start(*words: object, ignored: tuple[int, ...] = (), **streams: int) -> subprocess.Popen[bytes]:
    def reset() -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    return subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=reset,
        **streams,
    )


def wait_for_output(process: subprocess.Popen[bytes], folder: Path, files: int) -> None:
    """Give some texts, and wait until the output is being written."""
    assert process.stdin is not None
    process.stdin.write(b"win a prize\n" * 20_000)
    process.stdin.flush()
    wait_until(lambda: len(os.listdir(folder)) == files, process)


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while not condition():
        assert process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_amid_an_output_cleans_up(number: int, model: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    process = start("predict", model, "-", "-o", target, stdin=subprocess.PIPE)
    wait_for_output(process, tmp_path, 2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert (out, err) == (b"", f"error: ended by {signal.Signals(number).name}\n".encode())
    assert target.read_text() == "old" and os.listdir(tmp_path) == ["out.csv"]


def test_amid_a_training_no_model_is_written(training_file: Path, tmp_path: Path) -> None:
    import pty

    screen, terminal = pty.openpty()
    words = ("train", training_file, *COLUMNS, "-o", tmp_path / "m", "--epochs", "10000000")
    process = subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env=environment(TERM="xterm"),
    )
    os.close(terminal)
    seen = b""
    while b"epoch " not in seen:
        seen += os.read(screen, 4096)
    process.send_signal(signal.SIGTERM)
    while b"ended by SIGTERM" not in seen[-4096:]:
        seen = seen[-4096:] + os.read(screen, 4096)
    assert process.wait(60) == 143
    os.close(screen)
    assert b"Traceback" not in seen and os.listdir(tmp_path) == []


def test_what_is_ignored_stays_ignored(model: Path, tmp_path: Path) -> None:
    """As nohup wants it."""
    process = start(
        "predict", model, "-", "-o", tmp_path / "out.csv",
        stdin=subprocess.PIPE, ignored=(signal.SIGHUP,),
    )  # fmt: skip
    wait_for_output(process, tmp_path, 1)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=60)
    assert process.returncode == 0 and os.listdir(tmp_path) == ["out.csv"]


def test_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(signals.Terminated) as caught, signals.raising():
        signal.raise_signal(signal.SIGTERM)
    assert caught.value.exit_code == 143 and signal.getsignal(signal.SIGTERM) == before


def test_handlers_of_a_program_around_us_stay() -> None:
    mine = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        handler = signal.getsignal(signal.SIGTERM)
        with signals.raising():
            assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, mine)


def test_other_threads_have_no_handlers() -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with signals.raising():
                assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failures


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (0, "there is no checkpoint {0} yet: run the same again to begin anew"),
        (20_000, "run the same again to go on from the checkpoint {0}"),
    ],
)
def test_a_stream_says_whether_it_leaves_a_checkpoint(rows: int, said: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    saving = ("--stream", "--checkpoint", kept, "--every", 0)
    words = ("train", "-", "--format", "jsonl", *saving, "-o", tmp_path / "m")
    process = start(*words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    lines = (b'{"text": "win a prize", "label": "a"}\n', b'{"text": "call me", "label": "b"}\n')
    process.stdin.write(b"".join(lines) * (rows // 2))
    process.stdin.flush()
    wait_until((kept if rows else tmp_path / ".kept.lock").exists, process)
    process.terminate()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert f"error: ended by SIGTERM; {said.format(kept)}\n" in err.decode()
    assert not (tmp_path / "m").exists()
