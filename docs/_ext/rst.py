"""Small pieces of reStructuredText."""

from __future__ import annotations

import textwrap


def title(text: str, line: str) -> str:
    """Return a heading."""
    return f"{text}\n{line * len(text)}"


def directive(head: str, body: str) -> str:
    """Return a directive with its body."""
    return f".. {head}\n\n{textwrap.indent(body, '   ')}"


def definitions(texts: dict[str, str]) -> str:
    """Return a definition list."""
    return "\n\n".join(f"{term}\n{textwrap.indent(text, '    ')}" for term, text in texts.items())


def default_of(value: object) -> str:
    """Return a default as written in code: 1 for 1.0, and text in quotes."""
    return f"{value:g}" if isinstance(value, float) else repr(value)


def join_blocks(blocks: list[str]) -> str:
    """Join the blocks that are not empty, with a blank line between them."""
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"
