"""The one door between data and HTML: whatever is no `Markup` is escaped.

Control characters, also those that turn the direction of writing, are shown and not obeyed; joiners
between letters stay, since Persian, Hindi and emoji are spelled with them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.foundation.formatting import escape_controls

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# zero-width joiners: emoji and several scripts are spelled with them, and they move no other text
_JOINERS = "\u200c\u200d"
_EMPTY = ("br", "col", "meta", "wbr")


class Markup(str):
    """HTML that is known to be whole and harmless."""

    __slots__ = ()


def escape(text: str) -> Markup:
    r"""Return a text as HTML shows it, on one line.

    >>> escape("a < b\n& </style>\x00\u202e")
    'a &lt; b &amp; &lt;/style&gt;\\x00\\u202e'
    """
    # HTML folds white space anyway, and no odd line separator gets through
    line = " ".join(text.split())
    # one look at the whole line, since nearly all are printable
    if not line.isprintable():
        line = "".join(c if c in _JOINERS else escape_controls(c) for c in line)
    return Markup(line.translate(_ESCAPES))


def render_label(label: Hashable) -> Markup:
    """Render a label or a column's name, apart from the direction of what is around it."""
    name, cut = _spell(label), cut_label(label)
    # bdi: a label in Arabic must not turn the sentence around it; the title has what was cut off
    title = name[:LONGEST_TITLE] if cut != name else None
    return tag("bdi", _breakable(cut) or "(empty)", title=title)


def render_label_on_a_line(label: Hashable) -> Markup:
    """Render a label on one line; the style sheet cuts it, and its title has the whole name."""
    title = _spell(label)[:LONGEST_TITLE] or None
    return tag("bdi", cut_label(label) or "(empty)", class_="line", title=title)


def _breakable(name: str) -> Markup:
    """Let a long name break where its words meet: at an underscore, a dot, a stroke, a hyphen."""
    words = _JOINTS.split(name) if len(name) > SHORT_NAME else [name]
    return Markup("<wbr>".join(map(escape, words)))


# behind a sign that joins words, and not before another such sign
_JOINTS = re.compile(r"(?<=[_./-])(?=\w)")
SHORT_NAME = 12
LONGEST_LABEL, LONGEST_TITLE = 60, 1000


def cut_label(label: Hashable) -> str:
    r"""Return a label on one line, cut where it is long.

    >>> cut_label(b"caf\xc3\xa9  noir"), len(cut_label("long " * 100))
    ('café noir', 60)
    """
    name = _spell(label)
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def _spell(label: Hashable) -> str:
    name = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    return " ".join(name.split())


def join(parts: Iterable[Any], between: str = "") -> Markup:
    """Join parts one after the other; None is left out, texts are escaped."""
    return Markup(between.join(_to_html(part) for part in parts if part is not None))


def _to_html(part: object) -> str:
    if isinstance(part, Markup):
        return part
    if isinstance(part, str):
        # space at the ends holds words of a sentence apart
        inner = escape(part)
        before = " " if part[:1].isspace() else ""
        after = " " if part[-1:].isspace() and inner else ""
        return f"{before}{inner}{after}"
    if isinstance(part, Iterable):
        return join(part)
    raise TypeError(f"no markup for {type(part).__name__}")  # a slip of ours


def tag(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """Make an element; ``class_`` and ``stroke_width`` become ``class`` and ``stroke-width``.

    Attributes of None are left out.

    >>> tag("p", "1 < 2 ", tag("b", "yes"), class_="note", title=None)
    '<p class="note">1 &lt; 2 <b>yes</b></p>'
    """
    attributes_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Markup(f"<{name}{attributes_text}>")
    return Markup(f"<{name}{attributes_text}>{join(children)}</{name}>")
