"""Mixed tables from file to model: numbers, categories and texts, with values that are missing.

Beside it scikit-learn's ColumnTransformer of StandardScaler, OneHotEncoder and TfidfVectorizer (for
missing numbers SimpleImputer with its indicator) before LinearSVC, SGDClassifier and
LogisticRegression, with the table from pandas. The kinds of the columns are told by our reader and
given to theirs. Every fifth row is held out; exact duplicates are dropped before.
"""

from __future__ import annotations

import csv
import hashlib
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import uci
from benchmarks.contestants import need
from benchmarks.corpora import Missing, data_folder
from benchmarks.harness import Figure, Settings, format_seconds, time_by_turns

TITLE = "Mixed tables"
SETS = ("adult", "crx", "vote", "kr-vs-kp", "mails with headers")
QUICK = ("crx", "vote")
LABEL = "label"
_LONGEST = 20_000  # characters of a mail


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield accuracy and time of each table, ours and theirs."""
    need("sklearn.compose")
    need("pandas")
    for name in QUICK if settings.quick else SETS:
        try:
            rows = read_mails() if name == SETS[-1] else read_uci(name)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        with tempfile.TemporaryDirectory() as folder:
            yield from compare(name, rows, Path(folder), settings)


def read_uci(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the UCI tables."""
    table = uci.load(name)
    pairs = zip(table.rows, table.labels, strict=True)
    return [{**{f"c{k}": v for k, v in enumerate(row)}, LABEL: label} for row, label in pairs]


def read_mails() -> list[dict[str, str]]:
    """Return the mails of SpamAssassin with some of their headers as columns."""
    found = sorted((data_folder() / "spamassassin").glob("*.tar.xz"))
    if not found:
        raise Missing(
            "spamassassin is not there (HARDLIMIT_DATA names the folder of the data sets)"
        )
    rows = []
    with tarfile.open(found[0]) as archive:
        for member in archive:
            if member.isfile() and re.search(r"(ham|spam)-\d/", member.name):
                text = archive.extractfile(member).read().decode("latin-1")  # type: ignore[union-attr]
                rows.append((hashlib.sha1(member.name.encode()).hexdigest(), member.name, text))
    return [_columns_of(name, text) for _, name, text in sorted(rows)]


def _columns_of(name: str, text: str) -> dict[str, str]:
    head, _, body = text.replace("\0", "").partition("\n\n")
    lines = re.sub(r"\n[ \t]+", " ", head).split("\n")
    headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines)}
    date = headers.get("date", "")
    hour, zone = re.search(r"(\d\d):\d\d", date), re.search(r"[+-]\d{4}", date)
    return {
        "subject": headers.get("subject", ""),
        "body": re.sub(r"<[^>]*>", " ", body)[:_LONGEST],
        "size": str(len(text)),
        "hour": hour[1] if hour else "",
        "zone": zone[0] if zone else "",
        "content": headers.get("content-type", "").split(";")[0].strip().lower(),
        LABEL: "spam" if "spam-" in name else "ham",
    }


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as CSV."""
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def compare(
    name: str, rows: list[dict[str, str]], folder: Path, settings: Settings
) -> Iterator[Figure]:
    """Yield the figures of one table."""
    write(folder / "train.csv", [row for place, row in enumerate(rows) if place % 5])
    write(folder / "test.csv", rows[::5])
    kinds = train_ours(folder).kinds_
    work: dict[str, Callable[[], Any]] = {"ours": lambda: train_ours(folder)}
    for peer in peers():
        work[peer] = lambda peer=peer: train_theirs(folder, peer, kinds)  # type: ignore[misc]
    scores = {own: score(folder, train(), own == "ours", kinds) for own, train in work.items()}
    times = time_by_turns(work, 1 if settings.quick else settings.repetitions)
    best = max((peer for peer in scores if peer != "ours"), key=scores.__getitem__)
    said = "; ".join(
        f"{peer} {scores[peer]:.4f}, {format_seconds(times.median(peer))}"
        for peer in scores
        if peer != "ours"
    )
    ours = f"{scores['ours']:.4f}, {format_seconds(times.median('ours'))}"
    yield Figure(
        f"{name}, {len(rows):,} rows: accuracy less the best of theirs",
        scores["ours"] - scores[best],
        unit="",
        target=-0.005,
        ours=ours,
        theirs=said,
    )
    fastest = min((peer for peer in scores if peer != "ours"), key=times.median)
    yield Figure(
        f"{name}: time from file to model beside the fastest of theirs",
        times.ratio(fastest, "ours"),
        target=1,
        ours=ours,
        theirs=f"{fastest} {format_seconds(times.median(fastest))}",
    )


def _read_ours(path: Path, names: tuple[str, ...] | None = None) -> Any:
    from hardlimit.cli.labelled_rows import read
    from hardlimit.examples.of_rows import gather_columns
    from hardlimit.readers import Layout
    from hardlimit.sources.files import WordFiles

    layout = Layout(format="csv", label=LABEL, table=True)
    return read(WordFiles(str(path), layout, gather_columns(names)))


def train_ours(folder: Path) -> Any:
    """Train as ``hardlimit train`` does; the kinds of columns are told by their values."""
    from hardlimit import TableClassifier

    data = _read_ours(folder / "train.csv")
    texts = ["subject"] if "subject" in data.examples.names else None
    clf = TableClassifier(missing="mean", text_columns=texts)
    return clf.fit(data.examples, data.labels)


def peers() -> dict[str, Any]:
    """Return the linear classifiers that stand behind a ColumnTransformer."""
    from sklearn.linear_model import LogisticRegression, SGDClassifier
    from sklearn.svm import LinearSVC

    return {
        "LinearSVC": LinearSVC(),
        "SGDClassifier(average)": SGDClassifier(average=True, random_state=0),
        "LogisticRegression": LogisticRegression(max_iter=1000),
    }


def read_theirs(path: Path, kinds: dict[str, str]) -> tuple[Any, Any]:
    """Return the table and its labels as pandas reads them."""
    import pandas as pd

    types = {name: float if kind == "number" else str for name, kind in kinds.items()}
    missing = {name: ["?", ""] for name, kind in kinds.items() if kind == "number"}
    frame = pd.read_csv(path, dtype={**types, LABEL: str}, na_values=missing, keep_default_na=False)
    return frame, frame.pop(LABEL)


def train_theirs(folder: Path, peer: str, kinds: dict[str, str]) -> Any:
    """Train a pipeline of scikit-learn."""
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    X, y = read_theirs(folder / "train.csv", kinds)
    named = {
        kind: [name for name, found in kinds.items() if found == kind]
        for kind in ("number", "category", "text")
    }
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    parts = [
        ("number", numbers, named["number"]),
        ("category", OneHotEncoder(handle_unknown="ignore"), named["category"]),
        *(
            (name, TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), name)
            for name in named["text"]
        ),
    ]  # fmt: skip
    return make_pipeline(ColumnTransformer(parts), peers()[peer]).fit(X, y)


def score(folder: Path, model: Any, is_ours: bool, kinds: dict[str, str]) -> float:
    """Return the accuracy on the held-out rows."""
    if is_ours:
        data = _read_ours(folder / "test.csv", tuple(kinds))
        return float(model.score(data.examples, data.labels))
    return float(model.score(*read_theirs(folder / "test.csv", kinds)))
