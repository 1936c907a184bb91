"""Connections to PostgreSQL that are lost at any message: the state is the ledger's, or unknown."""

import contextlib
import random
import threading

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, FileError
from hardlimit.live import writing

from .messages import TEXTS
from .proxy import Proxy

pytest_plugins = ["tests.postgresql_server"]

COMMIT = b"commit\0"


class Scene:
    """A live model behind a proxy, and one that looks at the ledger without it."""

    def __init__(self, path, server):
        self.proxy = Proxy(server.socket)
        self.url = server.schema()
        self.live = hl.open_live(path, self.proxy.url(self.url))
        self.other = hl.open_live(path, self.url, read_only=True)
        self._n = 0

    def text(self):
        self._n += 1
        return f"zebra{self._n} win lunch"

    def correct(self):
        text = self.text()
        return lambda: self.live.correct(text, f"new{self._n % 3}", new_class=True).id

    def confirm(self):
        return lambda: self.live.confirm(TEXTS[0]).id

    def guard(self):
        text = self.text()
        return lambda: self.live.add_guard(text)

    def undo(self):
        number = self.live.correct(self.text(), "work", new_class=True).id
        self.live.correct(self.text(), "ham")
        return lambda: self.live.undo(number).id

    def count(self, name):
        """Return the number of messages of an act that goes well."""
        act = getattr(self, name)()
        self.proxy.cut(0)
        act()
        return self.proxy.seen

    def lose(self, name, where, after, down):
        """Act while the connection is lost, and see what the model says then."""
        act, live = getattr(self, name)(), self.live
        before = live.digest(), live.n_entries, live.fingerprint
        self.proxy.cut(where, after, down)
        number = None
        try:
            number = act()
        except FileError as error:
            assert (error.topic == "unknown") == (live.doubt is not None), error
        told = f"{name}, {where}, after={after}, down={down}: {number}"
        self.other.refresh()
        if live.doubt is None:
            mine = live.digest(), live.n_entries, live.fingerprint
            assert mine == before or number is not None, told
            assert mine == self.of_ledger(), told
        else:
            assert down and number is None, told
            for ask in (live.predict, live.answer, live.scores, lambda _: live.digest()):
                with pytest.raises(FileError, match="not known"):
                    ask(TEXTS)
        self.proxy.down = False
        live.refresh()
        assert live.doubt is None
        assert (live.digest(), live.n_entries, live.fingerprint) == self.of_ledger(), told
        # Nothing acknowledged is lost, and what was refused is not there.
        is_there = self.other.n_entries > before[1]
        assert is_there >= (number is not None), told
        assert number is not None or not is_there or down, told

    def of_ledger(self):
        return self.other.digest(), self.other.n_entries, self.other.fingerprint

    def close(self):
        assert self.live.verify() == self.other.refresh()
        self.live.close()
        self.other.close()
        self.proxy.close()


@pytest.fixture
def scene(two, postgresql):
    scene = Scene(two, postgresql)
    scene.live.correct(TEXTS[1], "spam")
    yield scene
    scene.close()


ACTS = ["correct", "confirm", "guard", "undo"]


@pytest.mark.parametrize("name", ACTS)
def test_a_connection_that_is_lost_at_commit(scene, name):
    for after in (False, True):
        for down in (False, True):
            scene.lose(name, [COMMIT], after, down)
            assert scene.proxy.fired


@pytest.mark.parametrize("name", ["correct", "undo"])
def test_a_connection_that_is_lost_at_some_messages(scene, name):
    for where in range(1, scene.count(name) + 1, 7):
        scene.lose(name, where, False, True)
        assert scene.proxy.fired


@pytest.mark.slow
@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("after", [False, True])
def test_a_connection_that_is_lost_at_every_message(scene, name, after, down):
    for where in range(1, scene.count(name) + 1):
        scene.lose(name, where, after, down)
        assert scene.proxy.fired


def test_an_entry_whose_answer_is_lost_is_acknowledged_once_it_is_found(scene):
    scene.proxy.cut([COMMIT], after=True)
    receipt = scene.live.correct("zebra win", "work", new_class=True)
    assert scene.proxy.fired and receipt.id == scene.live.n_entries
    assert scene.other.refresh() == receipt.id


def test_a_lost_snapshot_is_no_error(scene, monkeypatch):
    monkeypatch.setattr(writing, "BETWEEN", 2)
    for after in (False, True):
        for where in ([b"into snapshots"], [b"into snapshots", COMMIT]):
            scene.proxy.cut(where, after)
            scene.live.correct(scene.text(), "ham")
            number = scene.live.correct(scene.text(), "work", new_class=True).id
            assert scene.proxy.fired
            assert scene.other.refresh() == number == scene.live.n_entries
            assert scene.live.digest() == scene.other.digest()


