"""deploy/hardlimit.service: the service runs under the filters that systemd makes of it."""

import contextlib
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hardlimit as hl

from ..service.serving import Connection, process
from . import confining

UNIT = Path(__file__).parents[2] / "deploy" / "hardlimit.service"
CONFINED = (sys.executable, "-m", "tests.deploy.confining", UNIT)


def filters_can_be_made():
    with contextlib.suppress(OSError):
        confining.library()
        return sys.platform == "linux" and shutil.which("systemd-analyze")


pytestmark = pytest.mark.skipif(
    not filters_can_be_made(), reason="needs Linux, libseccomp and systemd-analyze"
)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.hardlimit"
    texts = ["win a prize", "free cash now", "see you at home", "dinner tomorrow"]
    hl.TextClassifier().fit(texts, ["spam", "spam", "ham", "ham"]).save(path)
    return path


def test_the_service_starts_corrects_and_ends_under_the_filters_of_its_unit(model):
    with process(model, before=CONFINED) as service:
        with contextlib.closing(Connection("127.0.0.1", service.port, timeout=20)) as connection:
            assert connection.ask("POST", "/predict", {"text": "a prize"})[0] == 200
            correction = {"text": "a prize", "label": "ham"}
            assert connection.ask("POST", "/correct", correction)[0] == 200
            assert connection.ask("POST", "/undo", {"id": 1})[0] == 200
        service.send_signal(signal.SIGTERM)
        assert service.wait(20) == 0, service.stderr.read()


@pytest.mark.parametrize(
    ("done", "refused"),
    [
        ("os.chroot('/')", "Operation not permitted"),
        ("socket.socket(16, socket.SOCK_RAW)", "Address family not supported"),
        ("mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)", "Operation not permitted"),
        ("ctypes.CDLL(None, use_errno=True).unshare(0x20000000) and sys.exit(7)", None),
    ],
)
def test_the_filters_refuse_what_the_unit_forbids(done, refused):
    script = f"import ctypes, mmap, os, socket, sys\n{done}\nprint('done')"
    ended = subprocess.run(
        [*CONFINED, sys.executable, "-c", script], capture_output=True, text=True
    )
    assert ended.returncode != 0
    assert "done" not in ended.stdout
    assert refused is None or refused in ended.stderr


def test_the_unit_without_its_error_number_kills_at_the_first_refused_call(tmp_path):
    harsh = tmp_path / "harsh.service"
    harsh.write_text(UNIT.read_text().replace("SystemCallErrorNumber=EPERM", ""))
    words = [sys.executable, "-m", "tests.deploy.confining", harsh]
    ended = subprocess.run([*words, sys.executable, "-c", "import os; os.chroot('/')"])
    assert ended.returncode == -signal.SIGSYS


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    """`/opt/hardlimit` is not on this machine: this environment's program takes its place."""
    here = tmp_path / "hardlimit.service"
    here.write_text(UNIT.read_text().replace("/opt/hardlimit/bin/hardlimit", sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", here]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
