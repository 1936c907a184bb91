"""Every call on a file fails once: a sentence, the old file whole, nothing left behind.

In the manner of SQLite's tests: the n-th call fails, for n = 1, 2, ... until a run ends in which
none failed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ..forking import Server
from .conftest import NEVER, Injected, Injector

OLD = b"what was there before"
TEXTS = ["--text", "message", "--label", "folder"]
# "OUT" is written in each; what is read lies in the same folder, so reading fails too.
COMMANDS: dict[str, list[str]] = {
    "train": ["train", "TEXTS", *TEXTS, "-o", "OUT", "--epochs", "2"],
    "train numbers": ["train", "NUMBERS", "-o", "OUT", "--epochs", "2"],
    "train from": ["train", "TEXTS", "--train-from", "MODEL", "-o", "OUT"],
    "predict": ["predict", "MODEL", "TEXTS", "-o", "OUT.csv"],
    "predict packed": ["predict", "MODEL", "TEXTS", "-o", "OUT.csv.gz"],
    "predict numbers": ["predict", "LINEAR", "TABLE.csv", "-o", "OUT.csv"],
    "evaluate": ["evaluate", "MODEL", "TEXTS"],
    "explain": ["explain", "MODEL", "win a prize"],
    "inspect": ["inspect", "MODEL"],
    "report": ["report", "MODEL", "TEXTS", "-o", "OUT.html"],
    "certify": ["certify", "NUMBERS", "-o", "OUT.json"],
    "check": ["certify", "NUMBERS", "--check", "PROOF"],
    "trace": ["trace", "NUMBERS", "-o", "OUT.md"],
}
# Of these every few calls; the whole is slow.
QUICK = ["train", "predict", "certify"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    rows = [f"{i},win a prize {i % 7},spam\n{i},see you later {i % 5},ham\n" for i in range(10)]
    (folder / "TEXTS").write_text("id,message,folder\n" + "".join(rows))
    (folder / "NUMBERS").write_text("+1 1:1 2:2\n+1 2:1\n-1 1:-1\n-1 2:-2\n")
    (folder / "TABLE.csv").write_text("a,b,label\n1,2,1\n0,1,1\n-1,0,-1\n0,-2,-1\n")
    for words in (
        ["train", folder / "TEXTS", *TEXTS, "-o", folder / "MODEL"],
        ["train", folder / "TABLE.csv", "-o", folder / "LINEAR"],
        ["certify", folder / "NUMBERS", "-o", folder / "PROOF"],
    ):
        assert server.run(*words).code == 0
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    with Server(tmp_path_factory.mktemp("plain")) as server:
        yield server


class Trial:
    """One command in one folder, run again and again."""

    def __init__(self, name: str, inputs: Path, folder: Path, injector: Injector) -> None:
        self.folder = folder / "work"
        shutil.copytree(inputs, self.folder)
        self.injector = injector
        self.words = [self._place(word) for word in COMMANDS[name]]
        self.before = self._contents()
        written = [Path(word) for word in self.words if Path(word).name.startswith("OUT")]
        self.output = written[0] if written else None
        usual = self.run(NEVER)
        assert usual.done.code == 0, usual.done.err
        self.calls, self.printed = usual.calls, usual.done.out
        self.written = self.output.read_bytes() if self.output else b""

    def _place(self, word: str) -> str:
        known = word.split(".")[0] == "OUT" or (self.folder / word).exists()
        return str(self.folder / word) if known else word

    def _contents(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def run(self, nth: int, error: str = "EIO", lasting: bool = False) -> Injected:
        """Run it beside an old output."""
        if self.output:
            self.output.write_bytes(OLD)
        return self.injector.command(self.words, self.folder, nth, error, lasting)

    def check(self, injected: Injected, lasting: bool = False) -> None:
        """What holds however a run ends."""
        done, what = injected.done, f"call {injected.calls}, {injected.failed}: {injected.done}"
        assert done.code in (0, 1) and "Traceback" not in done.err, what
        assert "unexpected" not in done.err and "Errno" not in done.err, what
        left = {n: c for n, c in self._contents_but_folders().items() if n not in self.before}
        if done.code == 0:
            assert not self.output or self.output.read_bytes() == self.written, what
            assert _without_time(done.out) == _without_time(self.printed), what
        else:
            assert done.err.count("error: ") == 1, what
            assert not self.output or self.output.read_bytes() == OLD, what
            assert "cannot be" in done.err or "locked" in done.err, what
        if lasting or injected.failed in _OF_REMOVAL:
            left = {name: c for name, c in left.items() if not name.endswith(".lock")}
        assert set(left) <= ({self.output.name} if self.output else set()), what
        # Where everything fails from then on, nothing can be removed either.
        assert lasting or not self._folders() or injected.failed in _OF_REMOVAL, what
        assert all(self._contents_but_folders()[n] == c for n, c in self.before.items()), what

    def _contents_but_folders(self) -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}

    def _folders(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if path.is_dir()]

    def check_clean(self) -> None:
        """What a failing removal left is removed by the next that writes."""
        assert self.run(NEVER).done.code == 0
        assert not self._folders() and not list(self.folder.glob(".*"))


# Where one of these fails while a folder is removed, the folder stays for the next writer.
_OF_REMOVAL = {"open", "close", "fdopendir", "opendir", "unlink", "unlinkat", "rmdir"}


def _without_time(out: str) -> str:
    return " ".join(word for word in out.split() if not word[0].isdigit())


@pytest.fixture
def trial(inputs: Path, tmp_path: Path, injector: Injector) -> Callable[[str], Trial]:
    return lambda name: Trial(name, inputs, tmp_path, injector)


@pytest.mark.parametrize("name", QUICK)
def test_some_calls_fail_once(name: str, trial: Callable[[str], Trial]) -> None:
    here = trial(name)
    for nth in range(1, here.calls, 6):
        here.check(here.run(nth))
    here.check(here.run(here.calls // 2, "ENOSPC", lasting=True), lasting=True)
    here.check_clean()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("error", "lasting"),
    [("EIO", False), ("ENOSPC", True), ("EDQUOT", False), ("EINTR", False), ("EMFILE", True)],
)
def test_every_call_fails_once(
    name: str, error: str, lasting: bool, trial: Callable[[str], Trial]
) -> None:
    here = trial(name)
    nth, codes, wrong = 1, set(), []
    while (injected := here.run(nth, error, lasting)).fired:
        try:
            here.check(injected, lasting)
        except AssertionError as failure:
            wrong.append(str(failure).splitlines()[0])
        codes.add(injected.done.code)
        nth += 1
    assert not wrong, "\n".join(wrong)
    # More calls than at first where a run removes what one before it could not.
    assert nth > here.calls and injected.done.code == 0
    if error != "EINTR":  # Python tries again
        assert codes == {0, 1} or codes == {1}
    here.check_clean()
