"""Threads, forks and interruptions at once, while several threads count features."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

from hardlimit.text import TextVectorizer, batches

pytestmark = pytest.mark.slow
RNG = np.random.default_rng(2)
TEXTS = [" ".join(f"w{n}" for n in RNG.zipf(1.3, 60) % 50_000) for _ in range(3000)]


@pytest.fixture(autouse=True)
def every_text_is_worth_a_thread(monkeypatch):
    monkeypatch.setattr(batches, "LEAST_SHARE", 1)


def bits(rows):
    return rows.indptr.tobytes() + rows.indices.tobytes() + rows.data.tobytes()


@pytest.mark.parametrize("hash_bits", [None, 12])
def test_many_vectorizers_at_once(hash_bits):
    want = bits(TextVectorizer(hash_bits=hash_bits).fit_rows(TEXTS))
    shared = TextVectorizer(hash_bits=hash_bits, n_jobs=3).fit(TEXTS)
    wrong = []

    def work(number):
        for _ in range(4):
            own = TextVectorizer(hash_bits=hash_bits, n_jobs=1 + number)
            if bits(own.fit_rows(TEXTS)) != want or bits(shared.rows(TEXTS)) != want:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not wrong and not any(thread.is_alive() for thread in threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_forks_while_threads_count():
    want = bits(TextVectorizer().fit_rows(TEXTS[:500]))
    done = threading.Event()

    def work():
        while not done.is_set():
            TextVectorizer(n_jobs=3).fit(TEXTS)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if not child:
                same = bits(TextVectorizer(n_jobs=2).fit_rows(TEXTS[:500])) == want
                os._exit(0 if same else 1)
            deadline = time.monotonic() + 60
            while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
                assert time.monotonic() < deadline, "a child of a fork waits for ever"
                time.sleep(0.01)
            assert ended[1] == 0
    finally:
        done.set()
        for thread in threads:
            thread.join(60)


def test_interruptions_at_any_moment():
    vectorizer = TextVectorizer(n_jobs=3).fit(["win a prize"])
    main = threading.main_thread().ident
    n_interrupted = 0
    for number in range(40):
        timer = threading.Timer(0.002 * number, lambda: signal.pthread_kill(main, signal.SIGINT))
        try:
            timer.start()
            vectorizer.fit(TEXTS)
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            n_interrupted += 1
        timer.join()
    assert n_interrupted
    assert bits(vectorizer.fit_rows(TEXTS)) == bits(TextVectorizer().fit_rows(TEXTS))
