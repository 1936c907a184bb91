"""Finds the small changes that mutmut's operators make of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from mutants.exclusions import is_excluded, is_trifle


@dataclass(frozen=True)
class Change:
    """One small change of a file. ``lines`` are those of its statement."""

    path: Path
    line: int
    lines: range
    operator: str
    module: cst.Module = field(repr=False, compare=False)
    before: cst.CSTNode = field(repr=False, compare=False)
    after: cst.CSTNode = field(repr=False, compare=False)

    def code(self) -> str:
        """Return the whole changed file."""
        changed: Any = self.module.deep_replace(self.before, self.after)
        return str(changed.code)

    def was_and_is(self) -> tuple[str, str]:
        """Return the lines that differ, before and after, each on one line."""
        old, new = self.module.code.splitlines(), self.code().splitlines()
        blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        differ = [block for block in blocks if block[0] != "equal"]
        was = " ".join(one.strip() for block in differ for one in old[block[1] : block[2]])
        now = " ".join(one.strip() for block in differ for one in new[block[3] : block[4]])
        return was, now


def find_changes(root: Path, path: Path) -> list[Change]:
    """Return all changes of a file, in the order of its lines."""
    wrapper = MetadataWrapper(cst.parse_module((root / path).read_text("utf-8")))
    finder = _Finder(path, wrapper.module)
    wrapper.visit(finder)
    return sorted(finder.found, key=lambda change: change.line)


class _Finder(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: Path, module: cst.Module) -> None:
        super().__init__()
        self.found: list[Change] = []
        self._path, self._module = path, module
        self._statements: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if is_excluded(node):
            return False
        if isinstance(node, cst.BaseStatement):
            self._statements.append(node)
        for operator, after in _mutations(node):
            place = self._place(node)
            lines = self._lines(place)
            change = Change(
                self._path, place.start.line, lines, operator, self._module, node, after
            )
            self.found.append(change)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._statements and self._statements[-1] is original_node:
            self._statements.pop()

    def _place(self, node: cst.CSTNode) -> CodeRange:
        # Operators such as ``+=`` have no position of their own.
        place = self.get_metadata(PositionProvider, node, None)
        return place or self.get_metadata(PositionProvider, self._statements[-1])

    def _lines(self, place: CodeRange) -> range:
        """Return the lines of a simple statement, or those of the place in a compound one."""
        statement = self._statements[-1] if self._statements else self._module
        whole = self.get_metadata(PositionProvider, statement)
        if isinstance(statement, cst.SimpleStatementLine):
            return range(whole.start.line, whole.end.line + 1)
        return range(place.start.line, place.end.line + 1)


def _mutations(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            name = operator.__name__.removeprefix("operator_")
            for number, after in enumerate(operator(node)):
                # Of a text one change is enough: others differ in the case of letters alone.
                if name == "string" and number:
                    break
                if not is_trifle(node, after):
                    yield name, after
