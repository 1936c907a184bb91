"""The start of the command line, measured on whole processes.

Measured in a plain install (a wheel in a virtual environment under ``benchmarks/.cache``), because
an editable install looks for changed sources at every start.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import CACHE, HERE, Missing, load
from benchmarks.harness import (
    Figure,
    Settings,
    Times,
    format_megabytes,
    format_seconds,
    time_by_turns,
)

TITLE = "Start of the command line, whole processes"
MESSAGE = b"win a prize now\n"
REPETITIONS = 15


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the help text, one prediction, and the import."""
    folder = install()
    python, command = folder / "bin" / "python", folder / "bin" / "hardlimit"
    work = {
        "python": run(python, "-c", "pass"),
        "numpy": run(python, "-c", "import numpy"),
        "import": run(python, "-c", "import hardlimit"),
        "classifier": run(python, "-c", "import hardlimit; hardlimit.LinearClassifier"),
        "help": run(command, "--help"),
    }
    models = {}
    for name, corpus in (("small", "sms_spam"), ("large", "20newsgroups")):
        try:
            models[name] = model(corpus)
            work[name] = run(command, "predict", models[name], stdin=MESSAGE)
        except Missing as missing:
            skipped.append(str(missing))
    times = time_by_turns(work, REPETITIONS)
    yield Figure(
        "hardlimit --help",
        1000 * times.median("help"),
        "ms",
        100,
        "<=",
        remark=f"python alone {format_seconds(times.median('python'))}",
    )
    for name, path in models.items():
        yield prediction(name, path, times)
    yield Figure(
        "import hardlimit, beyond the start of Python",
        1000 * (times.median("import") - times.median("python")),
        "ms",
        theirs=f"import numpy {format_seconds(times.median('numpy') - times.median('python'))}",
    )
    yield Figure(
        "import hardlimit and LinearClassifier, beyond import numpy",
        1000 * (times.median("classifier") - times.median("numpy")),
        "ms",
        60,
        "<=",
        remark="hardlimit alone imports no numpy",
    )


def prediction(name: str, path: Path, times: Times) -> Figure:
    """Compare the prediction of one message with the import of numpy alone."""
    return Figure(
        f"hardlimit predict, one message, {name} model",
        times.ratio(name, "numpy"),
        target=1.5,
        sense="<=",
        ours=format_seconds(times.median(name)),
        theirs=f"python -c 'import numpy' {format_seconds(times.median('numpy'))}",
        remark=f"model of {format_megabytes(path.stat().st_size)}",
    )


def run(*command, stdin: bytes = b""):
    """Return a call that runs a command to its end."""
    words = [str(word) for word in command]

    def once() -> None:
        done = subprocess.run(words, input=stdin, capture_output=True, cwd="/")
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.decode()}")

    return once


def install() -> Path:
    """Build a wheel of this checkout and install it, newly each time, into its own environment."""
    folder, wheels = CACHE / "venv", CACHE / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = [sys.executable, "-m", "pip"]
    flags = ["-q", "--no-deps", "--no-build-isolation", "-w", wheels]
    subprocess.run([*pip, "wheel", *flags, HERE.parent], check=True)
    if not folder.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q"]
    wheel = next(wheels.glob("hardlimit-*.whl"))
    subprocess.run([*pip, wheel], check=True)
    subprocess.run([*pip, "--no-deps", "--force-reinstall", wheel], check=True)
    return folder


def model(corpus: str) -> Path:
    """Train on a corpus and save what prediction needs."""
    from hardlimit import TextClassifier

    train, _ = load(corpus).split()
    path = CACHE / f"{corpus}.hardlimit"
    classifier = TextClassifier().fit(train.texts, train.labels)
    classifier.save(path, training_state=False)
    return path
