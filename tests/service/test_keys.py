"""The file of keys."""

import json
import os
import stat

import pytest

from hardlimit.cli.commands.key import SCOPES
from hardlimit.exceptions import FileError, InputError
from hardlimit.service import keys as scopes
from hardlimit.service.keys import KeyFile


@pytest.fixture
def keys(tmp_path):
    return KeyFile(str(tmp_path / "its.keys"))


def test_only_the_digest_is_kept_and_only_the_owner_reads_it(keys):
    token = keys.add("alice", "correct")
    with open(keys.path) as file:
        assert token not in file.read()
    assert stat.S_IMODE(os.stat(keys.path).st_mode) == 0o600
    assert keys.find(token).name == "alice" and keys.find(token + "x") is None


def test_names_are_unique_and_scopes_known(keys):
    keys.add("alice", "correct")
    with pytest.raises(InputError, match="already"):
        keys.add("alice", "predict")
    with pytest.raises(InputError, match="scope"):
        keys.add("bob", "root")
    with pytest.raises(InputError, match="did you mean 'alice'"):
        keys.remove("alise")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "alice\u200b", "a" * 101, "\ud800", " a"])
def test_a_name_can_be_read(keys, name):
    with pytest.raises(InputError, match="name"):
        keys.add(name, "correct")
    assert not os.path.exists(keys.path)


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
def test_a_file_that_others_may_write_is_refused(keys):
    token = keys.add("alice", "correct")
    os.chmod(keys.path, 0o660)
    with pytest.raises(FileError, match="0660"):
        KeyFile(keys.path).find(token)


def test_a_file_that_is_gone_or_broken_opens_nothing(keys):
    token = keys.add("alice", "correct")
    assert keys.find(token)
    with open(keys.path, "w") as file:
        json.dump({"version": 1, "keys": [{"name": "x"}]}, file)
    with pytest.raises(FileError):
        keys.find(token)
    os.unlink(keys.path)
    with pytest.raises(FileError):
        keys.find(token)


def test_the_command_line_knows_all_scopes():
    assert SCOPES == scopes.SCOPES
