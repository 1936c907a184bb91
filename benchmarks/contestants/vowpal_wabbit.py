"""Vowpal Wabbit: 10 passes over 1-2-grams hashed to 2^20, its text format written first.

The words it is given are runs of word characters in lower case, as the other contestants', and the
texts are shuffled, which it does not do itself. It keeps its own habit of holding out a tenth and
stopping early on it, and parses in a second thread.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from pathlib import Path

from benchmarks.contestants import need, shuffled
from benchmarks.corpora import Corpus

TITLE = "Vowpal Wabbit"
FLAGS = "--ngram 2 -b 20"
WORDS = re.compile(r"\w\w+")


class Model:
    """A model file in a folder that is deleted with it."""

    def __init__(self, classes: list[str]) -> None:
        self.classes = classes
        self.folder = Path(tempfile.mkdtemp(prefix="vw-"))
        self.path = self.folder / "model"
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def load():
    """Import the package."""
    need("vowpalwabbit")


def fit(train, stages):
    """Write its format, and learn in 10 passes."""
    model = Model(sorted(set(train.labels)))
    folder = model.folder
    with stages("format"):
        write(folder / "train", shuffled(train), model.classes)
    with stages("fit"):
        drive(
            f"-d {folder}/train --cache_file {folder}/cache -k --passes 10 "
            f"{FLAGS} {objective(model.classes)} -f {model.path}"
        )
    return model


def predict(model, texts, stages):
    """Write its format, and read its answers."""
    with tempfile.TemporaryDirectory(prefix="vw-") as folder:
        with stages("format"), open(f"{folder}/test", "w", encoding="utf-8") as out:
            out.writelines(f"| {words(text)}\n" for text in texts)
        with stages("predict"):
            drive(f"-d {folder}/test -t -i {model.path} -p {folder}/answers")
        lines = Path(folder, "answers").read_text().splitlines()
    return [answer(line, model.classes) for line in lines]


def save(model, folder: Path) -> None:
    """Copy its model file."""
    shutil.copy(model.path, folder)


def drive(arguments: str) -> None:
    """Run one command line of ``vw`` inside this process."""
    from vowpalwabbit.pyvw import Workspace

    Workspace(arg_str=f"{arguments} --quiet").finish()


def objective(classes: list[str]) -> str:
    """Return its binary classifier, or one against all."""
    return "--loss_function hinge --binary" if len(classes) == 2 else f"--oaa {len(classes)}"


def numbers(classes: list[str]) -> dict[str, str]:
    """Return what each class is called in its format."""
    if len(classes) == 2:
        return {classes[0]: "-1", classes[1]: "1"}
    return {label: str(i + 1) for i, label in enumerate(classes)}


def words(text: str) -> str:
    """Return the words of one text with a space between."""
    return " ".join(WORDS.findall(text.lower()))


def write(path: Path, corpus: Corpus, classes: list[str]) -> None:
    """Write one ``label | words`` line a text."""
    number = numbers(classes)
    with open(path, "w", encoding="utf-8") as out:
        for text, label in zip(corpus.texts, corpus.labels, strict=True):
            out.write(f"{number[label]} | {words(text)}\n")


def answer(line: str, classes: list[str]) -> str:
    """Return the label of one line of predictions."""
    value = float(line.split()[0])
    if len(classes) == 2:
        return classes[value > 0]
    return classes[int(value) - 1]
