"""Pipes, interrupts, streams and start-up of the real process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import PROGRAM, environment

COLUMNS = ("--text", "message", "--label", "folder")
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX pipes and signals")


def test_the_installed_program_answers() -> None:
    program = Path(sys.executable).with_name("hardlimit")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("hardlimit ")


@posix
@pytest.mark.parametrize("words", [("--help",), ("rules",)])
def test_closed_pipe_is_silent(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *words], stdout=writing, stderr=subprocess.PIPE, env=environment(), timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@posix
def test_closed_pipe_amid_many_answers_is_silent(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text("win a prize\n" * 100_000)
    process = subprocess.Popen(
        [*PROGRAM, "predict", model, file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"spam\t")
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_is_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=60,
        )
    assert done.returncode == 1 and "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@posix
def test_a_pipe_is_answered_line_by_line(model: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "predict", model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None and process.stdout is not None
    for text, label in ((b"win a prize\n", b"spam"), (b"see you later\n", b"ham")):
        process.stdin.write(text)
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], 20)  # although more may come
        if not ready:
            process.kill()
        assert ready and process.stdout.readline().startswith(label)
    process.stdin.close()
    assert process.stdout.read() == b"" and process.wait(60) == 0
    process.stdout.close()


@posix
def test_interrupt_saves_the_model(hardlimit, training_file: Path, tmp_path: Path) -> None:
    import pty

    screen, terminal = pty.openpty()
    target = tmp_path / "m"
    process = subprocess.Popen(
        [*PROGRAM, "train", training_file, *COLUMNS, "-o", target, "--epochs", "10000000"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=environment(TERM="xterm"),
        # Where the tests run in the background of a shell, it is ignored, and so by its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    seen = b""
    while b"epoch " not in seen:  # the progress bar: a person looks
        seen += os.read(screen, 4096)
    process.send_signal(signal.SIGINT)
    while b"the model so far was written" not in seen:
        seen = seen[-4096:] + os.read(screen, 4096)
    assert process.wait(60) == 130
    os.close(screen)
    assert process.stdout is not None
    process.stdout.close()
    assert b"Traceback" not in seen and str(target).encode() in seen
    found = json.loads(hardlimit("inspect", target, "--json").stdout)
    assert found["stop_reason"] == "interrupted" and 1 <= found["epochs"] < 10_000_000


def test_unexpected_errors_become_one_line(hardlimit, model: Path, tmp_path: Path) -> None:
    plain = hardlimit("explain", tmp_path / "nowhere", "x")
    assert plain.returncode == 1 and plain.stderr.count("\n") == 1
    shown = hardlimit("explain", tmp_path / "nowhere", "x", "--traceback")
    assert "Traceback (most recent call last)" in shown.stderr


@pytest.mark.parametrize(
    ("words", "banned"),
    [
        (("--help",), {"numpy", "scipy", "sklearn", "pandas", "hardlimit._native"}),
        (("predict", "MODEL"), {"scipy", "sklearn", "pandas", "safetensors"}),
    ],
)
def test_start_imports_little(words: tuple[str, ...], banned: set[str], model: Path) -> None:
    given = [str(model) if word == "MODEL" else word for word in words]
    code = (
        "import sys; from hardlimit.cli import main; "
        f"code = main({given!r}); "
        f"sys.exit(code or repr(sorted({banned!r} & set(sys.modules))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="win a prize\n",
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
    )
    assert done.stderr.strip() == "[]"


def test_evaluate_of_texts_begins_without_numpy() -> None:
    code = "import sys, hardlimit.cli.commands.evaluate.run; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_a_terminal_that_knows_no_unicode(model: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "explain", model, "prize \u65e5\u672c"],
        capture_output=True,
        env=environment(PYTHONIOENCODING="ascii"),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    done.stdout.decode("ascii")
