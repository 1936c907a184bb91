"""Files of every kind of examples, and the program run on them in this process."""

from __future__ import annotations

import contextlib
import csv
import io
import random
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import what_works
from hardlimit import readouts, rules
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.compatibility import Ask, Combination, Conflict, find_conflict
from hardlimit.cli import main
from hardlimit.cli.face import CommandFace
from hardlimit.exceptions import ConvergenceWarning, DataWarning

N_ROWS = 60
GOOD, BAD, OTHER = "win cash prize".split(), "meet dinner home".split(), "a the we to see".split()

# t one text, c columns of texts, b a mixed table, n numbers, s sets of labels in one column,
# m several columns of labels, k numbers and a kernel, v lines of svmlight in three classes.
KINDS = "tcbnsmkv"
HEADERS = {
    "t": ("text", "label"),
    "c": ("subject", "body", "label"),
    "b": ("age", "city", "notes", "label"),
    "n": ("a", "b", "c", "label"),
    "s": ("text", "labels"),
    "m": ("a", "b", "c", "p", "q"),
    "k": ("a", "b", "c", "label"),
    "v": (),
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
    "v": ("--format", "svmlight"),
}
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
            "v": (good + (point[2] > 1), *(f"{k}:{x}" for k, x in enumerate(point, 1) if x > -1)),
        }
        rows.append(of_kind.get(kind, (*point, label)))
    return rows


def write_rows(path: Path, kind: str, rows: Sequence[Sequence[object]], header: bool = True) -> str:
    """Write rows as CSV."""
    if kind == "v":
        path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
        return str(path)
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
    (folder / "terms.txt").write_text("win\nprize\nmeet\nthe\nw3\n")
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


@dataclass(frozen=True)
class Feature:
    """What is asked of a training.

    beside : words of the run that the feature is compared with, as well as of its own.
    shows : where the feature is seen: in the "model" file, in the "figures" that are printed, in
        the file that it "writes"; "nowhere": the model file is the same, as it should be.
    unlike : words of the run that the feature is compared with, where they are not beside it.
    kinds : that it has a meaning for: not a class by name where there is none of that name.
    choices : as the table of conflicts looks at them.
    """

    words: str = ""
    beside: str = ""
    shows: str = "model"
    source: str = "{kind}.csv"
    kinds: str = KINDS
    unlike: str = ""
    choices: Mapping[str, object] = field(default_factory=dict)

    @property
    def asked(self) -> str:
        """Return all words of its run."""
        return f"{self.beside} {self.words}".strip()


OF_TWO = KINDS.replace("v", "")  # with classes called good and bad
OF_TERMS = "tcbs"


def of_rule(name: str) -> str:
    """Return the kinds that a rule learns: whatever is negative, or has three classes."""
    if rules.get(name).nonnegative:
        return "ts"
    return "tnsm" if name in ("adatron", "paum") else "tnsmv"


LIMITED = "words=1,chars=none,idf=none,"
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
    "--positive": Feature("--positive bad", beside="--holdout 0.3", kinds=OF_TWO, shows="figures"),
    "--max-false-positive": Feature(
        "--max-false-positive 0.4", beside="--holdout 0.4", kinds=OF_TWO
    ),
    "--max-f1": Feature("--max-f1", beside="--holdout 0.4", kinds=OF_TWO, shows="figures"),
    "--max-accuracy": Feature(
        "--max-accuracy", beside="--holdout 0.4", shows="figures", kinds=OF_TWO
    ),
    "--fold-labels": Feature("--fold-labels", source="{kind}-folded.csv", kinds=OF_TWO),
    "--keep all": Feature("--keep all", beside="--holdout 0.3", shows="figures"),
    "--readout voted": Feature("--readout voted"),
    "--readout pocket": Feature("--readout pocket"),
    "--multiclass ovr": Feature("--multiclass ovr"),
    "--start": Feature("--start {start}", kinds=OF_TWO),
    "--scale": Feature("--scale standard"),
    "--map": Feature("--map polynomial:2"),
    "--shards": Feature("--shards 2"),
    "--checkpoint": Feature("--checkpoint kept --every 0", shows="writes"),
    "--every": Feature(
        "--every 0", beside="--checkpoint kept --epochs 2 --until none", shows="writes"
    ),
    "--classes": Feature("--classes bad,good,odd,third", kinds=OF_TWO.replace("m", "")),
    "--classes of columns": Feature("--classes 0,1", kinds="m", shows="nowhere"),
    "--cache": Feature("--cache kept", beside="--epochs 2", shows="writes"),
    "--rule arow": Feature("--rule arow"),
    "standard input": Feature("--format {format}", source="-", shows="nowhere"),
    "--train-from": Feature("--train-from memory-{kind}"),
    "--scale maxabs": Feature("--scale maxabs", kinds="nmv"),
    "--scale rows": Feature("--scale rows", kinds="nmv"),
    "--class-weight of one": Feature("--class-weight good=2,bad=0.5", kinds="tcbnk"),
    "--until separated": Feature("--until separated --epochs 20"),
    "--schedule": Feature("--schedule power", beside="--rule perceptron --epochs 2"),
    "--guard": Feature("--guard margin:0.1", beside="--rule perceptron --epochs 2"),
    "--bias none": Feature("--bias-feature none", kinds="nv"),
    "blocks": Feature("--order stream:16", beside="--epochs 3"),
    "blocks of one": Feature("--order stream:1", beside="--epochs 3"),
    "idf": Feature("--features words=1,chars=2-3,hash=8,idf=smooth,tf=binary", kinds=OF_TERMS),
    "vocabulary": Feature(f"--features {LIMITED}hash=none", kinds=OF_TERMS),
    "--max-features": Feature(
        f"--features {LIMITED}hash=none,min-df=2,max-features=12", kinds=OF_TERMS
    ),
    "given vocabulary": Feature(
        f"--features {LIMITED}hash=none,vocabulary=terms.txt", kinds=OF_TERMS
    ),
    "--hash-categories": Feature("--hash-categories 3", kinds="b"),
    "--column-weights": Feature("--column-weights 2:1:3", kinds="b"),
    "--drop": Feature("--drop a", kinds="n", source="{kind}.csv"),
}
# The cells of each rule and each read-out, and of rules that learn each class by itself.
FEATURES |= {
    f"--rule {name}": Feature(
        f"--rule {name}",
        beside="--epochs 2",
        unlike=f"--epochs 2 --rule {'perceptron' if name == 'romma' else 'romma'}",
        kinds=of_rule(name),
        choices={"rule": rules.get(name)},
    )
    for name in rules.names()
}
FEATURES |= {
    f"--multiclass ovr --rule {name}": Feature(
        f"--rule {name} --multiclass ovr",
        kinds="v",
        choices={"rule": rules.get(name), "multiclass": "ovr"},
    )
    for name in rules.names()
    if not rules.get(name).nonnegative
}
FEATURES |= {
    f"--readout {name}": Feature(
        f"--readout {name} --epochs 3",
        beside="--rule perceptron",
        choices={"readout": name},
    )
    for name in readouts.names()
}
FORMATS = dict.fromkeys("nmk", "numeric-csv") | {"v": "svmlight"}
STARTS = dict.fromkeys("nk", "1,-1,0.5,0") | {"m": "1,-1,0.5,0;0,1,0.5,0"}

