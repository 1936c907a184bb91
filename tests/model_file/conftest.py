import runpy
from pathlib import Path

import numpy as np
import pytest

from hardlimit import model_file

HEADER = {"kind": "example", "labels": ["ham", "späm", 3, 0.1, True, None], "nested": {"a": [{}]}}


@pytest.fixture
def tensors():
    return {
        "answer.weights": np.arange(12, dtype=np.float32).reshape(3, 4),
        "answer.terms": b"win a prize",
        "answer.empty": np.zeros((0, 4), dtype=np.int64),
        "state.theta": np.linspace(0, 1, 5),
    }


@pytest.fixture
def model_path(tmp_path, tensors):
    path = tmp_path / "model.hardlimit"
    model_file.write(path, HEADER, tensors)
    return path


@pytest.fixture(scope="session")
def hostile():
    """The module that forges hostile files, as a dict."""
    return runpy.run_path(str(Path(__file__).parents[1] / "hostile" / "model_files.py"))
