"""Options that several commands share."""

import gzip

import pytest


@pytest.mark.parametrize("name", ["a.csv", "a.svm", "a.tsv.gz"])
def test_a_long_line_is_refused_until_an_option_allows_it(hardlimit, tmp_path, name):
    rows = {
        "a.csv": "text,label\nwin a prize,spam\nlunch,ham\nwin,spam\n" + "long " * 300 + ",ham\n",
        "a.svm": "1 1:1\n-1 2:1\n" + "1" + "".join(f" {i}:1" for i in range(1, 300)) + "\n",
        "a.tsv.gz": "spam\twin a prize\nham\tlunch\nspam\twin\nham\t" + "long " * 300 + "\n",
    }
    path = tmp_path / name
    path.write_bytes((gzip.compress if name.endswith(".gz") else bytes)(rows[name].encode()))
    model = tmp_path / "m.hardlimit"
    done = hardlimit("train", path, "-o", model, "--max-line", 1000)
    number = len(rows[name].splitlines())
    assert done.returncode == 2 or done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"error: {path}:{number}: a line of more than 1,000 bytes; if that is meant, say "
        "--max-line 4000"
    )
    assert hardlimit("train", path, "-o", model, "--max-line", 4000).returncode == 0
    asked = hardlimit("predict", model, path)
    assert asked.returncode == 0, "the bound of the training file is not remembered"


def test_the_bound_is_a_number_above_0(hardlimit, tmp_path):
    done = hardlimit("train", tmp_path / "a.csv", "-o", "m", "--max-line", 0)
    assert done.returncode == 2 and "--max-line" in done.stderr
