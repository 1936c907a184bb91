"""Mutation testing: what is changed, what is left, and the list of equivalent changes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return pytest.importorskip("mutants.changes", reason="make mutants installs it")


def found(tool, tmp_path, source):
    (tmp_path / "one.py").write_text(source)
    return [change.was_and_is() for change in tool.find_changes(tmp_path, Path("one.py"))]


def test_an_equivalent_change_is_of_a_line_that_is_there():
    import tomllib

    listed = tomllib.loads((ROOT / "mutants" / "equivalents.toml").read_text("utf-8"))
    for one in listed.get("change", []):
        assert {*one} == {"path", "was", "is", "reason"} and one["was"] != one["is"]
        lines = [line.strip() for line in (ROOT / one["path"]).read_text("utf-8").splitlines()]
        assert one["was"] in " ".join(lines), one
        assert one["reason"].endswith(".")


def test_conditions_numbers_and_arguments_are_changed(tool, tmp_path):
    changes = found(tool, tmp_path, "def f(a, b=1):\n    return g(a < 2 and not b, key=a)\n")
    line = "return g(a < 2 and not b, key=a)"
    for now in (
        "return g(a <= 2 and not b, key=a)", "return g(a < 3 and not b, key=a)",
        "return g(a < 2 or not b, key=a)", "return g(a < 2 and b, key=a)",
        "return g(None, key=a)", "return g(a < 2 and not b, )",
    ):  # fmt: skip
        assert (line, now) in changes
    assert ("def f(a, b=1):", "def f(a, b=2):") in changes and len(changes) == 7


@pytest.mark.parametrize(
    "source",
    [
        '"""Text of a module."""\n',
        "from a import b\n",
        "def f(a: int | None) -> dict[str, int | 3]: ...\n",
        "if TYPE_CHECKING:\n    x = 1 + 2\n",
        '__slots__ = ("a", "b")\n',
        "if msvcrt is not None:\n    f(1)\n",
        '@dataclass(frozen=True)\nclass A:\n    """Text."""\n',
        'T = TypeVar("T", bound=3)\n',
        'raise error("a message of words", fix="mend", got=x + 1)\n',
        'raise error(f"at most {most + 1} of them")\n',
    ],
)
def test_what_no_test_should_notice_is_left(tool, tmp_path, source):
    assert found(tool, tmp_path, source) == []


def test_an_unknown_room_is_refused():
    if subprocess.run([sys.executable, "-c", "import mutmut, coverage"]).returncode:
        pytest.skip("make mutants installs it")
    done = subprocess.run(
        [sys.executable, "-m", "mutants", "nowhere"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1 and "no room 'nowhere'" in done.stderr


@pytest.mark.slow
def test_a_room_gets_a_score_and_the_checkout_stays_as_it_is(tool):
    def content():
        paths = sorted((ROOT / "src" / "hardlimit" / "guards").rglob("*.py"))
        return [path.read_bytes() for path in paths]

    before = content()
    words = ["guards", "--sample", "4", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "mutants", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    assert "of 4 changes were noticed" in done.stdout.splitlines()[-1]
    assert content() == before
