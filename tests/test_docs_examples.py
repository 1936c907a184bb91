"""What the documents show runs, and gives what they say it gives.

A page is run from top to bottom in an empty folder: a block with a caption is a file and is written
there, Python is run in one namespace, commands are given to the shell. What is printed is compared
where the page shows it; ``...`` stands for anything.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hardlimit.cli import commands, main
from hardlimit.rules import RULES

ROOT = Path(__file__).parents[1]
PAGES = [
    str(path.relative_to(ROOT))
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if not {"_build", "generated"} & set(path.parts)
]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^(?P<mark>```+|:::+)(?P<lang>[^\n]*)\n(?P<body>.*?)^(?P=mark)$", re.M | re.S)
# Not run here: what makes the environment itself, and what needs another one.
ELSEWHERE = ("make ", "pip ", "python -m venv", ". .venv", "git ")
MESSAGES = "message,folder\n" + "".join(
    f"win prize {number},spam\nlunch at {number},ham\n" for number in range(60)
)
NUMBERS = {
    "X": [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.5, 2.0], [3.0, 0.0], [0.0, 3.0]],
    "y": ["no", "yes", "yes", "no", "yes", "no"],
    "texts": ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"],
    "labels": ["spam", "ham"] * 2,
}
# Pages that speak of the reader's own data, and what stands for them.
FILES = {
    "messages.csv": MESSAGES,
    "held-out.csv": MESSAGES,
    "new.csv": "id,message\n1,a prize\n",
    "points.csv": "x1,x2,label\n-1,-1,no\n1,-1,yes\n-1,1,yes\n1,1,yes\n",
}
ILLUSTRATED = {"README.md", "docs/choices.md", "docs/rules.md", "docs/textbook.md"}


def blocks(page):
    """The fenced blocks of a page: (language, caption, text)."""
    for found in FENCE.finditer((ROOT / page).read_text()):
        words = found["lang"].replace("{code-block}", "").split()
        body, caption = found["body"], ""
        if body.startswith(":caption:"):
            head, _, body = body.partition("\n\n")
            caption = head.removeprefix(":caption:").strip()
        yield words[0] if words else "", caption, body


def commands_of(text):
    """The commands of a console block, continued lines joined, each with what it prints."""
    for part in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield re.sub(r"\s+# .*$", "", command), output


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    """Run a command: in this process where it can be, else in a shell."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)  # whoever reads the page has installed the command
    environment = os.environ | {"COLUMNS": "80"}

    def run(command):
        words = shlex.split(command)
        if words[0] == "hardlimit" and not {"|", ">", "<", "-"} & set(words):
            capsys.readouterr()
            main(words[1:])
            said = capsys.readouterr()
            return said.out + said.err
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, env=environment, cwd=tmp_path
        )
        return done.stdout + done.stderr

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(RULES, "members", dict(RULES.members))  # pages may add rules
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("HARDLIMIT_DATA", raising=False)
    return run


def same(wanted, got):
    return doctest.OutputChecker().check_output(wanted, got, FLAGS)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs(page, shell, tmp_path):
    names = dict(NUMBERS, X_new=NUMBERS["X"], y_new=NUMBERS["y"]) if page in ILLUSTRATED else {}
    for name, text in FILES.items() if page in ILLUSTRATED else ():
        (tmp_path / name).write_text(text)
    for language, caption, text in blocks(page):
        if caption:
            (tmp_path / caption).write_text(text)
        if language == "python" and ">>>" in text:
            run_examples(page, text, names)
        elif language == "python":
            exec(compile(text, page, "exec"), names)
        elif language == "console":
            for command, output in commands_of(text):
                if not command.startswith(ELSEWHERE):
                    got = shell(command)
                    compared = page not in ILLUSTRATED and output.strip()
                    assert not compared or same(output, got), f"$ {command}\n{got}"
                    assert compared or "error:" not in got, got
    names.clear()  # what is remembered of a page's class would keep its models, too


def run_examples(page, text, names):
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    test.globs = names
    said = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    runner.run(test, out=said.append, clear_globs=False)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_are_understood(page):
    for language, _, text in blocks(page):
        for command, _ in commands_of(text) if language == "console" else ():
            found = re.fullmatch(r"(?:.*\| )?hardlimit ([^|>]*?)", command)
            if found and found[1] and not found[1].startswith("-"):
                name, *words = shlex.split(found[1])
                commands.load(name).make_context(name, words)  # an unknown option would raise


def test_there_is_something_to_run():
    assert len(list(blocks("README.md"))) >= 4
    assert sum(language == "python" for page in PAGES for language, _, _ in blocks(page)) >= 30


def test_a_difference_is_seen():
    assert same("a ... c\n", "a b c\n") and not same("1.5\n", "1.6\n")


def test_what_the_readme_leads_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = dict(NUMBERS, X_new=NUMBERS["X"], y_new=NUMBERS["y"])
    for language, _, text in blocks("README.md"):
        if language == "python":
            exec(text, names)
    assert names["minover"].stop_reason_ == "margin_reached"
