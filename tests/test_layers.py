"""Arrows point down only: who may import whom, read from the import statements.

The first name of a row may import from every row below, never from its own row or above. The face
of the package (``from hardlimit import TextClassifier``) is the row ``hardlimit``.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "hardlimit"

LAYERS = [
    {"__main__"},
    {"cli"},
    {"hardlimit"},
    {"estimators"},
    {"service"},
    {"reports"},
    {"distributed"},
    {"predictions"},
    {"pictures", "describing"},
    {"naming"},
    {"live"},
    {"classifiers"},
    {"sources"},
    {"examples.of_rows"},
    {"maps", "tables"},
    {"theory"},
    {"certificates"},
    {"streaming"},
    {"mail.mailboxes"},
    {"model_file", "readers", "text", "textbook", "evaluation", "demo_corpus"},
    {"mail"},
    {"learner"},
    {"theory.running_margin"},
    {"theory.cycling"},
    {"orders", "schedules", "guards", "readouts", "kernels", "budgets", "scaling"},
    {"examples"},
    {"engine"},
    {"rules"},
    {"foundation"},
    {"exceptions"},
]
ROW = {name: row for row, names in enumerate(LAYERS) for name in names}

# The doors to compiled code; elsewhere its types may be named in annotations only.
DOORS = {"engine", "live", "mail", "text", "tables", "model_file", "readers", "streaming"}


def part_of(path):
    """The part that a file belongs to: the folder or module directly under the package.

    A module further down that has a row of its own is a part of its own.
    """
    names = path.relative_to(PACKAGE).with_suffix("").parts
    if ".".join(names[:2]) in ROW:
        return ".".join(names[:2])
    return "hardlimit" if names[0] == "__init__" else names[0]


def named_part(names):
    """The part of a module that is imported by its full name, without the package's."""
    return ".".join(names[:2]) if ".".join(names[:2]) in ROW else names[0]


def imports(tree):
    """Yield (part, line) of all imports from this package, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "hardlimit":
                    yield named_part([*alias.name.split("."), "hardlimit"][1:]), node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are written in full"
            names = (node.module or "").split(".")
            if names == ["hardlimit"]:
                for alias in node.names:
                    known = alias.name in ROW or alias.name == "_native"
                    yield alias.name if known else "hardlimit", node.lineno
            elif names[0] == "hardlimit":
                for alias in node.names:
                    yield named_part([*names[1:], alias.name]), node.lineno


class Uses(ast.NodeVisitor):
    """Lines that use compiled code for more than an annotation."""

    def __init__(self, tree):
        self.lines = []
        self.names = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if "_native" in (alias.name, (node.module or "").split(".")[-1])
        }
        self.visit(tree)

    def visit_Name(self, node):
        if node.id in self.names:
            self.lines.append(node.lineno)

    def generic_visit(self, node):
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)


def violations(part, tree):
    found = []
    for target, line in imports(tree):
        if target not in ("_native", part) and ROW[target] <= ROW[part]:
            found.append(f"{line}: {part} imports {target}, which is not below it")
    if part not in DOORS:
        found += [f"{line}: {part} uses compiled code by itself" for line in Uses(tree).lines]
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_point_down(path):
    part = part_of(path)
    assert part in ROW, f"{part} has no place in LAYERS: give it one"
    if part != "hardlimit":  # the face loads its names from everywhere, late
        assert violations(part, ast.parse(path.read_text())) == []


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("rules", "from hardlimit.engine import rows_of"),
        ("rules", "from hardlimit import engine"),
        ("orders", "def f():\n    from hardlimit import readouts"),
        ("text", "import hardlimit.readers.csv"),
        ("readers", "from hardlimit import TextClassifier"),
        ("classifiers", "from hardlimit import _native\nrows = _native.Rows()"),
        ("learner", "from hardlimit._native import Rows\ndef f(rows):\n    return Rows(rows)"),
        ("exceptions", "if TYPE_CHECKING:\n    from hardlimit.rules import Rule"),
    ],
)
def test_the_check_can_fail(part, line):
    assert violations(part, ast.parse(line))


def test_the_check_lets_arrows_down_pass():
    lines = "from hardlimit.engine import a\nfrom hardlimit import rules\nimport numpy as np\n"
    types = "from hardlimit import _native\ndef f(a: _native.Rows) -> _native.Rows: ...\n"
    assert violations("learner", ast.parse(lines + types)) == []


def imported_by(statement):
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import hardlimit", "import hardlimit.cli", "import hardlimit.model_file"]
)
def test_starting_is_light(statement):
    heavy = {"sklearn", "scipy", "matplotlib", "pandas", "numpy", "safetensors"}
    if (PACKAGE / "cli").is_dir() or "cli" not in statement:
        assert imported_by(statement) & heavy == set()


def test_the_classifiers_need_neither_scipy_nor_scikit_learn():
    if (PACKAGE / "classifiers").is_dir():
        loaded = imported_by("from hardlimit import LinearClassifier")
        assert loaded & {"sklearn", "scipy", "matplotlib", "pandas"} == set()


def module_name(path):
    return ".".join(("hardlimit", *path.relative_to(PACKAGE).with_suffix("").parts))


def imported_modules(tree, known):
    """Yield the modules that a file imports, at its head, late, or for types only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found = f"{node.module}.{alias.name}"
                yield found if found in known else node.module


def circles(edges):
    """Return the modules that import themselves, by way of others."""
    reached = {name: set(targets) for name, targets in edges.items()}
    for middle in edges:
        for targets in reached.values():
            if middle in targets:
                targets |= reached[middle]
    return sorted(name for name, targets in reached.items() if name in targets)


def test_no_module_imports_itself_by_way_of_others():
    files = {module_name(path): path for path in FILES if path.name != "__init__.py"}
    edges = {
        # A module may import itself: by the name under which a worker finds it.
        name: {*imported_modules(ast.parse(path.read_text()), files)} & files.keys() - {name}
        for name, path in files.items()
    }
    assert circles(edges) == []


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
