"""The temporary file is ours: tests/model_file/test_writing.py looks at all the rest."""

import os

import pytest

from hardlimit.exceptions import FileError
from hardlimit.foundation.atomic_file import replacing


def test_a_link_that_is_put_in_the_way_is_not_followed(tmp_path, monkeypatch):
    """Somebody guesses the name of the temporary file and puts a link to another file there."""
    victim, target, opened = tmp_path / "victim", tmp_path / "out", os.open
    victim.write_text("precious")

    def late(path, flags, *more, **named):
        if flags & os.O_CREAT and not os.path.lexists(path):
            os.symlink(victim, path)
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(FileError, match="exists"), replacing(target) as temporary:
        with open(temporary, "w") as file:
            file.write("new")
    assert victim.read_text() == "precious" and not target.exists()
