"""The wheel holds the package and nothing else, and works where nothing of the source tree is."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("scikit_build_core", reason="scikit-build-core builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    # The compiled objects of the editable build are at hand: their folder serves again.
    subprocess.run([*command, "--no-build-isolation", "-w", str(folder), str(ROOT)], check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if name.startswith("hardlimit/")}
    rest = {name.split("/")[0] for name in set(names) - package}
    assert {"hardlimit/py.typed", "hardlimit/_native.pyi", "hardlimit/__init__.py"} <= package
    assert sum(name.startswith("hardlimit/_native.") for name in package) == 2
    assert len(rest) == 1
    assert rest.pop().endswith(".dist-info")
    assert not [name for name in package if name.endswith((".cpp", ".hpp", ".md", ".a"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.slow
def test_works_alone(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "is_editable = lambda finder: type(finder).__module__.startswith('_editable');"
        "sys.meta_path[:] = [finder for finder in sys.meta_path if not is_editable(finder)];"
        "import hardlimit; from hardlimit import model_file, _native;"
        "assert hardlimit.__file__.startswith(sys.argv[1]), hardlimit.__file__;"
        "assert _native.__file__.startswith(sys.argv[1]), _native.__file__;"
        "model_file.write(sys.argv[1] + '/m', {'kind': 'k'}, {'answer.x': b'a'});"
        "model_file.open(sys.argv[1] + '/m').verify()"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=tmp_path)
