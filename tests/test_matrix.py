"""What works where: each feature of ``train``, in each way of learning, for each kind of examples.

The table is that of conflicts, which `tests.matrix` asks. A cell that works shows its effect, so
that no option is taken and ignored; one that is refused names the reason and how to mend it; none
crashes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from hardlimit import model_file
from hardlimit.classifiers.fitting.checkpoints import RunCheckpoints
from hardlimit.classifiers.model.model import Model

from . import matrix
from .matrix import FEATURES, KINDS, OF_TWO, WAYS, Done, Feature

OPENED: list[str] = []
_watching = False


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event == "open":
        OPENED.append(os.fsdecode(arguments[0]) if isinstance(arguments[0], str | bytes) else "")


@pytest.fixture(scope="module", autouse=True)
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Go to a folder with the files of each kind."""
    global _watching
    sys.addaudithook(_note)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("matrix"))
        matrix.write_files(Path())
        _watching = True
        for kind in KINDS:  # --start and --train-from take it up
            assert trained("memory", kind, "", FEATURES["plain"].source)[1]
        yield Path()
        _watching = False
        trained.cache_clear()


@cache
def trained(way: str, kind: str, words: str, source: str) -> tuple[Done, bytes, list[str]]:
    """Train; return what was said, the model file, and the files that were opened."""
    plain = not words and source == FEATURES["plain"].source
    output = Path(f"{way}-{kind}" if plain else "m")
    output.unlink(missing_ok=True)
    OPENED.clear()
    done = matrix.train(way, kind, words, source, str(output))
    return done, output.read_bytes() if output.exists() else b"", OPENED.copy()


def figures(done: Done) -> dict[str, object]:
    """Return what was printed, without what differs each time."""
    return {**json.loads(done.out), "model": None, "seconds": None}


def notes(done: Done) -> list[str]:
    """Return the notes, but for the one that only a stream has: how often it reads the input."""
    said = done.err.replace("<stdin>", "standard input")  # of which shards have a copy
    lines = [line for line in said.splitlines() if line.startswith("note: ")]
    return sorted(line for line in lines if "over the input" not in line)


def shown(feature: Feature, run: tuple[Done, bytes, list[str]]) -> object:
    """Return what is compared: where the feature is seen."""
    done, model, opened = run
    if feature.shows == "writes":
        return sum("kept" in path for path in opened)
    if feature.shows == "figures":
        return {**json.loads(done.out), "model": None, "seconds": None}, model
    return model


# The rules, read-outs and scales of other kinds of examples are looked at by `make test-all`.
CORE, CORE_KINDS = frozenset([*FEATURES][:33]), "tn"


def cell(name: str, *place: str) -> ParameterSet:
    """Return a cell of the table, whose kind of examples stands last."""
    is_core = name in CORE or place[-1] in CORE_KINDS
    return pytest.param(name, *place, marks=() if is_core else pytest.mark.slow)


CELLS = [
    cell(name, way, kind) for name, one in FEATURES.items() for way in WAYS for kind in one.kinds
]


def both_ways(way: str) -> list[ParameterSet]:
    """Return the cells that work in memory and in another way."""
    return [
        cell(name, kind)
        for name in FEATURES
        for kind in FEATURES[name].kinds
        if matrix.expected(name, way, kind) == matrix.expected(name, "memory", kind) == "y"
        # One of two shards has half of the file, or every other row; and a stream holds out rows as
        # it meets them.
        # All that can be kept differs by way.
        if name not in ("--shards", "--keep all")
        and (way != "stream" or "--holdout" not in FEATURES[name].asked)
    ]


def without_progress(model: bytes) -> tuple[str, dict[str, bytes]]:
    """Return a model file without what only a stream has measured."""
    Path("one").write_bytes(model)
    file = model_file.open("one")
    header = {**file.header, "progressive": None, "training_errors": None}
    return json.dumps(header, sort_keys=True), {n: bytes(file.memory(n)) for n in file.names}


