"""Completion in the shell: commands, options, values and files."""

from __future__ import annotations

import pytest

SETUP = "_HARDLIMIT_COMPLETE"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hardlimit tra", ["plain,train", "plain,trace"]),
        ("hardlimit trace --ord", ["plain,--order"]),
        ("hardlimit trace points.csv --order ba", ["plain,batch"]),
        ("hardlimit train po", ["file,po"]),
        ("hardlimit train po -o mo", ["file,mo"]),
        ("hardlimit predict model po", ["file,po"]),
        ("hardlimit diff model oth", ["file,oth"]),
        ("hardlimit make --classes n", []),
        ("hardlimit why model tex", []),
    ],
)
def test_a_word_is_completed(words, expected, hardlimit) -> None:
    last = str(len(words.split()) - 1)
    done = hardlimit(COMP_WORDS=words, COMP_CWORD=last, **{SETUP: "bash_complete"})
    assert sorted(done.stdout.split()) == sorted(expected), done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell, hardlimit) -> None:
    done = hardlimit(**{SETUP: f"{shell}_source"})
    assert done.returncode == 0 and f"{SETUP}={shell}_complete" in done.stdout
