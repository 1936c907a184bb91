"""Fuzz one target, or all in turn: ``python -m fuzz.run [TARGET ...] [--seconds 60]``.

What was learnt goes on in ``build/fuzz/TARGET``; a find is written there as ``find-*``, and the run
ends with 1. ``python -m fuzz.run TARGET --input FILE`` runs one input.
"""

import argparse
import importlib
import subprocess
import sys
from pathlib import Path

from fuzz.harness import HERE, corpus, instrument

TARGETS = (
    "readers",
    "model_files",
    "containers",
    "proofs",
    "texts",
    "mail",
    "mailboxes",
    "tables",
    "columns",
    "workbooks",
    "caches",
    "label_sets",
    "ledger_tails",
    "bodies",
)
WORK = HERE.parent / "build" / "fuzz"


def fuzz(target: str, options: list[str]) -> None:
    """Fuzz in this process; libFuzzer never returns."""
    import atheris

    instrument()
    module = importlib.import_module(f"fuzz.{target}")
    folder = WORK / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate([*module.SEEDS, *corpus(target)]):
        (folder / f"seed-{number:04}").write_bytes(seed)
    dictionary = HERE / f"{target}.dict"
    more = [f"-dict={dictionary}"] if dictionary.exists() else []
    limits = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1"]
    prefix = f"-artifact_prefix={folder}/find-"
    atheris.Setup([sys.argv[0], str(folder), prefix, *limits, *more, *options], module.run)
    atheris.Fuzz()


def main() -> int:
    """Run each target in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=[*TARGETS])
    parser.add_argument("--seconds", type=int, default=60, help="of each target")
    parser.add_argument("--input", type=Path, help="run this input alone")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.input:
        importlib.import_module(f"fuzz.{given.targets[0]}").run(given.input.read_bytes())
        return 0
    if given.here:
        fuzz(given.targets[0], [f"-max_total_time={given.seconds}"])
    worst = 0
    for target in given.targets:
        print(f"== {target}", flush=True)
        command = [sys.executable, "-m", "fuzz.run", target, "--here"]
        done = subprocess.run([*command, "--seconds", str(given.seconds)])
        worst = worst or done.returncode
    return int(worst != 0)


if __name__ == "__main__":
    sys.exit(main())
