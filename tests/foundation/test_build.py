"""A build is told by its sources and its compiled module, wherever they lie."""

import shutil
import zipfile
from pathlib import Path

import hardlimit
from hardlimit.foundation import build

SOURCES = {"__init__.py": "A = 1\n", "rules/__init__.py": "", "rules/paum.py": "tau = 1\nx = 2\n"}


def write(folder, sources):
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def test_one_line_a_name_or_a_file_more_is_another_build(tmp_path):
    first = build.digest_folder(write(tmp_path / "first", SOURCES))
    others = (
        {**SOURCES, "rules/paum.py": "tau = 1\nx = 3\n"},
        {**SOURCES, "rules/more.py": ""},
        {("rules/pa.py" if "paum" in name else name): text for name, text in SOURCES.items()},
        {**SOURCES, "__init__.py": "A = 1\n\0"},
    )
    found = {build.digest_folder(write(tmp_path / str(n), one)) for n, one in enumerate(others)}
    assert len(found | {first}) == 5


def test_what_is_no_source_and_line_ends_count_for_nothing(tmp_path):
    first = build.digest_folder(write(tmp_path / "first", SOURCES))
    windows = {name: text.replace("\n", "\r\n") for name, text in SOURCES.items()}
    more = {
        "__pycache__/a.cpython-311.py": "x",
        "py.typed": "",
        "page/app.js": "1",
        "rules/a.pyc": "y",
    }
    assert build.digest_folder(write(tmp_path / "other", windows | more)) == first


def test_an_archive_has_the_digest_of_what_it_was_made_of(tmp_path):
    folder = write(tmp_path / "package", SOURCES)
    shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path, "package")
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        packed = zipfile.Path(archive, "package/")
        assert build.digest_folder(packed) == build.digest_folder(folder)


def test_an_editable_install_is_the_build_of_its_sources():
    folder = Path(hardlimit.__file__).parent
    assert build.digest_sources() == build.digest_folder(folder)