def test_a_dry_run_needs_no_ledger_to_end(scene):
    undo = scene.undo()
    number = scene.live.n_entries - 1
    before = scene.live.digest()
    scene.proxy.cut(0)
    assert scene.live.undo(number, dry_run=True).id is None
    for where in range(1, scene.proxy.seen + 1, 3):
        scene.proxy.cut(where)
        assert scene.live.undo(number, dry_run=True).id is None  # read once more
        assert scene.proxy.fired and scene.live.digest() == before
    undo()


def test_it_goes_on_after_the_server_has_ended_its_connection(two, postgresql):
    url = postgresql.schema()
    with hl.open_live(two, url) as live, hl.open_live(two, url) as other:
        for act in (lambda: live.correct(TEXTS[0], "ham"), live.refresh, lambda: list(live.log())):
            others = "from pg_stat_activity where pid <> pg_backend_pid()"
            postgresql.ask(f"select pg_terminate_backend(pid) {others}")
            act()
            other.correct(TEXTS[1], "work", margin=other.n_entries + 1.0, new_class=True)
            assert live.refresh() == other.n_entries and live.digest() == other.digest()


@pytest.mark.slow
def test_it_goes_on_after_a_restart_of_the_server(two, postgresql):
    url = postgresql.schema()
    with hl.open_live(two, url) as live, hl.open_live(two, url) as other:
        live.correct(TEXTS[0], "ham")
        postgresql.stop()
        with pytest.raises(FileError):
            live.correct(TEXTS[1], "spam")
        assert live.predict([TEXTS[0]]) == ["ham"] and live.doubt is None
        postgresql.start()
        assert other.correct(TEXTS[1], "work", new_class=True).id == 2
        assert live.refresh() == 2 and live.predict([TEXTS[1]]) == ["work"]
        assert [entry.id for entry in live.log()] == [1, 2]
        assert live.undo(1).id == 3 and live.verify() == 3


def test_another_ledger_at_the_same_place_is_refused_after_it_was_lost(scene, many, postgresql):
    postgresql.ask("update facts set value = 'other' where name = 'base'", scene.url)
    scene.proxy.lose()
    with pytest.raises(hl.exceptions.LedgerError, match="another model"):
        scene.live.refresh()
    postgresql.ask(f"update facts set value = '{scene.live.base.digest}' "
                   "where name = 'base'", scene.url)  # fmt: skip


def test_a_ledger_that_is_closed_stays_closed(scene, two):
    live = hl.open_live(two, scene.url)
    live.close()
    with pytest.raises(FileError, match="closed"):
        live.refresh()


def write(live, name, told, stop):
    """Correct and undo until the end, and note what was acknowledged."""
    draw, n = random.Random(name), 0
    while not stop.is_set():
        n += 1
        text, label = f"{name}{n} prize lunch", draw.choice(["ham", "spam", "work"])
        with contextlib.suppress(FileError, CorrectionError):
            if n % 5 == 0:
                receipt = live.undo(draw.randint(max(1, live.n_entries - 20), live.n_entries))
            else:
                receipt = live.correct(text, label, by=f"{name}{n}", new_class=True)
            told.append(receipt.fingerprint)


@pytest.mark.slow
def test_random_losses_while_two_write(two, postgresql):
    url, draw = postgresql.schema(), random.Random(7)
    proxies = [Proxy(postgresql.socket) for _ in range(2)]
    models = [hl.open_live(two, proxy.url(url)) for proxy in proxies]
    told, stop = [], threading.Event()
    threads = [
        threading.Thread(target=write, args=(live, name, told, stop), daemon=True)
        for live, name in zip(models, "ab", strict=True)
    ]
    for thread in threads:
        thread.start()
    for _ in range(60):
        proxy = draw.choice(proxies)
        proxy.cut(draw.choice([draw.randint(1, 120), [COMMIT]]), draw.random() < 0.5)
        proxy.wait()
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    with hl.open_live(two, url) as live:
        entries = list(live.log())
        assert len(set(told)) == len(told) > 50
        assert set(told) <= {entry.after for entry in entries}
        authors = [entry.author for entry in entries if entry.kind == "correct"]
        assert len(set(authors)) == len(authors)
        live.verify()
        for one in models:
            assert one.refresh() == live.n_entries and one.digest() == live.digest()
            one.close()
    for proxy in proxies:
        proxy.close()
