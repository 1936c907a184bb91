"""A docstring taken apart: what it states, its parameters, and what it says under each heading.

A heading is a word at the beginning of a paragraph::

    Guarantee, on separable examples: at most ...

What stands between the comma or the bracket and the colon restricts it.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

HEADINGS = ("When to use it", "Guarantee", "Cost", "Worked example", "Source")
_HEADING = re.compile(
    rf"(?P<name>{'|'.join(HEADINGS)})(?:,\s(?P<after>[^:]*)|\s\((?P<inside>[^)]*)\))?:\s+", re.S
)
_PARAMETER = re.compile(r"^(?P<names>[a-zA-Z_][\w, ]*?) : (?P<text>.*)$")
_EXAMPLES = re.compile(r"^Examples\n-+\n", re.M)


@dataclass
class Parts:
    """The parts of one docstring; each is reStructuredText."""

    summary: str
    statement: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)
    example: str = ""


def taken_apart(docstring: str) -> Parts:
    """Take a docstring apart."""
    text, *examples = _EXAMPLES.split(inspect.cleandoc(docstring))
    paragraphs = [block.strip("\n") for block in re.split(r"\n\s*\n", text) if block.strip()]
    parts = Parts(" ".join(paragraphs[0].split()), example=examples[0].strip() if examples else "")
    said: dict[str, list[str]] = {"": []}
    heading = ""
    for paragraph in paragraphs[1:]:
        found = _HEADING.match(paragraph)
        if found:
            heading = found["name"]
            said[heading] = [_opened(found, paragraph[found.end() :])]
        elif not heading and are_parameters(paragraph):
            parts.parameters |= parameters(paragraph)
        else:
            said[heading].append(paragraph)
    parts.statement = "\n\n".join(said.pop(""))
    parts.sections = {name: "\n\n".join(texts) for name, texts in said.items()}
    return parts


def _opened(found: re.Match[str], text: str) -> str:
    """The first paragraph of a section, led by what restricts it."""
    restriction = found["after"] or found["inside"]
    if restriction:
        return f"*{_capital(' '.join(restriction.split()))}:* {text}"
    return _capital(text)


def _capital(text: str) -> str:
    """The text with a capital, unless it begins with a symbol: ``r = 2`` is not ``R = 2``."""
    return text if re.match(r"\w\b|\w+ =", text) else text[0].upper() + text[1:]


def are_parameters(paragraph: str) -> bool:
    """Whether a paragraph says what parameters are, ``name : range and effect`` line by line."""
    flush = [line for line in paragraph.splitlines() if not line.startswith(" ")]
    return bool(flush) and all(_PARAMETER.match(line) for line in flush)


def parameters(paragraph: str) -> dict[str, str]:
    """What such a paragraph says of each."""
    found: dict[str, str] = {}
    name = ""
    for line in paragraph.splitlines():
        match = _PARAMETER.match(line)
        if match:
            name = match["names"]
            found[name] = match["text"]
        else:
            found[name] += " " + line.strip()
    return found
