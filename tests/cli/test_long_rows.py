"""Small files that unpack to much: a stream keeps to the memory that its note says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardlimit.classifiers.fitting.streamed import texts as streamed
from hardlimit.cli import main
from hardlimit.readers import arff, arrow_slices, numeric_csv
from hardlimit.sources import reading

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

N = 3000
# Trains in a process of its own, and prints the most memory that it had.
TRAIN = """
import resource, sys
from hardlimit.cli import main
if int(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
code = main(sys.argv[2:])
peak = [line.split() for line in open("/proc/self/status") if line.startswith("VmHWM")]
print("peak", int(peak[0][1]) * 1024)
sys.exit(code)
"""


def make_bomb(path, n):
    """One text of 1 MB, which is mostly blank, in every row."""
    text = "win a prize" + " " * 1_000_000
    texts = arrow.DictionaryArray.from_arrays(arrow.array([0] * n, arrow.int32()), [text])
    table = arrow.table({"text": texts, "label": ["ham", "spam"] * (n // 2)})
    parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 4000
    return str(path)


def train(limit, *words):
    words = [sys.executable, "-c", TRAIN, str(limit), "train", *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=100)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize("more", [(), ("--features", "hash=16,idf=smooth", "--epochs", "2")])
def test_a_stream_keeps_to_its_note(more, tmp_path):
    path, model = make_bomb(tmp_path / "a.parquet", 600), tmp_path / "m"
    run = train(0, path, "--stream", *more, "-o", str(model))
    assert run.returncode == 0 and model.exists(), run.stderr
    said = float(re.search(r"memory at most about ([\d.]+) MB", run.stderr)[1])
    assert int(run.stdout.rpartition("peak ")[2]) < said * 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="of address space Linux alone sets limits")
def test_what_memory_cannot_hold_is_refused_while_it_is_read(tmp_path):
    path, model = make_bomb(tmp_path / "a.parquet", 200_000), tmp_path / "m"
    run = train(1500 << 20, path, "-o", str(model))
    assert run.returncode == 1 and not model.exists()
    assert re.search(r"a.parquet: the rows, .* so far, .*ulimit -v.* --stream", run.stderr)
    assert run.stderr.count("\n") == 1
    assert int(run.stdout.rpartition("peak ")[2]) < 1 << 30


def rows_of_texts():
    return [("word " * (n % 50) + f"own{n % 7}", "ab"[n * n % 7 % 2]) for n in range(N)]


def write(path):
    if path.name.startswith("texts"):
        names, rows = ["text", "label"], rows_of_texts()
    else:
        names, rows = ["p", "q", "label"], [(n % 5, n % 7, n % 2) for n in range(N)]
    if path.suffix == ".parquet":
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        parquet.write_table(arrow.table(columns), path)
        return str(path)
    lines = [",".join(map(str, row)) for row in rows]
    head = [",".join(names)]
    if path.suffix == ".arff":
        head = ["@relation r", *(f"@attribute {name} real" for name in names), "@data"]
    path.write_text("\n".join([*head, *lines, ""]))
    return str(path)


@pytest.mark.parametrize(
    "name", ["texts.parquet", "texts.csv", "numbers.parquet", "numbers.csv", "numbers.arff"]
)
def test_where_blocks_are_cut_changes_no_bit(name, tmp_path, monkeypatch, capsys):
    path, models = write(tmp_path / name), []
    words = ["train", path, "--stream", "--epochs", "2", "--label", "label", "-o"]
    for bound in (None, 300):
        if bound is not None:
            monkeypatch.setattr(arrow_slices, "BATCH_BYTES", bound)
            monkeypatch.setattr(reading, "SIZE", bound)
            monkeypatch.setattr(streamed, "CHARACTERS", bound + 50)
            monkeypatch.setattr(numeric_csv, "_CELLS", bound)
            monkeypatch.setattr(arff, "_BLOCK_CELLS", bound)
        model = tmp_path / "m"
        assert main([*words, str(model)]) == 0, capsys.readouterr().err
        models.append(model.read_bytes())
        model.unlink()
    assert models[0] == models[1]
