"""The service over loopback: predictions a second while another client corrects, nothing lost.

Service and load are two processes that share the cores of the machine. The load keeps eight
connections open and asks as fast as it is answered; a third process corrects 20 times a second, and
what it was told is compared with the ledger afterwards.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from benchmarks.contestants import need
from benchmarks.corpora import load
from benchmarks.harness import Figure, Settings, format_seconds

TITLE = "The service over loopback, text messages, while a client corrects 20 times a second"
CORPUS, BATCH, A_SECOND, CONNECTIONS = "sms_spam", 100, 20, 8


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield requests and texts a second, the slowest hundredth, and entries that were lost."""
    import hardlimit as hl

    for package in ("fastapi", "uvicorn", "prometheus_client"):
        need(package)
    corpus = load(CORPUS)
    seconds = 2.0 if settings.quick else 12.0
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "sms.hardlimit")
        hl.TextClassifier().fit(corpus.texts, corpus.labels).save(model)
        texts = os.path.join(folder, "texts.json")
        with open(texts, "w", encoding="utf-8") as file:
            json.dump(list(corpus.texts), file)
        service, port = start(model)
        try:
            single, first = measure(port, texts, seconds, 1)
            many, second = measure(port, texts, seconds, BATCH)
        finally:
            service.terminate()
            code = service.wait(30)
        if code:
            raise RuntimeError(f"the service ended with {code}")
        acknowledged = [*first["acknowledged"], *second["acknowledged"]]
        with hl.open_live(model) as live:
            kept = {entry.id for entry in live.log()}
            live.verify()
    yield Figure(
        "single predictions a second",
        single["per_second"],
        unit="a second",
        target=2000,
        ours=f"half of them within {format_seconds(single['p50'])}",
    )
    yield Figure(
        "99 of 100 single predictions within",
        single["p99"] * 1000,
        unit="ms",
        target=20,
        sense="<=",
        ours=f"the longest {format_seconds(single['longest'])}",
    )
    yield Figure(
        f"texts a second in batches of {BATCH}",
        many["per_second"] * BATCH,
        unit="a second",
        target=20_000,
        ours=f"99 of 100 batches within {format_seconds(many['p99'])}",
    )
    lost = len(set(acknowledged) - kept)
    yield Figure(
        "acknowledged corrections that were lost",
        lost,
        unit="entries",
        target=0,
        sense="<=",
        ours=f"of {len(acknowledged)}, half of them within {format_seconds(first['p50'])}",
        remark=f"{len(acknowledged) / (first['seconds'] + second['seconds']):.0f} a second",
    )


def start(model: str) -> tuple[subprocess.Popen[str], int]:
    """Start a service; return it and its port."""
    command = [sys.executable, "-m", "hardlimit", "serve", model, "--port", "0"]
    with open(f"{model}.log", "w", encoding="utf-8") as log:
        service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert service.stdout is not None
    found = re.search(r"answers at http://127.0.0.1:(\d+)", service.stdout.readline())
    if found is None:
        with open(f"{model}.log", encoding="utf-8") as lines:
            raise RuntimeError(lines.read())
    return service, int(found[1])


def measure(port: int, texts: str, seconds: float, batch: int) -> tuple[Any, Any]:
    """Make predictions and corrections at the same time; return what both clients say."""
    module = [sys.executable, "-m", "benchmarks.http_load", str(port), texts]
    shared = ["--seconds", str(seconds)]
    words = ["--connections", str(CONNECTIONS), "--batch", str(batch)]
    corrects = subprocess.Popen(
        [*module, *shared, "--correct", str(A_SECOND)], stdout=subprocess.PIPE, text=True
    )
    predicts = subprocess.run(
        [*module, *shared, *words], stdout=subprocess.PIPE, text=True, check=True, timeout=120
    )
    told, _ = corrects.communicate(timeout=120)
    return json.loads(predicts.stdout), json.loads(told)
