"""From matplotlib's SVG to one that can stand in a page beside others.

Ids are made unique by a prefix, style sheets that would reach into the page go, and so does what
names the program. A title and a description come in for those who do not see the picture.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

_XLINK = "{http://www.w3.org/1999/xlink}"
_SPACES = {"xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink"}
_LEFT_OUT = {"metadata", "title", "style"}


def make_inline(drawn: bytes, prefix: str, title: str, description: str) -> str:
    """Return an ``<svg>`` element for a page, made of matplotlib's own."""
    # Pages hold several pictures: equal ids would make one show the clip paths of another.
    root = ElementTree.fromstring(drawn)  # our own bytes, not a stranger's
    for element in list(root.iter()):
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {
            _local_name(name): _prefix_id(_local_name(name), value, prefix)
            for name, value in element.attrib.items()
        }
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in _LEFT_OUT]:
            parent.remove(child)
    ids = f"{prefix}title", f"{prefix}desc"
    root.attrib |= _SPACES | {
        "role": "img",
        "aria-labelledby": " ".join(ids),
        # What matplotlib says in a style sheet for all elements; it is inherited.
        "style": "stroke-linejoin: round; stroke-linecap: butt",
    }
    # from behind, because a title is only read aloud as the first child
    for tag, id_, text in zip(("desc", "title"), ids[::-1], (description, title), strict=True):
        element = ElementTree.Element(tag, {"id": id_})
        element.text = text
        root.insert(0, element)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _local_name(name: str) -> str:
    """Return ``xlink:href`` as it is, and every other name without its namespace."""
    return f"xlink:{name.removeprefix(_XLINK)}" if name.startswith(_XLINK) else name


def _prefix_id(name: str, value: str, prefix: str) -> str:
    """Return an id, or a reference to one, with the prefix."""
    if name == "id":
        return prefix + value
    if name == "xlink:href" and value.startswith("#"):
        return f"#{prefix}{value[1:]}"
    return re.sub(r"url\(#", f"url(#{prefix}", value)
