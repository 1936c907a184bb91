import io
import sys
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
