"""The checker of docs/proof-format.md, which knows nothing of the package, agrees with ours."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hardlimit import certify
from hardlimit.certificates import save_proofs

PAGE = Path(__file__).parents[2] / "docs" / "proof-format.md"


@pytest.fixture
def checked(tmp_path):
    program = tmp_path / "check.py"
    text = PAGE.read_text()
    program.write_text(re.search(r":caption: check.py\n\n(.*?)```", text, re.S)[1])

    def run(*paths):
        words = [sys.executable, str(program), *map(str, paths)]
        return subprocess.run(words, capture_output=True, text=True)

    return run


def written(folder, X, y):
    with open(folder / "data.csv", "w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow([*(f"x{j}" for j in range(X.shape[1])), "class"])
        out.writerows([*map(repr, row), label] for row, label in zip(X.tolist(), y, strict=True))
    return folder / "data.csv"


@pytest.mark.parametrize("kind", ["separable", "not separable", "undecided"])
@pytest.mark.parametrize("bias", [None, 0.1])
def test_it_accepts_what_holds_and_refuses_what_does_not(kind, bias, tmp_path, checked):
    generator = np.random.default_rng(len(kind))
    X = generator.standard_normal((30, 4))
    y = np.where(X[:, 0] > 0, "b", "a")
    X[:, 0] += np.sign(X[:, 0]) / 4
    if kind != "separable":
        y[:3] = "b"
        y[3:6] = "a"
    intercept = {"fit_intercept": False} if bias is None else {"bias_feature": bias}
    seconds = {"seconds": 1e-9} if kind == "undecided" else {}
    verdict = certify(X, y, **intercept, **seconds)
    assert verdict.verdict == kind
    proof = tmp_path / "proof.json"
    save_proofs([verdict], proof)
    data = written(tmp_path, X, y)
    done = checked(proof, data)
    assert done.stdout == f"b against the others: {kind} holds\n", done.stderr
    document = json.loads(proof.read_text())
    if kind == "not separable":
        multipliers = document["proofs"][0]["multipliers"]
        multipliers[next(iter(multipliers))] = "123456789012345678"
    else:
        document["proofs"][0]["margin"][1] = "0x1.0p-50"
    proof.write_text(json.dumps(document))
    assert "AssertionError" in checked(proof, data).stderr
    y[0] = "a" if y[0] == "b" else "b"
    assert "other data" in checked(proof, written(tmp_path, X, y)).stderr


def test_it_is_short():
    program = re.search(r":caption: check.py\n\n(.*?)```", PAGE.read_text(), re.S)[1]
    assert len([line for line in program.splitlines() if line.strip()]) <= 42
