"""What works where: every command but ``train``, for the models of each kind of examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import command_matrix as matrix
from .command_matrix import COMMANDS
from .matrix import OF_TWO


@pytest.fixture(scope="module", autouse=True)
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Go to a folder with the files and models of each kind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("commands"))
        matrix.write_files(Path())
        yield


@pytest.mark.parametrize("kind", OF_TWO)
@pytest.mark.parametrize("name", COMMANDS)
def test_command(name: str, kind: str) -> None:
    """What works prints or writes something of its own; what is refused says why."""
    command = COMMANDS[name]
    if command.needs:
        pytest.importorskip(command.needs)
    matrix.renew(kind)
    beside = command.beside and matrix.run(command.beside, kind)
    if command.before:
        matrix.run(command.before, kind)
    done, written = matrix.run(command.words, kind, command.given)
    assert "unexpected" not in done.said, done.said
    if reasons := matrix.refusals(name, kind):
        assert done.code in (1, 2), "it works"
        said = [all(words in done.sentence for words in one) for one in reasons]
        assert any(said), f"{done.sentence!r} is none of {reasons}"
        return
    assert done.code in command.codes, done.sentence
    assert done.out or written
    assert not beside or (done.out, written) != (beside[0].out, beside[1]), "taken, and ignored"
    if "--cluster" in command.words:
        assert '"shards"' in done.err


SAME = [
    ("predict standard input", COMMANDS["predict"].words),
    ("evaluate --cluster", matrix.EVALUATE),
    ("evaluate --min-probability --cluster", matrix.EVALUATE + " --json --min-probability 0.6"),
]
BOTH = [(*names, kind) for names in SAME for kind in OF_TWO if not matrix.refusals(names[0], kind)]


@pytest.mark.parametrize(("name", "other", "kind"), BOTH)
def test_the_same_is_printed(name: str, other: str, kind: str) -> None:
    matrix.renew(kind)
    one = COMMANDS[name]
    assert matrix.run(one.words, kind, one.given)[0].out == matrix.run(other, kind)[0].out


ALL = matrix.PREDICT + " --scores --probability --top 2 --explain 1 -o out"


@pytest.mark.parametrize("kind", [k for k in OF_TWO if not matrix.refusals("predict --cluster", k)])
def test_the_parts_of_shards_are_what_one_process_writes(kind: str) -> None:
    matrix.renew(kind)
    done, _ = matrix.run(ALL + matrix.SHARDS, kind)
    parts = [path.read_bytes() for path in sorted(Path("out").glob("part*"))]
    assert len(parts) == 3, done.sentence
    assert matrix.run(ALL + ".jsonl", kind)[1] == b"".join(parts)
