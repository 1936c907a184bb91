"""Live equals replayed, to the bit, whatever is done in whatever order."""

import os
import shutil

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import hardlimit as hl
from hardlimit.exceptions import CorrectionError
from hardlimit.live import rebuilding, writing
from hardlimit.live.file_ledger import SUFFIX

from .messages import LABELS, MANY, TEXTS

WORDS = st.sampled_from(["win", "prize", "lunch", "noon", "meeting", "cheap", "zebra", "novel"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
FILES = {}


def example(kind, text):
    """Return what a model of this kind is asked about."""
    first, *_ = text.split()
    if kind == "columns":
        return {"subject": first, "body": f"{text} noon"}
    if kind == "table":
        return {"n": len(text), "place": first, "note": text}
    return text


def model_file(kind, folder):
    if kind not in FILES:
        path = str(folder.mktemp(kind) / "model")
        labels = MANY if kind == "many" else LABELS
        classifier = hl.TextClassifier(words=(1, 2), chars=None)
        if kind == "columns":
            classifier.set_params(text_columns=["subject", "body"])
        elif kind == "table":
            classifier = hl.TableClassifier(text_columns=["note"], category_columns=["place"])
        classifier.fit([example(kind, text) for text in TEXTS], labels).save(path)
        FILES[kind] = path
    return FILES[kind]


class Living(RuleBasedStateMachine):
    """A live model, and the ledger that it is replayed from after each step."""

    folder = None
    other = None

    @initialize(kind=st.sampled_from(["two", "many", "columns", "table"]))
    def open(self, kind):
        self.kind = kind
        self.path = model_file(kind, self.folder)
        self.ledger = str(self.folder.mktemp("ledger") / "ledger")
        self.live = hl.open_live(self.path, self.ledger, remember=10, recent=3)
        self.told = []

    @rule(
        text=SENTENCES,
        label=st.sampled_from(["spam", "ham", "work", "new"]),
        margin=st.sampled_from([0.1, 1.0]),
        guards=st.sampled_from(["refuse", "solve", "flag"]),
        dry_run=st.booleans(),
    )
    def correct(self, text, label, margin, guards, dry_run):
        try:
            text = example(self.kind, text)
            told = self.live.correct(
                text, label, margin=margin, guards=guards, dry_run=dry_run, new_class=True
            )
        except CorrectionError as error:
            assert error.topic in ("guard-in-the-way", "infeasible", "same-as-a-guard")
            return
        if not dry_run:
            assert self.live.standing(text).label == label
            self.told.append((told.id, self.live.digest()))

    @rule(data=st.data())
    def undo(self, data):
        if not self.live.n_entries:
            return
        number = data.draw(st.integers(1, self.live.n_entries))
        try:
            self.live.undo(number)
        except CorrectionError as error:
            assert error.topic in ("already-undone", "no-such-entry")

    @rule(text=SENTENCES)
    def confirm(self, text):
        before, text = self.live.digest(), example(self.kind, text)
        assert self.live.confirm(text).after == self.live.standing(text)
        assert self.live.digest() == before

    @rule(text=SENTENCES)
    def guard(self, text):
        self.live.add_guard(example(self.kind, text))

    @rule(data=st.data())
    def unguard(self, data):
        guards = [entry.id for entry, _ in self.live.guards()]
        if guards:
            self.live.remove_guard(data.draw(st.sampled_from(guards)))

    @rule()
    def open_again(self):
        before = self.live.digest(), self.live.progress(), self.live.drift()
        self.live.close()
        self.live = hl.open_live(self.path, self.ledger, remember=10, recent=3)
        assert (self.live.digest(), self.live.progress(), self.live.drift()) == before

    @rule()
    def kill(self):
        """Go on from what a killed process leaves: a database and its tail."""
        before = self.live.digest(), self.live.progress()
        left = str(self.folder.mktemp("killed") / "ledger")
        for suffix in ("", SUFFIX):
            if os.path.exists(self.ledger + suffix):
                shutil.copy(self.ledger + suffix, left + suffix)
        self.live.ledger.close()
        if self.other:
            self.other.ledger.close()
        self.ledger, self.other = left, None
        self.live = hl.open_live(self.path, left, remember=10, recent=3)
        assert (self.live.digest(), self.live.progress()) == before

    @rule()
    def let_another_write(self):
        """Two processes take turns."""
        if self.other is None:
            self.other = hl.open_live(self.path, self.ledger, remember=10, recent=3)
        self.live, self.other = self.other, self.live
        self.live.refresh()
        assert self.live.digest() == self.other.digest()

    @rule()
    def bake(self):
        n = self.live.n_entries
        self.live.bake(self.ledger + ".baked")
        assert self.live.n_entries == n + 1

    @invariant()
    def replayed_is_live(self):
        if not hasattr(self, "live"):
            return
        live = self.live
        replayed = rebuilding.replay(live.base, live.ledger, live.n_entries)
        assert replayed.digest() == live.digest()
        assert replayed.scoring.to_json() == live.state.scoring.to_json()
        assert replayed.scoring.slope == live.state.scoring.slope
        asked = [example(self.kind, text) for text in TEXTS]
        rows = [live.base.row(replayed.overlay, one, False) for one in asked]
        assert [tuple(replayed.overlay.scores(row)) for row in rows] == live.scores(asked)

    def teardown(self):
        if hasattr(self, "live"):
            self.live.close()
            if self.other:
                self.other.close()


def run(folder, monkeypatch, **budget):
    monkeypatch.setattr(writing, "BETWEEN", 4)
    Living.folder = folder
    case = Living.TestCase
    case.settings = settings(deadline=None, **budget)
    case().runTest()


def test_live_is_replayed_to_the_bit(tmp_path_factory, monkeypatch):
    run(tmp_path_factory, monkeypatch, max_examples=8, stateful_step_count=12)


@pytest.mark.slow
def test_live_is_replayed_to_the_bit_in_many_more_sequences(tmp_path_factory, monkeypatch):
    run(tmp_path_factory, monkeypatch, max_examples=300, stateful_step_count=40)
