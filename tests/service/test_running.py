"""The service as a process: signals, kill -9, several clients, the command line."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.exceptions import FileError, InputError
from hardlimit.service import running
from hardlimit.service.settings import Settings

from .serving import Connection, in_thread, process


@pytest.fixture
def own(model, tmp_path):
    """A model file of this test's own."""
    return shutil.copy(model, tmp_path / "own.hardlimit")


def correct(port, n, acknowledged):
    client = Connection("127.0.0.1", port)
    try:
        for number in range(n):
            body = {"text": f"prize number {number}", "label": ("ham", "spam")[number % 2]}
            status, receipt = client.ask("POST", "/correct", body)
            assert status == 200, receipt
            acknowledged.append(receipt["id"])
    except (OSError, http.client.HTTPException, AssertionError):
        pass
    finally:
        client.close()


def test_kill_loses_nothing_that_was_acknowledged(own):
    acknowledged = []
    with process(own) as service:
        thread = threading.Thread(target=correct, args=(service.port, 10_000, acknowledged))
        thread.start()
        while len(acknowledged) < 10:
            time.sleep(0.01)
        service.kill()
        thread.join()
    with hl.open_live(own) as live:
        assert len(acknowledged) >= 10
        assert set(acknowledged) <= {entry.id for entry in live.log()}
        live.verify()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_a_signal_ends_it_with_0_after_the_requests_under_way(own, number):
    acknowledged = []
    with process(own) as service:
        # Kept open: an idle client must not hold up the end.
        idle = Connection("127.0.0.1", service.port)
        assert idle.ask("GET", "/health")[0] == 200
        thread = threading.Thread(target=correct, args=(service.port, 10_000, acknowledged))
        thread.start()
        while len(acknowledged) < 5:
            time.sleep(0.01)
        service.send_signal(number)
        log = service.stderr.read()
        assert service.wait(20) == 0
        thread.join()
        idle.close()
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert (events[0], events[-1]) == ("start", "stop")
    with hl.open_live(own) as live:
        assert live.n_entries == len(acknowledged)


def test_readers_go_on_while_another_client_corrects(start):
    client, acknowledged, answers = start(), [], []
    with in_thread(client.app, Settings()) as port:
        writer = threading.Thread(target=correct, args=(port, 30, acknowledged))
        writer.start()
        reader = Connection("127.0.0.1", port)
        while writer.is_alive():
            status, told = reader.ask("POST", "/predict", {"texts": ["prize number 3"] * 3})
            assert status == 200
            labels = {one["label"] for one in told["predictions"]}
            assert len(labels) == 1, "the model moved in the middle of an answer"
            answers.append(told["fingerprint"])
        reader.close()
        writer.join()
    assert acknowledged == list(range(1, 31)) and len(answers) > 0
    assert [entry.id for entry in client.live.log()] == acknowledged


def test_a_ledger_that_is_slow_to_close_has_what_is_left_of_the_time():
    assert running.seconds_left(time.monotonic() - 15, 10.0) <= 4.5
    assert running.seconds_left(time.monotonic() - 100, 10.0) == 0.5


def test_without_a_key_it_refuses_to_answer_the_network(model):
    with pytest.raises(InputError, match="everybody"):
        running.run(hl.open_live(model, None), Settings(host="0.0.0.0", port=0))


def test_a_port_that_is_taken_is_named():
    taken = running.bind("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(FileError, match=f"127.0.0.1:{port}"):
        running.bind("127.0.0.1", port)
    taken.close()


def test_the_command_says_what_to_install(model, tmp_path):
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(name='fastapi')")
    done = subprocess.run(
        [sys.executable, "-m", "hardlimit", "serve", model, "--port", "0"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=60,
    )
    assert done.returncode == 1 and "pip install 'hardlimit[serve]'" in done.stderr


@pytest.mark.parametrize(
    ("words", "share"),
    [([], 1.0), (["--log", "all"], 1.0), (["--log", "errors"], 0.0), (["--log", "off"], None),
     (["--log", "0.01"], 0.01), (["--log", "1"], 1.0), (["--log", "errors", "--log-texts"], 0.0)],
)  # fmt: skip
def test_the_command_chooses_what_is_logged(own, monkeypatch, words, share):
    chosen = []
    monkeypatch.setattr(running, "run", lambda live, settings, **_: chosen.append(settings))
    assert main(["serve", str(own), *words]) == 0
    assert [one.log_share for one in chosen] == [share]
    assert chosen[0].log_texts == ("--log-texts" in words)


@pytest.mark.parametrize("wrong", ["", "none", "0", "-1", "1.5", "nan", "inf", "1%"])
def test_another_word_for_what_is_logged_is_refused(own, capsys, wrong):
    assert main(["serve", str(own), "--log", wrong]) == 2
    assert "wanted all, errors, off or a number above 0" in capsys.readouterr().err


def test_texts_without_requests_cannot_be_logged(own, capsys):
    assert main(["serve", str(own), "--log", "off", "--log-texts"]) == 2
    assert "--log off" in capsys.readouterr().err


def test_keys_are_made_listed_and_removed(own, capsys):
    def key(*words):
        assert main(["key", *map(str, words)]) == 0
        return capsys.readouterr().out

    made = key("add", own, "alice", "--scope", "correct")
    assert made.startswith("hlk_")
    listed = key("list", own)
    assert "alice" in listed and made.strip() not in listed
    key("remove", own, "alice")
    assert "no keys" in key("list", own)
    assert os.path.exists(f"{own}.keys"), "without the file everybody would get in"
