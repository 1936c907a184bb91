"""A message that counts things says "1 row": no f-string puts a number before a plural noun."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "hardlimit"
# Values that are numbers of things, by how they are written.
COUNTS = re.compile(
    r"^(.*len\(.*\)|.*\bn(_\w+)?|.*(shape|sizes?|lengths?)\[.*\]|.*\bcount\w*|.*(rows|columns|classes|"
    r"corrections|mistakes|epochs|steps|negatives|positives|outputs|width|length|digits|size|each"
    r"|lengths|learnt|mails|left_out|missing|wrong|known|n_vectors|ndim|sum)(\(.*\))?)$"
)
ALWAYS_MANY = {
    ("summary.py", "rows", "rows"),  # the kind of the rows
    ("_map.py", "n_columns", "columns"),  # beyond 2^53
    ("opening.py", "most", "bytes"),  # a limit
    ("_learning.py", "lengths", "numbers"),  # several lengths
    ("fit.py", "len(book)", "class"),  # no plural
    ("continued.py", "10 * found.epochs", "shows"),  # no noun
    ("descriptions.py", "1 << bits", "columns"),
    ("formatting.py", "number", "bytes"),
    ("memory.py", "max(outputs, 2)", "classes"),
}
NOUN = re.compile(
    r"^ (?:more |new |other |wrong |held-out |training |false |kept |weight )?"
    r"((?!(?:is|has|was|does|this|as|its|us|needs|counts|takes|claims|holds|follows)\b)[a-z]+s)\b"
)


def numbered_plurals(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the number and the noun of each place that knows no singular."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            number, noun = ast.unparse(value.value), NOUN.match(str(after.value))
            # Limits are constants, and always many.
            is_limit = re.search(r"(^|[.])_?[A-Z][A-Z_]+\b", number)
            separated = value.format_spec is not None and "','" in ast.dump(value.format_spec)
            # So is what is refused because there is too much of it.
            too_many = re.match(r" [a-z]+ are (more than|too many)", str(after.value))
            exempt = is_limit or too_many or "plural(" in number or value.conversion == ord("r")
            if noun and not exempt and (separated or COUNTS.match(number)):
                yield value.lineno, number, noun[1]


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.name)
def test_a_number_stands_before_a_noun_that_follows_it(path: Path) -> None:
    found = [
        f"{path.name}:{line}: {{{number}}} {noun}"
        for line, number, noun in numbered_plurals(path)
        if (path.name, number, noun) not in ALWAYS_MANY
    ]
    assert not found, "write plural(number, noun) of foundation.formatting"
