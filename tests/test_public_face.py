"""What the package shows, and what it loads to show it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import hardlimit
from hardlimit.rules._table import markdown_table

ROOT = Path(__file__).parents[1]


def test_the_public_names_are_these():
    assert sorted(hardlimit.__all__) == [
        "AROWClassifier", "BalancedWinnowClassifier", "KernelClassifier",
        "KernelPerceptronClassifier", "LinearClassifier", "MarginPerceptronClassifier",
        "PassiveAggressiveClassifier", "PerceptronClassifier", "RelaxationClassifier",
        "SCWClassifier", "SecondOrderPerceptronClassifier", "TableClassifier", "TextClassifier",
        "TextVectorizer",
        "VotedPerceptronClassifier", "WinnowClassifier", "__version__", "bounds",
        "budgets", "certificates", "certify", "cones", "criteria", "distances", "exceptions",
        "guards", "kernels", "live", "load", "mail", "maps", "open_live", "orders", "pictures",
        "reports", "rules", "schedules", "textbook",
    ]  # fmt: skip
    for name in hardlimit.__all__:
        assert getattr(hardlimit, name) is not None
    assert set(dir(hardlimit)) == set(hardlimit.__all__)


@pytest.mark.parametrize("name", ["textbook", "rules", "kernels", "bounds", "pictures", "live",
                                  "cones", "distances", "certificates", "mail", "reports", "maps",
                                  "guards", "schedules", "budgets", "criteria"])  # fmt: skip
def test_a_package_lists_its_public_names_and_nothing_else(name):
    """A notebook completes by them."""
    package = getattr(hardlimit, name)
    assert dir(package) == sorted(package.__all__)
    assert not {"Any", "warnings", "annotations", "batch_mode"} & set(dir(package))
    assert all(hasattr(package, one) for one in dir(package))


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(hardlimit, "perceptron")


def test_importing_loads_nothing_that_is_not_needed():
    heavy = ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "click", "safetensors")
    program = f"import sys, hardlimit; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_learning_and_predicting_load_neither_scipy_nor_scikit_learn():
    program = (
        "import sys, hardlimit as hl\n"
        "hl.TextClassifier().fit(['aa bb', 'cc dd'], [0, 1]).predict(['aa'])\n"
        "hl.LinearClassifier().fit([[1.0], [2.0]], [0, 1]).predict([[1.0]])\n"
        "print([m for m in ('scipy', 'sklearn', 'pandas', 'click') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_table_of_rules_is_current():
    page = (ROOT / "docs" / "rules.md").read_text()
    found = re.search(r"<!-- rules:[^\n]*-->\n(.*?)<!-- end of rules -->", page, re.S)
    assert found.group(1) == markdown_table(), "run: make readme"


def test_the_version_stands_in_one_place_and_is_told():
    text = (ROOT / "pyproject.toml").read_text()
    assert f'version = "{hardlimit.__version__}"' in text


def test_documents_link_to_files_that_are_there():
    for document in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (ROOT / target).exists(), f"{document.name} -> {target}"


def test_a_classifier_loads_only_what_it_learns_with():
    program = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import hardlimit\n"
        "hardlimit.LinearClassifier\n"
        "idle = ('json', 'difflib', 'decimal', 'fractions', 'hardlimit.model_file',"
        " 'hardlimit.theory.bounds', 'hardlimit.kernels', 'hardlimit.budgets', 'hardlimit.text')\n"
        "print([m for m in idle if m in sys.modules and m not in before])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
