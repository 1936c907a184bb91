"""How the compiled code is built: files in groups, and nothing compiled twice."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNGROUPED = {"native/module.cpp"}  # changes with every part


def group_patterns():
    commands = (ROOT / "CMakeLists.txt").read_text().split("function(group_files")[1]
    return re.findall(r'group_files\(\w+\s+"([^"]+)"\)', commands)


def test_every_compiled_file_belongs_to_a_group():
    patterns = [re.compile(f"native/({pattern})") for pattern in group_patterns()]
    assert len(patterns) > 5
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "native").rglob("*.cpp")}
    alone = {file for file in files if not any(pattern.search(file) for pattern in patterns)}
    assert alone == UNGROUPED, "a file that stands alone compiles all of its headers again"


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_what_the_demo_compiled_is_not_compiled_for_the_tests(tmp_path):
    for name in (".made", ".installed"):
        (tmp_path / name).touch()
    command = ["make", "-n", "-C", str(ROOT), f"VENV={tmp_path}", "test"]
    planned = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 'pip install -q "hardlimit[test]"' in planned
    assert "-e ." not in planned
