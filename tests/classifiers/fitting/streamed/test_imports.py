"""The modules of the room stand above each other, also for types."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from hardlimit.classifiers.fitting import streamed

ROOM = "hardlimit.classifiers.fitting.streamed."


def test_imports_go_in_no_circle():
    below = {}
    for path in Path(streamed.__file__).parent.glob("*.py"):
        found = (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ImportFrom))
        names = [node.module for node in found if (node.module or "").startswith(ROOM)]
        below[path.stem] = {name.removeprefix(ROOM) for name in names}
    order = list(TopologicalSorter(below).static_order())
    assert {"position", "fronts", "texts"} <= set(order)
    assert not below["position"]
