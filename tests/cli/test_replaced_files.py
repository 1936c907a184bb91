"""A file that is replaced while it is trained on: the digest in the model is of what was learnt."""

import os
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.cli.progress import Progress

pytest_plugins = ["tests.stores"]
ROWS = (
    "text,label\n"
    + "win a prize,spam\nlunch at noon,ham\ncash prize,spam\nsee you,ham\n" * 5
    + "one,ham\n"
)
NUMBERS = "x,y,label\n" + "1,2,a\n3,1,b\n0,1,a\n4,0,b\n" * 5
LABELS = "x,y,p,q\n" + "1,2,1,0\n3,1,0,1\n0,1,1,1\n4,0,0,0\n" * 5
SEARCH = ("--rule", "perceptron", "--rule", "arow", "--folds", "2")
CLUSTER = ("--cluster", "threads:2", "--shards", "2")
STREAM = ("--stream", "--epochs", "2", "--cache", "rows.cache")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(ROWS)
    Path("b.csv").write_text(ROWS)
    Path("n.csv").write_text(NUMBERS)
    Path("l.csv").write_text(LABELS)
    for label, text in (("ham", "lunch at noon"), ("spam", "win a prize")):
        Path("mails", label).mkdir(parents=True)
        for number in "12":
            Path("mails", label, f"{number}.txt").write_text(f"{text} {number}")


def changed(data):
    """Other rows in as many bytes: the last row comes first, behind the header."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:1], *lines[-1:], *lines[1:-1]]) if lines[1:] else data.swapcase()


def replace(path):
    """Put another file of the same size and time in its place, under a name of its own before."""
    old = os.stat(path)
    Path("new").write_bytes(changed(Path(path).read_bytes()))
    os.utime("new", ns=(old.st_atime_ns, old.st_mtime_ns))
    os.replace("new", path)


@pytest.fixture
def doing(monkeypatch):
    """Have something done once, as soon as a message of progress begins with a word."""

    def prepare(word, action):
        waiting = [action]
        for name in ("stage", "report", "shards"):
            shown = getattr(Progress, name)

            def wrapped(self, what, *more, shown=shown):
                stage = what if isinstance(what, str) else what.stage
                if waiting and stage.startswith(word):
                    waiting.pop()()
                return shown(self, what, *more)

            monkeypatch.setattr(Progress, name, wrapped)
        return waiting

    return prepare


def slow(*words):
    return pytest.param(words, marks=pytest.mark.slow)


WAYS = (
    ("train", "a.csv"),
    ("train", "a.csv", *STREAM),
    ("train", "a.csv", *CLUSTER),
    ("train", "mails"),
    ("tune", "a.csv", *SEARCH),
    ("train", "l.csv", "--label", "p,q"),
    slow("train", "b.csv", "a.csv"),
    slow("train", "n.csv", "--label", "label"),
    slow("train", "n.csv", "--label", "label", *STREAM),
    slow("train", "l.csv", "--label", "p,q", *CLUSTER),
)


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
@pytest.mark.parametrize("moment", ["reading", "learning", "computing the digest"])
def test_a_file_that_is_replaced_meanwhile(words, moment, here, doing, capsys):
    """It is refused, or the model is that of the one file or of the other, with its digest."""
    path = {"mails": "mails/ham/1.txt", "b.csv": "a.csv"}.get(words[1], words[1])
    old = Path(path).read_bytes()
    waiting = doing(moment, lambda: replace(path))
    code = main([*words, "-o", "m"])
    said = capsys.readouterr().err
    if moment == "learning":
        assert not waiting
        # What lies in memory or in a cache is learnt, whatever becomes of the file.
        assert code == (1 if "--cluster" in words else 0), said
    if code:
        assert code == 1 and not Path("m").exists()
        assert "the file changed while it was" in said
        return
    found = []
    for content in (old, changed(old)):
        Path(path).write_bytes(content)
        assert main([*words, "-o", "again"]) == 0
        found.append(Path("again").read_bytes())
    assert found[0] != found[1] and Path("m").read_bytes() in found


@pytest.mark.parametrize("more", [(), STREAM, CLUSTER], ids=["memory", "stream", "cluster"])
@pytest.mark.parametrize("moment", ["reading", "learning", "computing"])
def test_an_object_that_is_replaced_meanwhile(more, moment, here, doing, web, capsys):
    """As files are: by its ETag, since its size is the same."""
    old = web.files["a.csv"] = ROWS.encode()
    words = ("train", web.uri("a.csv"), *more)
    doing(moment, lambda: web.files.update({"a.csv": changed(old)}))
    if main([*words, "-o", "m"]):
        assert not Path("m").exists()
        assert "the file changed while it was" in capsys.readouterr().err
        return
    found = []
    for content in (old, changed(old)):
        web.files["a.csv"] = content
        assert main([*words, "-o", "again"]) == 0
        found.append(Path("again").read_bytes())
    assert found[0] != found[1] and Path("m").read_bytes() in found
