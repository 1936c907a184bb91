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


SAME = [("predict standard input", "predict"), ("evaluate --cluster", "evaluate")]
BOTH = [(*names, kind) for names in SAME for kind in OF_TWO if not matrix.refusals(names[0], kind)]


@pytest.mark.parametrize(("name", "other", "kind"), BOTH)
def test_the_same_is_printed(name: str, other: str, kind: str) -> None:
    matrix.renew(kind)
    one, two = COMMANDS[name], COMMANDS[other]
    assert matrix.run(one.words, kind, one.given)[0].out == matrix.run(two.words, kind)[0].out
