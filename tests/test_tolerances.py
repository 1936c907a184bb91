"""A tolerance in a test has a reason: a bound of ``rounding.py``, or a comment beside it.

Looked for are ``approx``, ``allclose``, ``isclose``, ``assert_allclose``, and comparisons with a
number of up to a thousandth, such as ``error < 1e-9``. The comment stands on the line before, or
on a line of the call.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
APPROXIMATE = {"approx", "allclose", "isclose", "assert_allclose"}
BOUNDS = {
    *("near", "printed", "within", "roundings", "dot_bound"),
    *("normal_spread", "slope_spread", "UNIT", "SINGLE"),
}
SMALL = 1e-3
MAY_HAVE_ONE = re.compile(r"\b(approx|allclose|isclose|assert_allclose)\(|\de-\d|0\.00")


def name_of(function):
    return getattr(function, "attr", getattr(function, "id", ""))


def terms(node):
    """The node and, where it is a sum or product, its parts."""
    yield node
    if isinstance(node, ast.BinOp):
        yield from terms(node.left)
        yield from terms(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from terms(node.operand)


def is_small(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value


def is_tolerance(node):
    if isinstance(node, ast.Call):
        return name_of(node.func) in APPROXIMATE
    ordered = isinstance(node, ast.Compare) and any(
        isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for operator in node.ops
    )
    return ordered and any(
        is_small(term) and term.value <= SMALL
        for part in (node.left, *node.comparators)
        for term in terms(part)
    )


def without_reason(source):
    """Lines of tolerances that neither a bound nor a comment explains."""
    comments = {
        number
        for number, line in enumerate(source.splitlines(), 1)
        if re.search(r"(^|\s)# \w", line)
    }
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if is_tolerance(node)
        and not comments & set(range(node.lineno - 1, node.end_lineno + 1))
        and not any(isinstance(n, ast.Name) and n.id in BOUNDS for n in ast.walk(node))
    ]


def test_every_tolerance_has_a_reason():
    files = [path for path in sorted(TESTS.rglob("*.py")) if path.name != "rounding.py"]
    assert len(files) > 400
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in files
        if MAY_HAVE_ONE.search(source := path.read_text())
        for line in without_reason(source)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "assert a == pytest.approx(b)",
        "assert a == approx(b, rel=1e-9)",
        "assert np.allclose(a, b)",
        "np.testing.assert_allclose(a, b, atol=1e-9)",
        "assert math.isclose(a, b)",
        "assert abs(a - b) < 1e-9",
        "assert a <= b * (1 + 1e-12)",
        "assert a >= -1e-9",
        "# a comment too far away\n\nassert a >= -1e-9",
    ],
)
def test_the_search_finds_what_has_none(line):
    assert without_reason(line)


@pytest.mark.parametrize(
    "line",
    [
        "assert a == near(b, 20)",
        "assert a <= b * (1 + roundings(100))",
        "assert a == pytest.approx(b, abs=dot_bound(x, y))",
        "assert a == pytest.approx(b)  # printed with six digits",
        "# the search ends there\nassert a < 1e-9",
        "assert a == 1e-9",
        "fit(tol=1e-9)",
        "assert share < 0.05",
    ],
)
def test_the_search_lets_the_rest_pass(line):
    assert without_reason(line) == []
