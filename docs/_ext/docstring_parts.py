"""Split a docstring into its statement, its parameters, and its sections.

A heading is a word at the beginning of a paragraph::

    Guarantee, on separable examples: at most ...

The text between the comma or the bracket and the colon restricts the section.
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


def parse_docstring(docstring: str) -> Parts:
    """Split a docstring into its parts."""
    text, *examples = _EXAMPLES.split(inspect.cleandoc(docstring))
    paragraphs = [block.strip("\n") for block in re.split(r"\n\s*\n", text) if block.strip()]
    parts = Parts(" ".join(paragraphs[0].split()), example=examples[0].strip() if examples else "")
    sections: dict[str, list[str]] = {"": []}
    heading = ""
    for paragraph in paragraphs[1:]:
        found = _HEADING.match(paragraph)
        if found:
            heading = found["name"]
            sections[heading] = [_open_section(found, paragraph[found.end() :])]
        elif not heading and is_parameter_list(paragraph):
            parts.parameters |= parse_parameters(paragraph)
        else:
            sections[heading].append(paragraph)
    parts.statement = "\n\n".join(sections.pop(""))
    parts.sections = {name: "\n\n".join(texts) for name, texts in sections.items()}
    return parts


def _open_section(found: re.Match[str], text: str) -> str:
    """Return the first paragraph of a section, with its restriction in front."""
    restriction = found["after"] or found["inside"]
    if restriction:
        return f"*{_capitalise(' '.join(restriction.split()))}:* {text}"
    return _capitalise(text)


def _capitalise(text: str) -> str:
    """Capitalise the text, unless it begins with a symbol: ``r = 2`` is not ``R = 2``."""
    return text if re.match(r"\w\b|\w+ =", text) else text[0].upper() + text[1:]


def is_parameter_list(paragraph: str) -> bool:
    """Return whether every line of a paragraph is ``name : range and effect``."""
    flush = [line for line in paragraph.splitlines() if not line.startswith(" ")]
    return bool(flush) and all(_PARAMETER.match(line) for line in flush)


def parse_parameters(paragraph: str) -> dict[str, str]:
    """Return the text of each parameter in such a paragraph."""
    parameters: dict[str, str] = {}
    name = ""
    for line in paragraph.splitlines():
        match = _PARAMETER.match(line)
        if match:
            name = match["names"]
            parameters[name] = match["text"]
        else:
            parameters[name] += " " + line.strip()
    return parameters
