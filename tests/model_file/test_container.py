"""The container is the one that the safetensors library writes, and is written in pieces."""

import numpy as np
import pytest
import safetensors.numpy

from hardlimit.model_file import container
from hardlimit.model_file.writing import CODES

TEXTS = ["", 'a "quoted" \\ path', "\n\t\x00\x1f\x7f\b\f\r/", "\\u00e9 é <&>", "{" * 9]


def written(path, arrays, metadata):
    tensors = {name: (CODES[array.dtype.name], array) for name, array in arrays.items()}
    container.write_container(path, tensors, metadata)
    return path.read_bytes()


@pytest.mark.parametrize("text", TEXTS)
def test_the_bytes_are_those_of_the_library(tmp_path, text):
    arrays = {f"state.{dtype}": np.arange(3).astype(dtype) for dtype in CODES}
    arrays |= {"answer.b": np.ones((2, 0, 3), np.float32), "answer.a": np.array(7, np.int64)}
    arrays["answer.Z-1"] = np.arange(5, dtype=np.uint8)
    library = safetensors.numpy.save(arrays, {"hardlimit": text})
    assert written(tmp_path / "m", arrays, {"hardlimit": text}) == library
    turned = dict(reversed(arrays.items()))
    assert written(tmp_path / "m", turned, {"hardlimit": text}) == library


def test_large_tensors_are_written_in_pieces(tmp_path, monkeypatch):
    arrays = {"answer.x": np.arange(1000), "answer.y": np.arange(7, dtype=np.uint8)}
    whole = written(tmp_path / "whole", arrays, {"hardlimit": "x"})
    monkeypatch.setattr(container, "PIECE", 64)
    assert written(tmp_path / "pieces", arrays, {"hardlimit": "x"}) == whole


def test_the_system_may_take_less_than_it_is_given():
    class Slow:
        taken = b""

        def write(self, piece):
            self.taken += bytes(piece[:3])
            return min(3, len(piece))

    file = Slow()
    container._write(file, np.arange(20, dtype=np.uint8))
    assert file.taken == bytes(range(20))


def test_an_interrupt_ends_between_two_pieces(monkeypatch):
    monkeypatch.setattr(container, "PIECE", 10)
    taken = []

    class Interrupted:
        def write(self, piece):
            taken.append(len(piece))
            if len(taken) == 3:
                raise KeyboardInterrupt
            return len(piece)

    with pytest.raises(KeyboardInterrupt):
        container._write(Interrupted(), bytes(1000))
    assert taken == [10, 10, 10]
