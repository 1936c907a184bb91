"""Small pieces of reStructuredText."""

from __future__ import annotations

import textwrap


def title(text: str, line: str) -> str:
    """A heading."""
    return f"{text}\n{line * len(text)}"


def directive(head: str, body: str) -> str:
    """A directive with its body."""
    return f".. {head}\n\n{textwrap.indent(body, '   ')}"


def definitions(said: dict[str, str]) -> str:
    """A list of terms, each with its text."""
    return "\n\n".join(f"{term}\n{textwrap.indent(text, '    ')}" for term, text in said.items())


def default_of(value: object) -> str:
    """A default as one writes it: 1 for 1.0, and text in quotes."""
    return f"{value:g}" if isinstance(value, float) else repr(value)


def joined(blocks: list[str]) -> str:
    """Blocks with a line between them, none empty."""
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"
