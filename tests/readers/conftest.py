import io
import sys
import time
from pathlib import Path

import pytest


@pytest.fixture
def stdin(monkeypatch):
    """Give bytes on standard input."""

    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


@pytest.fixture
def write(tmp_path):
    """Write a small file and return its path."""

    def make(name: str, data: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return make


@pytest.fixture(scope="session")
def shared(data_folder):
    """Find a file of the shared data sets, or skip."""

    def find(name: str) -> Path:
        path = data_folder / name
        if not path.exists():
            pytest.skip(f"{path} is not there")
        return path

    return find


@pytest.fixture(scope="session")
def growth():
    """Measure how many times longer a function takes for an input eight times as long.

    By processor time, the best of some runs; what takes less than two milliseconds counts as two.
    """

    def measure(run, make, n, runs=3):
        def seconds(given):
            best = float("inf")
            for _ in range(runs):
                start = time.process_time()
                run(given)
                best = min(best, time.process_time() - start)
                if best > 2:
                    break
            return max(best, 0.002)

        small, large = make(n), make(8 * n)
        return seconds(large) / seconds(small)

    return measure
