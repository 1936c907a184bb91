"""The committed stub describes the compiled module as it is; `make stubs` renews it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow  # `make check` runs it
def test_the_committed_stub_is_current(tmp_path):
    pytest.importorskip("nanobind", reason="nanobind makes the stub")
    made = tmp_path / "_native.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "hardlimit._native"]
    patterns = ROOT / "native" / "stub_patterns.txt"
    subprocess.run([*command, "-p", str(patterns), "-o", str(made)], check=True)
    committed = ROOT / "src" / "hardlimit" / "_native.pyi"
    # As syntax trees: spaces and comments may differ between releases of nanobind.
    assert ast.unparse(ast.parse(committed.read_text())) == ast.unparse(
        ast.parse(made.read_text())
    ), "run `make stubs` and commit src/hardlimit/_native.pyi"
