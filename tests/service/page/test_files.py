"""The files of the page: they belong together, fetch nothing from elsewhere and make no markup."""

import re
from pathlib import Path

import pytest

import hardlimit

PAGE = Path(hardlimit.__file__).parent / "service" / "page"
GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "triage.md"
FILES = sorted(PAGE.iterdir())
MODULES = [path for path in FILES if path.suffix == ".js"]
INDEX = (PAGE / "index.html").read_text()


def imports(path):
    return re.findall(r'^import .*? from "\./([\w.]+)";$', path.read_text(), re.M)


def test_the_page_is_small():
    assert {path.suffix for path in FILES} == {".html", ".css", ".js", ".svg"}
    assert sum(path.stat().st_size for path in FILES) < 150_000
    assert all(path.read_text().count("\n") <= 350 for path in FILES)


def test_every_module_is_reached_and_every_import_is_there():
    reached, waiting = set(), {"app.js"}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= set(imports(PAGE / name)) - reached
    assert reached == {path.name for path in MODULES}
    for name in re.findall(r'(?:href|src)="static/([^"]+)"', INDEX):
        assert (PAGE / name).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_another_host(path):
    hosts = set(re.findall(r"""(?:https?:)?//([\w.-]+\.\w+)""", path.read_text()))
    # The name of a language, which nothing fetches.
    assert hosts <= {"www.w3.org"}


def test_the_index_has_no_script_and_no_style_of_its_own():
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", INDEX)
    assert re.findall(r"<script[^>]*>(.*?)</script>", INDEX, re.S) == [""]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_text_becomes_markup(path):
    banned = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc"
        r"|createContextualFragment|setHTMLUnsafe|\beval\(|new Function|setTimeout\(\s*[\"'`]"
    )
    assert not re.search(banned, path.read_text())
    assert path.read_text().startswith("// ")


def test_the_guide_has_every_key():
    keys = re.findall(r'shown: \[(.*?)\], what: "(.*?)"', (PAGE / "app.js").read_text())
    assert len(keys) > 10
    guide = GUIDE.read_text()
    for shown, what in keys:
        assert what in guide
        assert all(f"`{key}`" in guide for key in re.findall(r'"(.*?)"', shown))
