"""Two trainings of one model at once: the second waits, and learns on from what the first saved."""

import shutil
import subprocess
import sys

HEAD = "label\ttext\n"
FIRST = HEAD + "spam\twin a prize now\nham\tlunch at noon\n" * 3
SECOND = HEAD + "ham\tmeeting at home\nspam\tfree cash now\n" * 3


def test_the_work_of_neither_is_lost(hardlimit, tmp_path):
    a, b, alone, model = (tmp_path / name for name in ("a.tsv", "b.tsv", "alone", "m"))
    a.write_text(FIRST)
    b.write_text(SECOND)
    assert hardlimit("train", a, "-o", alone).returncode == 0
    shutil.copy(alone, model)
    # One after the other, for comparison.
    earlier = ("--train-from", alone, "-o", alone)
    assert hardlimit("train", "-", *earlier, given=FIRST).returncode == 0
    assert hardlimit("train", b, *earlier).returncode == 0

    # The first reads from a pipe, and holds the model until that ends.
    command = [sys.executable, "-m", "hardlimit", "train", "-", "--train-from", model, "-o", model]
    first = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / ".m.lock").exists():
        assert first.poll() is None, first.stderr.read()
    command[4] = b
    second = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    assert "is being trained by another process; waiting" in second.stderr.readline()
    with first, second:
        first.stdin.write(FIRST)
        first.stdin.close()
        assert (first.wait(60), second.wait(60)) == (0, 0)
    assert not (tmp_path / ".m.lock").exists()
    assert model.read_bytes() == alone.read_bytes()
