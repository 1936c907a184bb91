"""Vowpal Wabbit: 10 passes over 1-2-grams hashed to 2^20, its text format written first.

The words it is given are runs of word characters in lower case, as the other contestants'. It keeps
its own habit of holding out a tenth and stopping early on it, and parses in a second thread.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from benchmarks.contestants import need

TITLE = "Vowpal Wabbit"
WORDS = re.compile(r"\w\w+")


def load():
    """Import the package."""
    need("vowpalwabbit")


def run(train, test, stages):
    """Write its format, learn in 10 passes, predict."""
    classes = sorted(set(train.labels))
    with tempfile.TemporaryDirectory(prefix="vw-") as name:
        folder = Path(name)
        with stages("format"):
            write(folder / "train", train, classes)
            write(folder / "test", test, classes)
        with stages("fit"):
            drive(
                f"-d {folder}/train --cache_file {folder}/cache -k --passes 10 "
                f"--ngram 2 -b 20 {objective(classes)} -f {folder}/model"
            )
        with stages("predict"):
            drive(f"-d {folder}/test -t -i {folder}/model -p {folder}/answers")
        return [answer(line, classes) for line in (folder / "answers").read_text().splitlines()]


def drive(arguments: str) -> None:
    """Run one command line of ``vw`` inside this process."""
    from vowpalwabbit.pyvw import Workspace

    Workspace(arg_str=f"{arguments} --quiet").finish()


def objective(classes: list[str]) -> str:
    """Return its binary classifier, or one against all."""
    return "--loss_function hinge --binary" if len(classes) == 2 else f"--oaa {len(classes)}"


def write(path: Path, corpus, classes: list[str]) -> None:
    """Write one ``label | words`` line a text."""
    number = {label: str(i + 1) for i, label in enumerate(classes)}
    if len(classes) == 2:
        number = {classes[0]: "-1", classes[1]: "1"}
    with open(path, "w", encoding="utf-8") as out:
        for text, label in zip(corpus.texts, corpus.labels, strict=True):
            out.write(f"{number[label]} | {' '.join(WORDS.findall(text.lower()))}\n")


def answer(line: str, classes: list[str]) -> str:
    """Return the label of one line of predictions."""
    value = float(line.split()[0])
    if len(classes) == 2:
        return classes[value > 0]
    return classes[int(value) - 1]
