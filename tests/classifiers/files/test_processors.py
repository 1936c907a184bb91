"""Model files are the same bytes on every processor: those of the newest and of the oldest."""

import subprocess
import sys
from pathlib import Path

import pytest

from ...processors import OLDEST, PROCESSORS

SCRIPT = Path(__file__).with_name("drawn_models.py")


def digests(processor, *asked):
    command = [sys.executable, str(SCRIPT), *asked]
    return subprocess.Popen(
        command, env=processor.environment(), stdout=subprocess.PIPE, text=True
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "least"),
    [(["FEW"], 100), pytest.param([], 400, marks=pytest.mark.slow)],
    ids=["few", "all"],
)
def test_the_digests_of_model_files_are_those_of_the_oldest_processor(asked, least):
    reason = OLDEST.reason_against()
    if reason:
        pytest.skip(reason)
    both = [digests(processor, *asked) for processor in (PROCESSORS["own"], OLDEST)]
    here, there = (process.communicate()[0].splitlines() for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert sum(len(line.split("\t")[1]) == 64 for line in here) >= least
    assert here == there
