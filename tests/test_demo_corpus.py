"""The corpus of the demonstration, on small libraries made for the test."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from hardlimit import demo_corpus
from hardlimit.exceptions import InputError


def module(functions: int, word: str) -> str:
    return "\n".join(
        f'def {word}{i}(self, a, b):\n    """Do {word} number {i} to the things."""\n'
        for i in range(functions)
    )


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "lib"
    (root / "asyncio" / "test").mkdir(parents=True)
    (root / "asyncio" / "loops.py").write_text(module(30, "loop"))
    (root / "asyncio" / "broken.py").write_text("def (")
    (root / "asyncio" / "bytes.py").write_bytes(b"\xff\xfe\0\0")
    (root / "asyncio" / "test" / "test_loops.py").write_text(module(30, "test"))
    (root / "logging").mkdir()
    (root / "logging" / "__init__.py").write_text(module(30, "log"))
    (root / "xml").mkdir()
    (root / "xml" / "few.py").write_text(module(3, "few"))
    return root


def test_reads_what_is_there_and_leaves_out_the_rest(library: Path) -> None:
    corpus = demo_corpus.read(library)
    assert {p.label for p in corpus} == {"asyncio", "logging"}  # xml has too few
    assert len(corpus) == 60
    assert corpus[0].text == "def loop0(a, b): Do loop number 0 to the things."
    assert corpus[0].source == "asyncio/loops.py"
    assert demo_corpus.read(library) == corpus


def test_a_zipped_library_is_the_same(library: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "python.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        for path in library.rglob("*.py"):
            archive.write(path, path.relative_to(library).as_posix())
    assert demo_corpus.read(zipped) == demo_corpus.read(library)


def test_equal_texts_are_there_once(library: Path) -> None:
    (library / "json").mkdir()
    (library / "json" / "a.py").write_text(module(30, "loop") + module(25, "json"))
    corpus = demo_corpus.read(library)
    assert len({p.text for p in corpus}) == len(corpus) == 85


def test_no_library_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sources of the standard library"):
        demo_corpus.read(tmp_path)


def test_this_python_has_thousands_of_texts_in_about_twenty_classes() -> None:
    corpus = demo_corpus.read()
    assert len(corpus) > 3000
    assert 15 <= len({p.label for p in corpus}) <= 25
