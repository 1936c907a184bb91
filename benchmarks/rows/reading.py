"""Reading files of numbers: svmlight beside scikit-learn's `load_svmlight_file`.

Each file is unpacked and repeated to about 30 MB, so that neither side waits for a disk or a
decompressor; both read the same bytes and must find the same numbers.
"""

from __future__ import annotations

import bz2
import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.contestants import need
from benchmarks.corpora import data_folder
from benchmarks.harness import Figure, Settings, format_seconds, time_by_turns

TITLE = "Reading files of numbers"
FILES = ("sector.t.scale.bz2", "a9a.gz", "letter.scale.t.gz")
SIZE = 30_000_000


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the time of each file, ours and theirs."""
    need("sklearn.datasets")
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            packed = data_folder() / "libsvm" / name
            if not packed.exists():
                skipped.append(f"{packed.name} is not there")
                continue
            path = Path(folder, packed.stem)
            path.write_bytes(repeat(packed, SIZE // 10 if settings.quick else SIZE))
            yield compare(path, settings)


def repeat(packed: Path, size: int) -> bytes:
    """Return the file's text so often that it has about this size."""
    with (bz2 if packed.suffix == ".bz2" else gzip).open(packed) as file:
        text = file.read()
    return text * max(1, size // len(text))


def compare(path: Path, settings: Settings) -> Figure:
    """Time both readers on one file."""
    from sklearn.datasets import load_svmlight_file

    from hardlimit.readers import load_numbers

    ours, (theirs, _) = load_numbers(path).X, load_svmlight_file(str(path))
    for part in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(ours, part), getattr(theirs, part))
    work = {"ours": lambda: load_numbers(path), "theirs": lambda: load_svmlight_file(str(path))}
    times = time_by_turns(work, max(3, settings.repetitions))
    size = path.stat().st_size / 1e6
    return Figure(
        f"svmlight: {path.name}, {size:.0f} MB",
        times.ratio("theirs", "ours"),
        target=5,
        ours=f"{format_seconds(times.median('ours'))}, {size / times.median('ours'):.0f} MB/s",
        theirs=f"load_svmlight_file {format_seconds(times.median('theirs'))}",
    )
