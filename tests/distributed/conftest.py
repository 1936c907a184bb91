"""Files of messages, and engines that run real workers."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import random
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardlimit.examples.of_rows import gather_texts

WORDS = {
    "spam": "win prize free cash offer claim now click winner urgent".split(),
    "ham": "lunch noon meeting home dinner call later see you thanks".split(),
    "list": "patch commit branch merge review build test release python".split(),
}


def messages(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Texts of three classes; some have line ends, quotes and letters beyond ASCII."""
    draw = random.Random(seed)
    found = []
    for number in range(n):
        label = draw.choice(list(WORDS))
        words = [draw.choice(WORDS[label]) for _ in range(draw.randint(3, 12))]
        words += [draw.choice(sum(WORDS.values(), [])), f"w{number % 97}"]
        text = " ".join(words)
        if number % 7 == 0:
            text = text.replace(" ", "\n", 1)
        if number % 11 == 0:
            text = f'"{text}", naïve'
        found.append((text, label))
    return found


def kill(number: int) -> None:
    """Kill a process that was begun by a test, if it is there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


def rows_of(part: Any) -> Iterator[tuple[Any, Any]]:
    """The texts and labels of a shard, or of a piece."""
    for batch in part.batches(gather_texts()):
        yield from zip(batch.examples, batch.labels, strict=True)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """A scheduler and two worker processes."""
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            host="127.0.0.1",
        )
        client = distributed.Client(cluster)
        yield client
        client.close()
        cluster.close()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A CSV with quoted line ends and a file of JSON Lines."""
    rows = messages(400)
    table, lines = tmp_path / "a.csv", tmp_path / "b.jsonl"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *rows[:250]])
    with lines.open("w", encoding="utf-8") as file:
        for text, label in rows[250:]:
            file.write(json.dumps({"label": label, "text": text}) + "\n")
    return [str(table), str(lines)]
