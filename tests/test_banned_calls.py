"""What does not repeat bit for bit is not called on the way to model bytes.

Powers, matrix products and sums of numpy and of the C library differ in their last bits between
machines, versions or thread counts; so do its logarithms. Sets have no order. In the folders below
they are looked for in the syntax tree, in the compiled code by name. Whatever stands in one of the
two tables of exceptions has its reason beside it.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "hardlimit"
PARTS = [
    "rules",
    "engine",
    "learner",
    "theory/cycling",
    "theory/running_margin",
    "orders",
    "readouts",
    "schedules",
    "guards",
    "scaling",
    "evaluation/calibration",
    "classifiers",
    "text",
    "maps",
    "tables",
    "budgets",
    "model_file",
]

INEXACT = {
    *("numpy." + name for name in ("dot", "vdot", "inner", "matmul", "einsum", "tensordot")),
    *("numpy." + name for name in ("sum", "nansum", "mean", "average", "std", "var", "prod")),
    *("numpy." + name for name in ("power", "exp", "expm1", "logaddexp", "cumsum", "add.reduce")),
    *(f"{m}.{f}" for m in ("numpy", "math") for f in ("log", "log2", "log10", "log1p", "hypot")),
    *("math." + name for name in ("exp", "expm1", "pow", "dist", "sumprod")),
    *("pow", "hash"),
}
MODULES = (
    "random.",
    "numpy.random.",
    "numpy.linalg.",
    "statistics.",
    "scipy.linalg.",
    "scipy.special.",
    "secrets.",
)
METHODS = {"dot", "sum", "mean", "std", "var", "prod", "cumsum"}
ORDERLESS = {"list", "tuple", "enumerate", "iter", "map", "zip", "join", "extend", "fromiter"}

A_FIGURE = "a figure, not part of the model"
# (file, function, what is called): why it is harmless there.
EXCEPTIONS = {
    ("evaluation/calibration.py", "find_errors", ".sum()"): A_FIGURE,
    ("evaluation/calibration.py", "figures_of_errors", ".mean()"): A_FIGURE,
    ("evaluation/calibration.py", "figures_of_errors", "numpy.log"): A_FIGURE,
    ("evaluation/calibration.py", "reliability_bins", ".mean()"): A_FIGURE,
    ("classifiers/base.py", "score", "numpy.average"): A_FIGURE,
    ("scaling/rows.py", "sparse_row", "math.hypot"): "of sums, products and a root in one order",
    ("rules/_confidence.py", "phi", "statistics.NormalDist"): "its last digits are cut off",
    ("engine/examples.py", "_sort_columns", "numpy.cumsum"): "counts truth values",
    ("engine/examples.py", "_sort_columns", ".sum()"): "counts truth values",
}

NATIVE = {
    r"std::(shuffle|sample|reduce|hash|random_device|mt19937)\b": "differs between libraries",
    r"\bunordered_(map|set)\b": "has no order",
    r"\b(pow|powf|exp|expf|expm1|log|logf|log2|log10|log1p|tgamma|fma)\s*\(": "is inexact",
    r"-ffast-math|#pragma\s+(omp|GCC optimize)": "changes the order of sums",
    r"\b(time|clock|rand|srand)\s*\(": "is not a function of the input",
}
NATIVE_EXCEPTIONS = {
    ("text/secret.cpp", "std::random_device"): "no byte of any output depends on the secret",
    ("text/names.cpp", "unordered_map"): "asked by key, never walked through",
    ("bind/live.cpp", "unordered_map"): "asked by key, never walked through",
    ("live/terms.hpp", "unordered_map"): "asked by key, never walked through",
    ("live/watch.hpp", "unordered_map"): "asked by key, never walked through",
}


class Finder(ast.NodeVisitor):
    """Collects (function, what, line) of every banned thing in a module."""

    def __init__(self):
        self.found, self.aliases, self.function = [], {}, ""

    def visit_Import(self, node):
        for alias in node.names:
            self.aliases[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )

    def visit_ImportFrom(self, node):
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            self.aliases[alias.asname or alias.name] = full
            self.look_up(full, node)

    def visit_FunctionDef(self, node):
        if node.name == "mistake_bound":  # what a theorem promises enters no model
            return
        outer, self.function = self.function, node.name
        self.generic_visit(node)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_BinOp(self, node):
        self.look_at_operator(node)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self.look_at_operator(node)
        self.generic_visit(node)

    def visit_Attribute(self, node):
        self.look_up(self.name_of(node), node)
        self.generic_visit(node)

    def visit_Call(self, node):
        name = self.name_of(node.func)
        if isinstance(node.func, ast.Name):
            self.look_up(name, node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in METHODS and name not in INEXACT:
            self.add(f".{method}()", node)
        if (method or name) in ORDERLESS and any(is_set(value) for value in node.args):
            self.add("order of a set", node)
        self.generic_visit(node)

    def visit_For(self, node):
        self.look_at_order(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.look_at_order(node.iter)
        self.generic_visit(node)

    def visit_Starred(self, node):
        self.look_at_order(node.value)
        self.generic_visit(node)

    def name_of(self, node):
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{self.name_of(node.value)}.{node.attr}"
        return ""

    def look_up(self, name, node):
        if name in INEXACT or name.startswith(MODULES):
            self.add(name, node)

    def look_at_operator(self, node):
        constants = isinstance(getattr(node, "left", None), ast.Constant) and isinstance(
            getattr(node, "right", None), ast.Constant
        )
        if isinstance(node.op, (ast.Pow, ast.MatMult)) and not constants:
            self.add("**" if isinstance(node.op, ast.Pow) else "@", node)

    def look_at_order(self, node):
        if is_set(node):
            self.add("order of a set", node)

    def add(self, what, node):
        self.found.append((self.function, what, getattr(node, "lineno", 0)))


def is_set(node):
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return isinstance(node, (ast.Set, ast.SetComp)) or (
        called and node.func.id in ("set", "frozenset")
    )


def banned(source):
    finder = Finder()
    finder.visit(ast.parse(source))
    return finder.found


def python_files():
    folders = [path for part in PARTS for path in (PACKAGE / part).rglob("*.py")]
    modules = [path for part in PARTS for path in PACKAGE.glob(f"{part}.py")]
    return sorted(folders + modules)


def without_comments(source):
    strings_and_comments = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
    return re.sub(strings_and_comments, lambda m: "\n" * m[0].count("\n"), source, flags=re.S)


def banned_natively(source):
    source = without_comments(source)
    return [
        (match[0], source.count("\n", 0, match.start()) + 1, reason)
        for pattern, reason in NATIVE.items()
        for match in re.finditer(pattern, source)
    ]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_on_the_way_to_model_bytes(path):
    name = str(path.relative_to(PACKAGE))
    found = [
        f"{name}:{line}: {what}"
        for function, what, line in banned(path.read_text())
        if (name, function, what) not in EXCEPTIONS
    ]
    assert found == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "native").rglob("*.?pp")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_compiled_code(path):
    name = str(path.relative_to(ROOT / "native"))
    found = [
        f"{name}:{line}: {what} {reason}"
        for what, line, reason in banned_natively(path.read_text())
        if (name, what) not in NATIVE_EXCEPTIONS
    ]
    assert found == []


def test_every_exception_is_in_use():
    used = {
        (str(path.relative_to(PACKAGE)), function, what)
        for path in python_files()
        for function, what, _ in banned(path.read_text())
    }
    assert set(EXCEPTIONS) <= used
    native = {
        (str(path.relative_to(ROOT / "native")), what)
        for path in (ROOT / "native").rglob("*.?pp")
        for what, _, _ in banned_natively(path.read_text())
    }
    assert set(NATIVE_EXCEPTIONS) <= native


@pytest.mark.parametrize(
    "line",
    [
        "x ** 2",
        "x **= y",
        "a @ b",
        "import numpy as np\nnp.dot(a, b)",
        "import numpy\nf = numpy.log1p",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy as np\nnp.add.reduce(a)",
        "from numpy import linalg\nlinalg.norm(a)",
        "from math import log\nlog(2)",
        "import math\nmath.exp(1)",
        "import random as r\nr.random()",
        "from random import shuffle",
        "weights.dot(row)",
        "values.sum()",
        "pow(2, 0.5)",
        "hash('a')",
        "for term in set(terms): pass",
        "[f(x) for x in {1, 2}]",
        "list(set(labels))",
        "[*set(labels)]",
        "','.join({a, b})",
        "def mistake_bound(self):\n    return r**2\ndef tau(self):\n    return r**2",
    ],
)
def test_the_python_check_can_fail(line):
    assert banned(line)


@pytest.mark.parametrize(
    "line",
    [
        "@property\ndef f(self): return 1",
        "def mistake_bound(self):\n    return r**2 / gamma**2",
        "sorted(set(labels))",
        "import math\nmath.sqrt(2.0)",
        "LIMIT = 2**31",
        "x * x",
        "label in {1, 2}",
    ],
)
def test_the_python_check_lets_the_rest_pass(line):
    assert banned(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "std::shuffle(a, b, g);",
        "std::unordered_map<int, int> m;",
        "y = std::pow(x, 2);",
        "y = log(x);",
        "y = std::exp (x);",
        '/* fine */ y = log2(x); // "',
    ],
)
def test_the_native_check_can_fail(line):
    assert banned_natively(line)


def test_the_native_check_skips_comments_strings_and_longer_names():
    assert banned_natively('// pow(x)\n/* log(\n */ s = "exp(x)"; catalog(x); time_t t;') == []
