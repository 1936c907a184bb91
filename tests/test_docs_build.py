"""The pages are built without a warning and without anything from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
# What a page loads by itself: links that a reader may follow are left alone.
LOADED = re.compile(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//", re.I)


@pytest.mark.slow
def test_the_pages_are_built(tmp_path):
    for needed in ("sphinx", "myst_parser", "sphinx_gallery", "furo"):
        pytest.importorskip(needed, reason="make docs installs it")
    words = ["-W", "--keep-going", "-q", "-d", str(tmp_path / "seen"), str(DOCS), str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text()
        assert not LOADED.search(text), page.name
        assert "alt=" in text or "<img" not in text
        headings = [int(level) for level in re.findall(r"<h([1-6])[ >]", text)]
        assert all(b - a <= 1 for a, b in zip(headings, headings[1:], strict=False)), page.name
    assert 'href="../generated/rules/index.html"' in (tmp_path / "guides/teacher.html").read_text()