@pytest.mark.parametrize(("name", "way", "kind"), CELLS)
def test_train(name: str, way: str, kind: str) -> None:
    """A feature that works shows an effect; one that is refused names the reason and the mend."""
    feature = FEATURES[name]
    done, model, _ = run = trained(way, kind, feature.asked, feature.source)
    for path in Path().glob("kept*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert "unexpected" not in done.said, done.said
    if matrix.expected(name, way, kind) == "-":
        assert done.code in (1, 2) and not model, "it works"
        reasons = matrix.refusals(name, way, kind)
        said = [all(words in done.sentence for words in one) for one in reasons]
        assert any(said), f"{done.sentence!r} is none of {reasons}"
        return
    assert done.code == 0 and model, done.sentence
    if way == "stream":
        assert "over the input" in done.err
    if way == "cluster":
        assert '"shards"' in done.err
    beside = trained(way, kind, feature.unlike or feature.beside, FEATURES["plain"].source)
    if feature.shows in ("nowhere", "writes"):
        assert model == beside[1]
    if feature.shows != "nowhere" and name != "plain":
        assert shown(feature, run) != shown(feature, beside), "taken, and ignored"


@pytest.mark.parametrize(("name", "kind"), both_ways("cluster"))
def test_one_shard_is_the_ordinary_training(name: str, kind: str) -> None:
    one = FEATURES[name]
    shard, memory = (trained(way, kind, one.asked, one.source) for way in ("cluster", "memory"))
    assert shard[1] == memory[1]
    assert figures(shard[0]) == figures(memory[0])
    assert notes(shard[0]) == notes(memory[0])


@pytest.mark.parametrize(("name", "kind"), both_ways("stream"))
def test_a_stream_is_the_training_in_the_order_of_the_file(name: str, kind: str) -> None:
    one = FEATURES[name]
    # An earlier model takes rows as they come, whatever its order was.
    decided = "--order" in one.asked or "--train-from" in one.asked
    in_order = one.asked if decided else f"{one.asked} --order stream"
    stream = trained("stream", kind, one.asked, one.source)
    memory = trained("in order", kind, in_order, one.source)
    assert without_progress(stream[1]) == without_progress(memory[1])
    assert notes(stream[0]) == notes(memory[0])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", OF_TWO)
def test_folded_labels_teach_what_labels_spelled_alike_teach(kind: str, way: str) -> None:
    folded = FEATURES["--fold-labels"]
    if matrix.expected("--fold-labels", way, kind) == "y":
        # Rows are held out by their folded labels too.
        held = "--holdout 0.3"
        found = trained(way, kind, f"{folded.asked} {held}", folded.source)
        plain = trained(way, kind, held, FEATURES["plain"].source)
        assert without_progress(found[1])[1] == without_progress(plain[1])[1]
        assert figures(found[0])["held_out"] == figures(plain[0])["held_out"]


class BrokenOffError(Exception):
    """Ends a run, whatever it was about to do."""


# A stream of blocks of 16 rows has four of them an epoch; shards have their epochs.
BROKEN = {
    "": "tcbnsv",
    "--rule arow --multiclass ovr": "v",
    "--scale standard --map polynomial:2": "n",
    "--holdout 0.3": "tb",
    "--class-weight balanced": "tn",
    "--features words=1,chars=none,idf=smooth,max-features=30": "tc",
}
RUNS = [
    pytest.param(way, after, words, kind)
    for way, counts in (("stream", (1, 5, 8)), ("cluster", (1, 2)))
    for after in counts
    for words, kinds in BROKEN.items()
    for kind in kinds
    if way == "stream" or "arow" not in words
]


@pytest.mark.parametrize(("way", "after", "words", "kind"), RUNS)
def test_a_run_that_is_broken_off_goes_on_to_the_same_bytes(
    way: str, after: int, words: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends right after so many checkpoints, and the same command goes on from the last."""
    order = "--order stream:16" if way == "stream" else "--shards 2"
    asked = f"{words} {order} --epochs 3 --until none".strip()
    whole = trained(way, kind, asked, "{kind}.csv")[1]
    write, left = RunCheckpoints.write, [None] * after

    def break_off(self: RunCheckpoints[object], model: Model, note: object) -> None:
        write(self, model, note)
        left.pop()
        if not left:
            raise BrokenOffError

    monkeypatch.setattr(RunCheckpoints, "write", break_off)
    saving = f"{asked} --checkpoint kept --every 0"
    broken = matrix.train(way, kind, saving, "{kind}.csv", "broken")
    monkeypatch.undo()
    assert broken.code == 1 and not left and not Path("broken").exists()
    done = matrix.train(way, kind, saving, "{kind}.csv", "m")
    assert done.code == 0 and Path("m").read_bytes() == whole
    assert not any(Path().glob("kept/*")) and not Path("kept.rows").exists()


@pytest.mark.parametrize("words", ["", "--probability", "--holdout 0.3", "--mixing mistakes"])
@pytest.mark.parametrize("kind", KINDS.replace("k", ""))
def test_the_number_of_workers_changes_no_byte(kind: str, words: str) -> None:
    asked = f"{words} --shards 3 --epochs 2".strip()
    one = trained("cluster", kind, asked, "{kind}.csv")
    two = trained("two workers", kind, asked, "{kind}.csv")
    assert two[1] == one[1] != b""
    assert figures(two[0]) == figures(one[0])
