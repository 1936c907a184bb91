"""Files of every kind of examples, and the program run on them in this process."""

from __future__ import annotations

import contextlib
import csv
import io
import random
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardlimit.cli import main
from hardlimit.exceptions import ConvergenceWarning, DataWarning

N_ROWS = 60
GOOD, BAD, OTHER = "win cash prize".split(), "meet dinner home".split(), "a the we to see".split()

# t one text, c columns of texts, b a mixed table, n numbers, s sets of labels in one column,
# m several columns of labels, k numbers and a kernel.
KINDS = "tcbnsmk"
HEADERS = {
    "t": ("text", "label"),
    "c": ("subject", "body", "label"),
    "b": ("age", "city", "notes", "label"),
    "n": ("a", "b", "c", "label"),
    "s": ("text", "labels"),
    "m": ("a", "b", "c", "p", "q"),
    "k": ("a", "b", "c", "label"),
}
TEXT, COLUMNS = ("--text", "text"), ("--text", "subject", "--text", "body")
TABLE = ("--number", "age", "--category", "city", "--text", "notes")
LABEL = ("--label", "label")
SETS = ("--label", "labels", "--labels-separator", ",")
NAMED = {
    "t": (*TEXT, *LABEL),
    "c": (*COLUMNS, *LABEL),
    "b": (*TABLE, *LABEL),
    "n": LABEL,
    "s": (*TEXT, *SETS),
    "m": ("--label", "p,q"),
    "k": (*LABEL, "--kernel", "rbf:0.5"),
}
BARE = ""  # no mend is named
LEARNT = "words=1,chars=none"
HASHED = "words=1,chars=none,hash=8,idf=none"


def make_rows(kind: str, seed: int = 1, n: int = N_ROWS) -> list[tuple[object, ...]]:
    """Draw rows of two classes, a few of which are on the wrong side."""
    draw, rows = random.Random(seed), []
    for number in range(n):
        good = draw.random() < 0.5
        own = GOOD if good != (draw.random() < 0.1) else BAD
        words = " ".join([*draw.choices(own, k=3), *draw.choices(OTHER, k=3), f"w{number % 7}"])
        point = [round(draw.gauss(2.0 * good - 1, 1.5), 2) for _ in range(3)]
        label = "good" if good else "bad"
        tags = ",".join(["good"] * good + ["odd"] * (number % 3 == 0))
        table = (20 + 9 * good + number % 20, draw.choice("xyz"), words, label)
        columns = (*point, int(good), int(point[0] + point[1] > 0.3))
        of_kind = {
            "t": (words, label),
            "c": (words[:8], words, label),
            "b": table,
            "s": (words, tags),
            "m": columns,
        }
        rows.append(of_kind.get(kind, (*point, label)))
    return rows


def write_rows(path: Path, kind: str, rows: Sequence[Sequence[object]], header: bool = True) -> str:
    """Write rows as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADERS[kind], *rows] if header else rows)
    return str(path)


@dataclass(frozen=True)
class Done:
    """What a run of the program left."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Return the sentences without line ends."""
        return " ".join((self.out + " " + self.err).split())

    @property
    def sentence(self) -> str:
        """Return the error that it ended with."""
        found = re.search(r"[Ee]rror: (.*)", " ".join(self.err.split()))
        return found.group(1) if found else ""


@contextlib.contextmanager
def standard_input(path: str | None) -> Iterator[None]:
    """Put a file in the place of standard input."""
    before = sys.stdin
    if path is None:
        yield
        return
    with open(path, encoding="utf-8") as sys.stdin:
        try:
            yield
        finally:
            sys.stdin = before


def write_files(folder: Path) -> None:
    """Write the files of all kinds: rows, more rows, a broken one, labels in capitals."""
    for kind in KINDS:
        rows = make_rows(kind)
        write_rows(folder / f"{kind}.csv", kind, rows)
        write_rows(folder / f"{kind}-more.csv", kind, make_rows(kind, seed=2))
        write_rows(folder / f"{kind}-bad.csv", kind, [*rows, ("one cell",)])
        spelled = [
            (*row[:-1], str(row[-1]).upper() if i % 9 == 0 else row[-1])
            for i, row in enumerate(rows)
        ]
        write_rows(folder / f"{kind}-folded.csv", kind, spelled)


def run(*words: object, given: str | None = None) -> Done:
    """Run the program in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        standard_input(given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        for category in (ConvergenceWarning, DataWarning):
            warnings.simplefilter("default", category)
        code = main([str(word) for word in words])
    return Done(code, out.getvalue(), err.getvalue())


# A row a feature; y works, - is refused. What is refused stands below, with its reason.
TRAINS = """
feature                  memory   stream   cluster
                         tcbnsmk  tcbnsmk  tcbnsmk
