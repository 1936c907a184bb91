"""The settings of ``[tool.mutants]`` in ``pyproject.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGE = Path("src/hardlimit")


@dataclass(frozen=True)
class Room:
    """A folder or a module below ``src/hardlimit``, and the tests that guard it."""

    name: str
    sources: tuple[Path, ...]
    tests: tuple[str, ...]
    least: float


def find_room(name: str, root: Path = ROOT) -> Room:
    """Return a room by its name, e.g. ``live`` or ``classifiers/tuning``."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["mutants"]
    where = root / PACKAGE / name
    found = [where] if where.suffix == ".py" and where.is_file() else sorted(where.rglob("*.py"))
    if not found:
        raise SystemExit(f"there is no room {name!r} below {PACKAGE}")
    sources = tuple(path.relative_to(root) for path in found)
    tests = settings["tests"].get(name) or _mirrored(name, root)
    return Room(name, sources, (*tests, str(PACKAGE / name)), settings["least"])


def _mirrored(name: str, root: Path) -> list[str]:
    """Return the tests of the nearest folder: tests mirror the sources."""
    folder = Path("tests") / name
    while not (root / folder).is_dir():
        folder = folder.parent
    if folder == Path("tests"):
        raise SystemExit(f"no folder of tests mirrors {name!r}; name it in [tool.mutants.tests]")
    return [str(folder)]
