"""Tables that scroll in a box of their own, lists of facts, and numbers as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardlimit.reports._markup import Markup, join, tag

Row = Sequence[Any]


def render_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Row],
    *,
    foot: object = None,
    kind: str | None = None,
) -> Markup:
    """Render a table; a column is of numbers if its name starts with ``>``.

    The first cell of a row names it. `Markup` of a ``td`` or ``th`` is a cell already. ``kind``
    is the class of the table in the style sheet.
    """
    right = [name.startswith(">") for name in head]
    top = [_render_head(name) for name in head]
    body = [_render_row(row, right) for row in rows]
    whole = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", top)),
        tag("tbody", body),
        class_=kind,
    )
    # tabindex: what scrolls must be reachable without a mouse
    box = tag("div", whole, class_="scroll", role="region", tabindex="0", aria_label=caption)
    return join([box, render_note(foot) if foot else None])


SHOWN_AT_ONCE, SHOWN_AT_ALL = 10, 200


def render_long_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Row],
    things: str,
    *,
    foot: object = None,
    kind: str | None = None,
) -> Markup:
    """Render the first rows of a table, the next in a part that is opened by a click.

    Rows beyond that are counted only. ``things`` is what the rows are, in the plural.
    """
    first, rest = rows[:SHOWN_AT_ONCE], rows[SHOWN_AT_ONCE:SHOWN_AT_ALL]
    # two rows would not be worth a click
    if len(rest) <= 2:
        first, rest = rows[: len(first) + len(rest)], []
    left = len(rows) - len(first) - len(rest)
    more = render_note(f"{left:,} more {things} are not shown.") if left else None
    table = render_table(caption, head, first, foot=foot, kind=kind)
    if not rest:
        return join([table, more])
    summary = tag("summary", f"{len(rest):,} more {things}")
    continued = render_table(f"{caption}, continued", head, rest, kind=kind)
    return join([table, tag("details", summary, continued, more)])


def _render_head(name: str) -> Markup:
    if isinstance(name, Markup):
        return name
    kind = "n" if name.startswith(">") else None
    return tag("th", name.lstrip(">"), scope="col", class_=kind)


def _render_row(row: Row, right: Sequence[bool]) -> Markup:
    cells = []
    for place, (cell, is_right) in enumerate(zip(row, right, strict=True)):
        if isinstance(cell, Markup) and cell.startswith("<td"):
            cells.append(cell)
            continue
        kind = "n" if is_right else None
        if place == 0:
            cells.append(tag("th", cell, scope="row", class_=kind))
        else:
            cells.append(tag("td", cell, class_=kind))
    return tag("tr", cells)


def render_facts(pairs: Sequence[tuple[str, Any]]) -> Markup:
    """Render a list of names and what is said of them."""
    return tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs])


def render_note(*text: Any) -> Markup:
    """Render a remark in small print."""
    return tag("p", *text, class_="note")


def render_bar(value: float, largest: float, sign: str | None = None) -> Markup:
    """Render a cell with a bar; for and against differ by colour and by hatching."""
    kind = sign or ("for" if value >= 0 else "against")
    share = min(1.0, abs(value) / largest) if largest > 0 else 0.0
    inner = tag("i", class_=kind, style=f"width:{100 * share:.1f}%")
    # hidden from screen readers, which find the number in the next cell
    return tag("td", tag("span", inner, class_="track"), class_="bars", aria_hidden="true")


def render_interval(ends: tuple[float, float] | None) -> Markup | None:
    """Render an interval beneath the number that it belongs to."""
    if ends is None:
        return None
    return tag("small", f"{ends[0]:.4f} – {ends[1]:.4f}")


def render_figure(value: float | None, ends: tuple[float, float] | None = None) -> Markup:
    """Render a share with four places and its interval; a dash where there is nothing to say."""
    if value is None:
        return join(["–"])
    return join([f"{value:.4f}", render_interval(ends)])


def format_percent(share: float) -> str:
    """Return a share for a sentence, never rounded to 0 or to all.

    >>> [format_percent(share) for share in (0.98476, 1.0, 0.99999, 0.00004)]
    ['98.48 %', '100 %', '99.999 %', '0.004 %']
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    # more places until it is neither 0 nor 100: one error in a million is not none
    for places in range(2, 8):
        text = f"{100 * share:.{places}f}"
        if float(text) not in (0.0, 100.0):
            return f"{text} %"
    return f"{100 * share:g} %"
