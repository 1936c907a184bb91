"""Changes that change nothing a test could see, each with the reason, in ``equivalents.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

from mutants.settings import HERE

FILE = HERE / "equivalents.toml"


def read_equivalents(file: Path = FILE) -> dict[tuple[str, str, str], str]:
    """Return the reasons by path, the lines before and the lines after the change."""
    entries = tomllib.loads(file.read_text("utf-8")).get("change", [])
    return {(one["path"], one["was"], one["is"]): one["reason"] for one in entries}
