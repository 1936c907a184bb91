"""What holds for every picture that discovery finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.text import Text

from hardlimit import pictures
from hardlimit.exceptions import InputError

from .gallery import CROWDED, digest, drawn, svg, texts_of

HERE = Path(__file__).parent
PROGRAM = """
import sys, gallery
for name in {names!r}:
    print(name, gallery.digest(name))
print("matplotlib.figure" in sys.modules, "matplotlib.pyplot" in sys.modules)
"""

every = pytest.mark.parametrize("name", pictures.names())


@every
def test_it_is_data_first_and_plain(name):
    picture = drawn(name)
    assert picture.name == name and picture.title and picture.description.endswith(".")
    plain = picture.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["data"].keys() == picture.data.keys()


@every
def test_the_svg_can_stand_in_a_page(name):
    picture = drawn(name)
    root = ElementTree.fromstring(svg(name))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) and all(i.startswith(f"{name}-") for i in ids)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert tags[1:3] == ["title", "desc"] and not {"style", "script", "metadata"} & set(tags)
    assert root[0].text == picture.title and root[1].text == picture.description
    assert root.get("aria-labelledby") == f"{name}-title {name}-desc"
    text = svg(name)
    found = re.findall(r"(?:url\(#|href=\"#)([^)\"]*)", text)
    assert set(found) <= set(ids)
    links = re.findall(r'href="([^"]*)"', text)
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert "matplotlib.org" not in text and "Created with" not in text and "<dc:" not in text


@every
def test_words_are_text_and_no_outlines(name):
    said, title = texts_of(svg(name)), " ".join(drawn(name).title.split())
    assert title[:30] in " ".join(said) and len(said) > 3


def test_the_prefix_of_the_ids_can_be_chosen():
    assert drawn("roc").svg(prefix="second-") == svg("roc").replace("roc-", "second-")


@pytest.mark.parametrize(
    "name", [*pictures.names(), *(pytest.param(n, marks=pytest.mark.slow) for n in CROWDED)]
)
def test_texts_do_not_overlap(name, monkeypatch):
    picture = CROWDED[name]() if name in CROWDED else drawn(name)
    boxes = list(drawn_texts(picture, monkeypatch))
    for i, (said, box) in enumerate(boxes):
        for other, second in boxes[:i]:
            assert not box.overlaps(second), (said, other)


def drawn_texts(picture, monkeypatch):
    """Each text that is drawn and its box, which lies inside the figure."""
    texts, draw = [], Text.draw

    def note(text, renderer, *rest):
        # While it is drawn: a text in space has no other moment with a place in the figure.
        texts.append((text, text.get_window_extent(renderer)))
        draw(text, renderer, *rest)

    monkeypatch.setattr(Text, "draw", note)
    with matplotlib.rc_context({"text.parse_math": False}):
        figure = picture.figure()
        figure.draw_without_rendering()
        width, height = figure.bbox.size
        for text, extent in texts:
            box = extent.padded(-1)
            slants = text.get_rotation() % 90  # the box of a slanting text is larger than it
            if text.get_visible() and text.get_text().strip() and min(box.size) > 0 and not slants:
                assert -2 <= box.x0 and box.x1 <= width + 2, text
                assert -2 <= box.y0 and box.y1 <= height + 2, text
                yield text.get_text(), box


@every
def test_it_is_narrow_enough_for_a_column(name):
    assert drawn(name).size[0] <= 7


@pytest.mark.parametrize(
    "names", [["roc", "steps"], pytest.param(pictures.names(), marks=pytest.mark.slow)], ids=len
)
def test_another_process_draws_the_same_bytes_and_loads_no_pyplot(names):
    command = [sys.executable, "-c", PROGRAM.format(names=names)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)
    *digests, modules = done.stdout.splitlines()
    assert digests == [f"{name} {digest(name)}" for name in names]
    assert modules == "True False"


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_extension_says_the_format(tmp_path, kind):
    head = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    found = []
    for number in range(2):
        path = tmp_path / f"{number}.{kind.upper()}"
        drawn("roc").save(path)
        found.append(path.read_bytes())
    assert found[0].startswith(head) and found[0] == found[1]


def test_another_extension_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"got '\.gif', wanted \.png, \.svg or \.pdf"):
        drawn("roc").save(tmp_path / "roc.gif")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("prefix", ["a b", "1", '"', "x>"])
def test_a_prefix_that_is_no_id_is_refused(prefix):
    with pytest.raises(InputError, match="wanted letters"):
        drawn("roc").svg(prefix=prefix)


def test_the_settings_of_the_user_neither_matter_nor_change():
    before = svg("roc")
    mine = {"font.size": 30, "axes.grid": True, "text.usetex": True, "svg.fonttype": "path"}
    with matplotlib.rc_context(mine):
        assert drawn("roc").svg() == before
        for key, value in mine.items():
            assert matplotlib.rcParams[key] == value


def test_without_matplotlib_the_data_are_there_and_one_sentence(tmp_path):
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import importlib.util\n"
        "importlib.util.find_spec = lambda name: None\n"
        "from hardlimit import pictures\n"
        "p = pictures.roc([0, 1], [0.0, 1.0])\n"
        "print(p.data['auc'])\n"
        "try: p.svg()\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "1.0",
        "pictures are drawn with matplotlib, which is not installed; "
        "pip install 'hardlimit[plots]'",
    ], done.stderr


HOSTILE = ["$x^2$", "<script>alert(1)</script>", "_hidden", "a\x00b\x1b[31m\ud800", "\u202eevil",
           "中文", "x" * 5000, r"$\frac{1}{2}$", "&amp;", "", " ", "#{}%\\", "\n\n"]  # fmt: skip


def test_labels_are_only_ever_text():
    """All at once, as classes, and one by one as the name of the positive one."""
    found = [pictures.confusion(HOSTILE, HOSTILE).svg()]
    for label in HOSTILE[:2]:
        found.append(pictures.roc([label, "other"], [1.0, 2.0], positive=label).svg())
    for text in found:
        root = ElementTree.fromstring(text)
        assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
        assert "x" * 30 not in text and "\u202e" not in text
    said = " ".join("".join(ElementTree.fromstring(found[0]).itertext()).split())
    for label in (
        "$x^2$",
        "<script>alert…",
        "_hidden",
        "?evil",
        "中文",
        r"$\frac{1}{2}$",
        "&amp;",
    ):
        assert label in said, label
