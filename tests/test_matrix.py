"""What works where: each feature of ``train``, in each way of learning, for each kind of examples.

The table stands in `tests.matrix`. A cell that works shows its effect, so that no option is taken
and ignored; one that is refused names the reason and how to mend it; none crashes.
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

from . import matrix
from .matrix import FEATURES, KINDS, WAYS, Done, Feature

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


def shown(feature: Feature, run: tuple[Done, bytes, list[str]]) -> object:
    """Return what is compared: where the feature is seen."""
    done, model, opened = run
    if feature.shows == "writes":
        return sum("kept" in path for path in opened)
    if feature.shows == "figures":
        return {**json.loads(done.out), "seconds": None}, model
    return model


CELLS = [(name, way, kind) for name in FEATURES for way in WAYS for kind in KINDS]


@pytest.mark.parametrize(("name", "way", "kind"), CELLS)
def test_train(name: str, way: str, kind: str) -> None:
    """A feature that works shows an effect; one that is refused names the reason and the mend."""
    feature = FEATURES[name]
    plain = trained("memory", kind, "", FEATURES["plain"].source)
    words = f"{feature.beside} {feature.words}".strip()
    done, model, _ = run = trained(way, kind, words, feature.source)
    for path in Path().glob("kept*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert "unexpected" not in done.said, done.said
    if matrix.expected(name, way, kind) == "-":
        assert done.code in (1, 2) and not model, "it works"
        reasons = [
            (reason, mend)
            for features, ways, kinds, reason, mend in matrix.REFUSALS
            if name in features and way in ways and kind in kinds
        ]
        said = [all(words in done.sentence for words in one) for one in reasons]
        assert any(said), f"{done.sentence!r} is none of {reasons}"
        return
    assert done.code == 0 and model, done.sentence
    assert plain[1]
    if way == "stream":
        assert "over the input" in done.err
    if way == "cluster":
        assert '"shards"' in done.err
    beside = trained(way, kind, feature.beside, FEATURES["plain"].source)
    if feature.shows == "nowhere":
        assert model == beside[1]
    elif name != "plain":
        assert shown(feature, run) != shown(feature, beside), "taken, and ignored"


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(one, marks=() if one[4] else pytest.mark.xfail(reason="names no mend"))
        for one in matrix.REFUSALS
    ],
    ids=[f"{one[3]}, {one[2]}" for one in matrix.REFUSALS],
)
def test_a_refusal_names_the_mend(refusal: tuple[object, ...]) -> None:
    assert refusal[4]