WAYS = ("memory", "stream", "cluster")
LEARNS: dict[str, tuple[str, ...]] = {
    "memory": (),
    "in order": (),
    "stream": ("--stream",),
    "cluster": ("--cluster", "threads:1", "--progress", "json"),
    "two workers": ("--cluster", "threads:2", "--progress", "json"),
}


# What the page of what works calls a feature, where it is not its option; the others that are no
# row of it are taken wherever a training is.
ROWS = {
    "--classes of columns": "classes",
    "--probability --holdout": "probability, holdout",
    "--max-f1": "max-f1, max-accuracy",
    "--max-accuracy": "max-f1, max-accuracy",
    "--multiclass ovr": "multiclass",
    "--readout pocket": "readout longest",
    "--every": "checkpoint",
}
PAGE = dict(zip(KINDS, what_works.KINDS, strict=False)) | {"v": "num"}


def ask(feature: str, way: str, kind: str) -> Combination:
    """Return what is asked of the table of conflicts in a cell."""
    row = ROWS.get(feature, feature.removeprefix("--"))
    row = row if row in what_works.FEATURES else "nothing else"
    asked = what_works.ask_to_train(row, way, PAGE[kind])
    return replace(asked, **FEATURES[feature].choices)


def expected(feature: str, way: str, kind: str) -> str:
    """Return whether a training works: "y", or is refused: "-"."""
    return "y" if find_conflict(ask(feature, way, kind)) is None else "-"


def said_of(row: Conflict, asked: Ask) -> tuple[str, str]:
    """Return the reason and the mend of a row of the table, as the program says them."""
    face = CommandFace()
    error = face.mended(row.error(asked))
    return face.text(error.reason), face.text(error.fix)


def refusals(feature: str, way: str, kind: str) -> list[tuple[str, str]]:
    """Return the reason and the mend of every row of the table that refuses a cell."""
    asked = ask(feature, way, kind)
    return [said_of(row, asked) for row in compatibility.TABLE if row.applies(asked)]


def train(way: str, kind: str, words: str, source: str, output: str) -> Done:
    """Train on the files of a kind, once unless another number of epochs is asked."""
    start = STARTS.get(kind, f"memory-{kind}")
    asked = words.format(kind=kind, start=start, format=FORMATS.get(kind, "csv")).split()
    # An earlier model has decided what the columns are.
    decided = "--train-from" in asked or "--format" in {*asked} & {*NAMED[kind]}
    more = [] if decided else [*NAMED[kind]]
    if more and kind in OF_TERMS and "--features" not in asked:
        more += ["--features", LEARNT if way not in ("stream", "in order") else HASHED]
    if "--epochs" not in asked:
        more += ["--epochs", "1"]
    files = source.format(kind=kind).split()
    given = f"{kind}.csv" if files == ["-"] else None
    return run("train", *files, "-o", output, "--json", *more, *LEARNS[way], *asked, given=given)
