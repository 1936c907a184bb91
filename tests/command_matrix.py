"""What every command but ``train`` does with the models and files of each kind of examples."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from benchmarks import what_works
from hardlimit.classifiers.model.ask import CLUSTER, MEMORY, Ask
from hardlimit.classifiers.model.conflicts_of_commands import COMMANDS as TABLE

from . import matrix
from .matrix import OF_TWO, PAGE, Done


@dataclass(frozen=True)
class Command:
    """What is asked of the program.

    words : {model}, {file} and {row} stand for those of the kind.
    beside : the command that this one is compared with; what they print or write must differ.
    before : a command that is run first.
    codes : with which it may end.    given : whether the file is standard input.
    needs : a package that is not always installed.
    """

    words: str
    beside: str = ""
    before: str = ""
    codes: tuple[int, ...] = (0,)
    given: bool = False
    needs: str = ""


CORRECTED = "correct {model} --label {other} {row}"
PREDICT, EVALUATE = "predict {model} {file}", "evaluate {model} {file}"
EXPLAIN, REPORT = "explain {model} {row}", "report {model} {file} -o out.html"
TUNE = "tune {file} {named} -o out --epochs 1,2 --folds 2"
CERTIFY = "certify {file} {named} {features} --seconds 1 -o out.json"
COMMANDS = {
    "predict": Command(PREDICT),
    "predict --json": Command(PREDICT + " --json", PREDICT),
    "predict --scores": Command(PREDICT + " --scores", PREDICT),
    "predict --probability": Command(PREDICT + " --probability", PREDICT),
    "predict --min-probability": Command(PREDICT + " --min-probability 0.99", PREDICT),
    "predict --top": Command(PREDICT + " --top 2", PREDICT),
    "predict --threshold": Command(PREDICT + " --threshold 9", PREDICT),
    "predict --explain": Command(PREDICT + " --explain 2", PREDICT),
    "predict --exit-status": Command("predict {model} {one} --exit-status {status}", codes=(0, 1)),
    "predict -o": Command(PREDICT + " -o out.csv", PREDICT),
    "predict --cluster": Command(PREDICT + " --cluster threads:1 --progress json -o out", PREDICT),
    "predict --live": Command(PREDICT + " --live", PREDICT + " --json", CORRECTED),
    "predict --skip-bad": Command("predict {model} {kind}-bad.csv --skip-bad", PREDICT + " --json"),
    "predict two files": Command(PREDICT + " {kind}-more.csv", PREDICT),
    "predict standard input": Command("predict {model} - {format}", given=True),
    "evaluate": Command(EVALUATE),
    "evaluate --json": Command(EVALUATE + " --json", EVALUATE),
    "evaluate --positive": Command(EVALUATE + " --positive bad", EVALUATE),
    "evaluate --min-probability": Command(EVALUATE + " --min-probability 0.9", EVALUATE),
    "evaluate --threshold": Command(EVALUATE + " --threshold 9", EVALUATE),
    "evaluate --all-classes": Command(EVALUATE + " --all-classes"),
    "evaluate --cluster": Command(EVALUATE + " --cluster threads:1 --progress json"),
    "evaluate --live": Command(EVALUATE + " --live", EVALUATE + " --json", CORRECTED),
    "evaluate --skip-bad": Command("evaluate {model} {kind}-bad.csv --skip-bad"),
    "evaluate two files": Command(EVALUATE + " {kind}-more.csv", EVALUATE),
    "evaluate standard input": Command("evaluate {model} - {format}", given=True),
    "explain": Command(EXPLAIN),
    "explain --json": Command(EXPLAIN + " --json", EXPLAIN),
    "explain --top": Command(EXPLAIN + " --top 1", EXPLAIN),
    "explain --label": Command(EXPLAIN + " --label {label}"),
    "explain --against": Command(EXPLAIN + " --against {other}"),
    "explain --threshold": Command(EXPLAIN + " --threshold 9", EXPLAIN),
    "explain --row": Command("explain {model} {file} --row 2"),
    "explain --html": Command(EXPLAIN + " --html out.html", EXPLAIN),
    "explain --terms": Command(EXPLAIN + " --terms"),
    "report": Command(REPORT),
    "report --positive": Command(REPORT + " --positive bad", REPORT),
    "report --threshold": Command(REPORT + " --threshold 9", REPORT),
    "report --train": Command(REPORT + " --train {kind}-more.csv", REPORT),
    "report --live": Command(REPORT + " --live", EVALUATE, CORRECTED),
    "tune": Command(TUNE),
    "tune --scoring": Command(TUNE + " --scoring macro-f1", TUNE),
    "tune --nested": Command(TUNE + " --nested", TUNE),
    "inspect": Command("inspect {model}"),
    "inspect --json": Command("inspect {model} --json", "inspect {model}"),
    "inspect --distances": Command("inspect {model} --distances {file}", "inspect {model}"),
    "export": Command("export {model} -o out.onnx", needs="onnx"),
    "diff": Command("diff {model} {kind}-later"),
    "diff corrections": Command("diff {model}", before=CORRECTED),
    "certify": Command(CERTIFY, codes=(0, 3)),
    "correct": Command(CORRECTED),
    "correct --file": Command("correct {model} --file {one}"),
    "confirm": Command("confirm {model} {row}"),
    "status": Command("status {model}", before=CORRECTED),
    "why": Command("why {model} {row}", before=CORRECTED),
    "undo": Command("undo {model}", before=CORRECTED),
    "log": Command("log {model}", before=CORRECTED),
    "bake": Command("bake {model} -o out", before=CORRECTED),
}
ROWS = dict.fromkeys("ts", "win a cash prize") | {
    "c": '{"subject": "win", "body": "a cash prize"}',
    "b": '{"age": 40, "city": "x", "notes": "win a cash prize"}',
    "n": "1.5,0,2",
    "m": "1.5,0,2",
    "k": "1.5,0,2",
}


def write_files(folder: Path) -> None:
    """Write the files of each kind, one row of each, and two models."""
    matrix.write_files(folder)
    for kind in OF_TWO:
        matrix.write_rows(folder / f"{kind}-one.csv", kind, matrix.make_rows(kind)[:1])
        for name, words in (("model", "--probability"), ("later", "--probability --epochs 3")):
            done = matrix.train("memory", kind, words, "{kind}.csv", f"{kind}-{name}")
            assert done.code == 0, done.sentence


# Every command on corrections opens the live model, as `correct` does.
LIVE = {name for name, one in COMMANDS.items() if one.before and "--live" not in name}
LIVE |= {"correct", "correct --file", "confirm"}
# What the program refuses before its table of conflicts is asked: commands, kinds, and words of it.
REFUSALS = [
    (("export",), "b", ("ONNX has no operators for texts", "use the model file itself")),
    (("certify",), "k", ("No such option '--kernel'",)),
]


def ask(name: str, kind: str) -> Ask:
    """Return what is asked of the table of conflicts in a cell."""
    command, *words = name.split()
    asked = {word.strip("-").replace("-", "_") for word in words if word.startswith("--")}
    asked |= {"output"} if "-o" in COMMANDS[name].words and command == "predict" else set()
    features, targets = what_works.KINDS[PAGE[kind]]
    return Ask(
        command="correct" if name in LIVE else command,
        features=features,
        targets=targets,
        way=CLUSTER if "cluster" in asked else MEMORY,
        asked=frozenset(asked),
    )


def refusals(name: str, kind: str) -> list[tuple[str, ...]]:
    """Return words of the reason and of the mend for all that refuses a cell; none: it works."""
    asked = ask(name, kind)
    found = [matrix.said_of(row, asked) for row in TABLE if row.applies(asked)]
    return found + [words for names, kinds, words in REFUSALS if name in names and kind in kinds]


def run(words: str, kind: str, given: bool = False) -> tuple[Done, bytes]:
    """Run a command; return what was said, and what it wrote."""
    values = {
        "model": "live",
        "file": f"{kind}.csv",
        "one": f"{kind}-one.csv",
        "kind": kind,
        "label": "p" if kind == "m" else "good",
        "status": "p=1" if kind == "m" else "good",
        "other": "q" if kind == "m" else "odd" if kind == "s" else "bad",
    }
    asked: list[str] = []
    for word in words.split():
        if word == "{row}":
            asked.append(ROWS[kind])
        elif word == "{named}":
            asked += matrix.NAMED[kind]
        elif word == "{features}":
            asked += ["--features", matrix.LEARNT] if kind in "tc" else []
        elif word == "{format}":
            asked += ["--format", matrix.FORMATS.get(kind, "csv")]
        else:
            asked.append(word.format(**values))
    for path in Path().glob("out*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = matrix.run(*asked, given=f"{kind}.csv" if given else None)
    written = b"".join(path.read_bytes() for path in sorted(Path().glob("out*")) if path.is_file())
    return done, written


def renew(kind: str) -> None:
    """Put the model without corrections in its place."""
    for path in Path().glob("live*"):
        path.unlink()
    shutil.copy(f"{kind}-model", "live")