plain                    yyyyyyy  yyyyy--  yyyyyy-
--holdout                yyyyyyy  yyyyy--  yyyyyy-
--until                  yyyyyyy  yyyyy--  yyyyyy-
--epochs                 yyyyyyy  yyyyy--  yyyyyy-
--slim                   yyyyyyy  yyyyy--  yyyyyy-
--note                   yyyyyyy  yyyyy--  yyyyyy-
--skip-bad               yyyyyyy  yyyyy--  yyyyyy-
two files                yyyyyyy  yyyyy--  yyyyyy-
--order                  yyyyyyy  yyyyy--  yyyyyy-
--jobs                   yyyyyyy  yyyyy--  yyyyyy-
--probability            yyyyyyy  -------  yyyyyy-
--probability --holdout  yyyyyyy  yyyyy--  yyyyyy-
--class-weight           yyyy--y  yyyy---  yyyy---
--positive               yyyy--y  yyyy---  yyyy---
--max-false-positive     yyyy--y  yyyy---  yyyy---
--max-f1                 yyyyy-y  yyyyy--  yyyyy--
--max-accuracy           yyyyy-y  yyyyy--  yyyyy--
--fold-labels            yyyyy-y  yyyyy--  yyyyy--
--keep all               yyyyy-y  -------  -------
--readout voted          yyyyyyy  -------  -------
--readout pocket         yyyyyyy  yyyyy--  -------
--multiclass ovr         yyyy--y  yyyy---  yyyy---
--start                  yyyyyy-  -------  -------
--scale                  ---y-y-  ---y---  ---y-y-
--map                    ---y-y-  -------  -------
--shards                 yyyyyy-  -------  yyyyyy-
--checkpoint             -------  yyyyy--  yyyyyy-
--every                  -------  yyyyy--  yyyyyy-
--classes                -------  yyyyy--  -------
--cache                  -------  yyyyy--  -------
--rule arow              yyyyyy-  yyyyy--  -------
standard input           yyyyy-y  yy-yy--  -------
--train-from             yyyyyyy  -------  -------
"""


@dataclass(frozen=True)
class Feature:
    """What is asked of a training.

    beside : words of the run that the feature is compared with, as well as of its own.
    shows : where the feature is seen: in the "model" file, in the "figures" that are printed, in
        the file that it "writes"; "nowhere": the model file is the same, as it should be.
    """

    words: str = ""
    beside: str = ""
    shows: str = "model"
    source: str = "{kind}.csv"

    @property
    def asked(self) -> str:
        """Return all words of its run."""
        return f"{self.beside} {self.words}".strip()


FEATURES = {
    "plain": Feature(shows="plain"),
    "--holdout": Feature("--holdout 0.3"),
    "--until": Feature("--until margin"),
    "--epochs": Feature("--epochs 3"),
    "--slim": Feature("--slim"),
    "--note": Feature("--note mine"),
    "--skip-bad": Feature("--skip-bad", source="{kind}-bad.csv"),
    "two files": Feature(source="{kind}.csv {kind}-more.csv"),
    "--order": Feature("--order cyclic"),
    "--jobs": Feature("--jobs 1", shows="nowhere"),
    "--probability": Feature("--probability"),
    "--probability --holdout": Feature("--probability", beside="--holdout 0.3"),
    "--class-weight": Feature("--class-weight balanced"),
    "--positive": Feature("--positive bad", beside="--holdout 0.3", shows="figures"),
    "--max-false-positive": Feature("--max-false-positive 0.4", beside="--holdout 0.4"),
    "--max-f1": Feature("--max-f1", beside="--holdout 0.4", shows="figures"),
    "--max-accuracy": Feature("--max-accuracy", beside="--holdout 0.4", shows="figures"),
    "--fold-labels": Feature("--fold-labels", source="{kind}-folded.csv"),
    "--keep all": Feature("--keep all", beside="--holdout 0.3"),
    "--readout voted": Feature("--readout voted"),
    "--readout pocket": Feature("--readout pocket"),
    "--multiclass ovr": Feature("--multiclass ovr"),
    "--start": Feature("--start {start}"),
    "--scale": Feature("--scale standard"),
    "--map": Feature("--map polynomial:2"),
    "--shards": Feature("--shards 2"),
    "--checkpoint": Feature("--checkpoint kept --every 0", shows="writes"),
    "--every": Feature(
        "--every 0", beside="--checkpoint kept --epochs 2 --until none", shows="writes"
    ),
    "--classes": Feature("--classes bad,good,odd,third"),
    "--cache": Feature("--cache kept", beside="--epochs 2", shows="writes"),
    "--rule arow": Feature("--rule arow"),
    "standard input": Feature("--format {format}", source="-", shows="nowhere"),
    "--train-from": Feature("--train-from memory-{kind}"),
}
FORMATS = dict.fromkeys("nmk", "numeric-csv")
STARTS = dict.fromkeys("nk", "1,-1,0.5,0") | {"m": "1,-1,0.5,0;0,1,0.5,0"}

# What is said of a cell that is refused: features, ways, kinds, words of the reason, words of the
# mend. A cell may be refused for any of the rows that speak of it.
ALL = tuple(FEATURES)
BY_RATE = ("--max-false-positive",)
OF_ONE_LABEL = ("--class-weight", "--positive", *BY_RATE, "--multiclass ovr")
OF_STREAMS = ("--checkpoint", "--every", "--cache", "--classes")
REFUSALS = [
    (ALL, "stream", "m", "several columns of labels: each is read apart", "--cluster processes:1"),
    (ALL, "stream cluster", "k", "a kernel model keeps its rows", BARE),
    (OF_ONE_LABEL, "memory stream cluster", "sm", "does not go with several labels", BARE),
    (
        ("--max-f1", "--max-accuracy", "--fold-labels", "--keep all"),
        "memory stream cluster",
        "m",
        "does not go with several labels",
        BARE,
    ),
    (("--probability",), "stream", "tcbnsm", "to rows that were not learnt", "--holdout 0.05"),
    (("--keep all",), "stream", "tcbns", "each look at all examples", "use --readout pocket"),
    (("--readout voted",), "stream", "tcbns", "would stay in memory", "use --readout averaged"),
    (
        ("--keep all", "--readout voted", "--readout pocket"),
        "cluster",
        "tcbnsm",
        "hypotheses live until the weights are mixed",
        "use --readout last or",
    ),
    (("--start",), "memory", "k", "with a kernel there are no weights", "use LinearClassifier"),
    (("--start",), "stream cluster", "tcbnsmk", "weights at the start are for rows in", BARE),
    (("--scale",), "memory stream cluster", "tcs", "is for numbers", "--features norm=l2"),
    (("--scale",), "memory stream cluster", "b", "is for numbers", "are standardised anyway"),
    (("--scale", "--map"), "memory", "k", "--kernel does not go with", BARE),
    (("--map",), "memory", "tcbs", "--map is for numbers", BARE),
    (("--map",), "stream cluster", "tcbnsm", "a map is fitted to all rows", BARE),
    (("--shards",), "memory", "k", "--kernel does not go with --shards", BARE),
    (("--shards",), "stream", "tcbnsm", "a stream is one run over its rows", BARE),
    (OF_STREAMS, "memory", "tcbnsmk", "goes with", "--stream"),
    (("--classes", "--cache"), "cluster", "tcbnsmk", "goes with", "--stream"),
    (("--rule arow",), "memory", "k", "more than add multiples of the examples", "use a rule"),
    (("--rule arow",), "cluster", "tcbnsm", "keeps a covariance", "use the perceptron"),
    (("standard input",), "memory", "m", "which is read once each", "numbers from a FILE"),
    (("standard input",), "stream", "b", "are measured before any row", "name a file"),
    (("standard input",), "cluster", "tcbnsm", "shards are read again", "give files"),
    (
        ("--train-from",),
        "stream cluster",
        "tcbnsmk",
        "an earlier model takes new rows as they come",
        "leave --",
    ),
]


def read_table(text: str) -> dict[tuple[str, str, str], str]:
    """Return the letter of each cell."""
    first, _, *lines = text.strip("\n").splitlines()
    ways = re.split(r"  +", first)[1:]
    cells = {}
    for line in lines:
        feature, *letters = re.split(r"  +", line)
        for way, row in zip(ways, letters, strict=True):
            cells |= {(feature, way, kind): row[i] for i, kind in enumerate(KINDS)}
    return cells


_TRAINS = read_table(TRAINS)
WAYS = ("memory", "stream", "cluster")
LEARNS: dict[str, tuple[str, ...]] = {
    "memory": (),
    "in order": (),
    "stream": ("--stream",),
    "cluster": ("--cluster", "threads:1", "--progress", "json"),
}


def expected(feature: str, way: str, kind: str) -> str:
    """Return whether a training works: "y", or is refused: "-"."""
    return _TRAINS[feature, way, kind]


def train(way: str, kind: str, words: str, source: str, output: str) -> Done:
    """Train on the files of a kind, once unless another number of epochs is asked."""
    start = STARTS.get(kind, f"memory-{kind}")
    asked = words.format(kind=kind, start=start, format=FORMATS.get(kind, "csv")).split()
    # An earlier model has decided what the columns are.
    more = [] if "--train-from" in asked else [*NAMED[kind]]
    if more and kind in "tcbs":
        more += ["--features", LEARNT if way in ("memory", "cluster") else HASHED]
    if "--epochs" not in asked:
        more += ["--epochs", "1"]
    files = source.format(kind=kind).split()
    given = f"{kind}.csv" if files == ["-"] else None
    return run("train", *files, "-o", output, "--json", *more, *LEARNS[way], *asked, given=given)
