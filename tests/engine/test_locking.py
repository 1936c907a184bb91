"""The lock of a model: many readers or one learner, nobody twice, nobody forgotten."""

import copy
import signal
import threading

import pytest

from hardlimit.engine import ModelLock
from hardlimit.exceptions import InputError


def other_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_readers_read_together_and_may_read_again():
    lock, met = ModelLock(), threading.Barrier(3, timeout=10)

    def read():
        with lock.reading, lock.reading:
            met.wait()

    threads = [other_thread(read) for _ in range(2)]
    read()
    for thread in threads:
        thread.join(10)
    with lock:
        pass


def test_the_inner_of_two_reads_ends_nothing():
    lock, order = ModelLock(), []

    def learn():
        with lock:
            order.append("learnt")

    with lock.reading:
        with lock.reading:
            thread = other_thread(learn)
        thread.join(0.1)
        order.append("read")
    thread.join(10)
    assert order == ["read", "learnt"]


def test_a_learner_is_alone():
    lock, order = ModelLock(), []

    def read():
        with lock.reading:
            order.append("read")

    def learn():
        with lock:
            order.append("learnt")

    for work in (read, learn):
        order.clear()
        with lock:
            thread = other_thread(work)
            thread.join(0.1)
            order.append("first")
        thread.join(10)
        assert order[0] == "first" and len(order) == 2
    order.clear()
    with lock.reading:
        thread = other_thread(learn)
        thread.join(0.1)
        order.append("first")
    thread.join(10)
    assert order == ["first", "learnt"]


@pytest.mark.parametrize("first", ["learning", "answering"])
def test_who_is_inside_is_told_so_instead_of_waiting_for_ever(first):
    lock = ModelLock()
    with lock if first == "learning" else lock.reading:
        with pytest.raises(InputError, match=f"busy: it is {first}") as caught, lock:
            pass
        assert caught.value.topic == "busy"
        if first == "learning":
            with pytest.raises(InputError, match="busy"), lock.reading:
                pass
    with lock:
        pass


@pytest.mark.parametrize("loop", ["learning", "answering"])
@pytest.mark.parametrize("waits", ["learning", "answering"])
def test_nobody_starves_behind_a_loop(loop, waits):
    lock, stop, turns = ModelLock(), threading.Event(), 0
    sides = {"learning": lock, "answering": lock.reading}

    def repeat():
        while not stop.is_set():
            with sides[loop]:
                sum(range(100))

    threads = [other_thread(repeat) for _ in range(2)]
    for _ in range(20):
        with sides[waits]:
            turns += 1
    stop.set()
    for thread in threads:
        thread.join(10)
    assert turns == 20


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals of threads here")
def test_ctrl_c_ends_the_wait_and_leaves_the_lock_whole():
    lock, inside, going_on = ModelLock(), threading.Event(), threading.Event()

    def learn():
        with lock:
            inside.set()
            going_on.wait(60)

    thread = other_thread(learn)
    inside.wait(60)
    main = threading.main_thread().ident
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt), lock.reading:
        pass
    going_on.set()
    thread.join(60)
    with lock, pytest.raises(InputError), lock:
        pass


def test_an_error_inside_gives_the_lock_back():
    lock = ModelLock()
    for side in (lock, lock.reading):
        with pytest.raises(ZeroDivisionError), side:
            raise ZeroDivisionError
    with lock:
        pass
    with pytest.raises(TypeError):
        copy.copy(lock)
