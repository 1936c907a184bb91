"""The end of the interpreter and forks, while other threads are inside compiled code."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PREPARE = """
import os, signal, sys, threading, time
import numpy as np
import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, rules
from hardlimit.exceptions import InputError

X = np.random.default_rng(0).normal(size=(20_000, 30))
y = (X[:, 0] > 0).astype(int)
TEXTS = [f"win a prize now and then {i}" for i in range(5_000)]
LABELS = [i % 2 for i in range(5_000)]
clf = LinearClassifier(max_iter=3, until=None).fit(X[:200], y[:200])
texts = TextClassifier(chars=None, max_iter=1).fit(TEXTS[:10], LABELS[:10])
WORKS = {
    "fit": lambda: LinearClassifier(until=None, max_iter=100).fit(X, y),
    "partial_fit": lambda: clf.partial_fit(X, y),
    "predict": lambda: clf.predict(X),
    "texts": lambda: texts.predict(TEXTS),
    "texts learnt": lambda: texts.partial_fit(TEXTS, LABELS),
}

def repeat(work):
    while True:
        work()

def start(*names):
    for name in names:
        threading.Thread(target=repeat, args=(WORKS[name],), daemon=True).start()
    time.sleep(0.1)
"""


def test_all_compiled_work_is_waited_for():
    """Whoever releases the interpreter's lock by nanobind's own guard is not."""
    native = Path(__file__).parents[2] / "native"
    sources = [path for path in native.rglob("*.?pp") if path.name != "unlocked.hpp"]
    assert len(sources) > 50
    assert [path for path in sources if "gil_scoped_release" in path.read_text()] == []


def run(script, timeout=60):
    """The output of a new process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PREPARE + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    "times", [1, pytest.param(20, marks=pytest.mark.slow)], ids=["once", "often"]
)
def test_python_ends_while_other_threads_work(times):
    for _ in range(times):
        run("start(*WORKS)")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fit", "partial_fit", "predict", "texts", "texts learnt"])
def test_python_ends_while_others_do_one_thing(name):
    for _ in range(20):
        run(f"start({name!r}, {name!r})")


def test_an_exit_handler_that_waits_for_a_thread_gets_its_work():
    """Registered before hardlimit is imported, and so called after its own handler."""
    script = f"""
        import atexit
        ended = []

        def last():
            wanted.set()
            worker.join()
            print(len(ended))

        atexit.register(last)
        {textwrap.indent(PREPARE, " " * 8).strip()}
        wanted = threading.Event()

        def wait_and_work():
            wanted.wait()
            for _ in range(3):
                ended.append(clf.partial_fit(X, y).predict(X[:1]))

        worker = threading.Thread(target=wait_and_work, daemon=True)
        worker.start()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout.strip()) == (0, b"3")


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
FORK = """
def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # a child that hangs is ended
        try:
            work()
        except BaseException as error:
            print(type(error).__name__, error, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, "the child hangs or crashed"
"""


@forks
def test_a_child_answers_and_learns_that_was_forked_while_another_thread_learns():
    out = run(
        FORK
        + """
start(*WORKS)

def work():
    clf.predict(X[:5])
    clf.partial_fit(X[:50], y[:50])
    texts.predict(TEXTS[:5])
    texts.partial_fit(["quite new words"], [1])
    texts.vectorizer_.partial_fit(["newer words"])
    LinearClassifier(max_iter=2, until=None).fit(X[:50], y[:50])

for _ in range(5):
    in_child(work)
print("whole")
"""
    )
    assert out == "whole\n"


@forks
def test_a_model_whose_step_a_fork_cut_in_two_says_so():
    out = run(
        FORK
        + """
from hardlimit import _native

class Slow(rules.Rule):
    required = 0

    def tau(self):
        inside.set()
        going_on.wait()
        return 1.0

inside, going_on = threading.Event(), threading.Event()
slow = LinearClassifier(Slow())
work = lambda: slow.partial_fit(X[:50], y[:50], classes=[0, 1])
thread = threading.Thread(target=work, daemon=True)
thread.start()
inside.wait()
# What the hook does, without its ten seconds of patience.
_native.before_fork(0.05)
_native.after_fork_in_child()

def ask():
    try:
        slow.predict(X[:1])
    except InputError as error:
        print(error.topic, error, flush=True)

ask()
clf.predict(X[:1])
os._exit(0)  # here no fork has ended the other thread
"""
    )
    assert out.startswith("forked ") and "its step will never be whole" in out
