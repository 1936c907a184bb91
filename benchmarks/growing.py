"""One pass over files of labelled text, by one learner.

``python -m benchmarks.growing NAME FILE...`` runs a peer in this process, and prints the seconds of
each stage as JSON. The files are CSV with the columns label and text; words and pairs of words are
hashed to 2^20 where the learner hashes. What it writes it writes into the folder of the first file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks import generated_texts
from benchmarks.contestants import Stages, need
from benchmarks.job import exit_where_missing

BITS, BATCH = 20, 1000
OURS = {
    "hardlimit train --stream": ("--stream", "--features", f"words=1-2,chars=none,hash={BITS}"),
    "hardlimit train, in memory": (),  # all terms, five epochs
}


def command(name: str, paths: list[Path]) -> list[str]:
    """Return the command line of one learner."""
    files = [str(path) for path in paths]
    if name not in OURS:
        return [sys.executable, "-m", "benchmarks.growing", name, *files]
    words = ["--text", "text", "--label", "label", "--quiet", "-o", str(paths[0].parent / "model")]
    return [sys.executable, "-m", "hardlimit", "train", *files, *words, *OURS[name]]


def vowpal_wabbit(paths: list[str], stages: Stages) -> None:
    """Write its format, then one pass with pairs of words."""
    from benchmarks.contestants import vowpal_wabbit as vw

    vw.load()
    number, written = vw.numbers(list(generated_texts.CLASSES)), _beside(paths, "data.vw")
    with stages("format"), open(written, "w", encoding="utf-8") as out:
        for label, text in generated_texts.read(paths):
            out.write(f"{number[label]} | {vw.words(text)}\n")
    with stages("fit"):
        model = _beside(paths, "model.vw")
        vw.drive(f"-d {written} {vw.FLAGS} {vw.objective(['neg', 'pos'])} -f {model}")


def sklearn_sgd(paths: list[str], stages: Stages) -> None:
    """HashingVectorizer and SGDClassifier.partial_fit, a thousand texts at a time."""
    text = need("sklearn.feature_extraction.text")
    model = need("sklearn.linear_model").SGDClassifier()
    hashed = text.HashingVectorizer(n_features=2**BITS, ngram_range=(1, 2))
    with stages("fit"):
        for batch in _batches(generated_texts.read(paths)):
            labels, texts = zip(*batch, strict=True)
            model.partial_fit(hashed.transform(texts), labels, classes=generated_texts.CLASSES)


def river(paths: list[str], stages: Stages) -> None:
    """One text after the other, every word and pair a key of its own."""
    from benchmarks.contestants import river as contestant

    contestant.load()
    model = contestant.pipeline(2)
    with stages("fit"):
        for label, text in generated_texts.read(paths):
            model.learn_one(text, label == generated_texts.CLASSES[1])


def fasttext(paths: list[str], stages: Stages) -> None:
    """Write its format, then one epoch with pairs of words, one thread."""
    from benchmarks.contestants import fasttext as contestant

    contestant.load()
    import fasttext as package

    written = _beside(paths, "data.fasttext")
    with stages("format"), open(written, "w", encoding="utf-8") as out:
        for label, text in generated_texts.read(paths):
            out.write(f"__label__{label} {contestant.words(text)}\n")
    with stages("fit"):
        package.train_supervised(str(written), epoch=1, lr=0.5, wordNgrams=2, thread=1, verbose=0)


def sklearn_linear_svc(paths: list[str], stages: Stages) -> None:
    """TfidfVectorizer and LinearSVC, which need all texts at once."""
    from benchmarks.contestants import sklearn_linear_svc as contestant
    from benchmarks.corpora import Corpus

    contestant.load()
    labels, texts = zip(*generated_texts.read(paths), strict=True)
    contestant.fit(Corpus("generated", list(texts), list(labels)), stages)


PEERS: dict[str, Callable[[list[str], Stages], None]] = {
    "Vowpal Wabbit": vowpal_wabbit,
    "HashingVectorizer + SGDClassifier.partial_fit": sklearn_sgd,
    "River": river,
    "fastText": fasttext,
    "TfidfVectorizer + LinearSVC": sklearn_linear_svc,
}


def _beside(paths: list[str], name: str) -> Path:
    return Path(paths[0]).parent / name


def _batches(rows: Iterable) -> Iterator[list]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch


if __name__ == "__main__":
    with exit_where_missing():
        stages = Stages()
        PEERS[sys.argv[1]](sys.argv[2:], stages)
        print(json.dumps(stages.seconds))
