"""What every picture is: its numbers, and a way to draw them."""

from __future__ import annotations

import io
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.pictures import _style, _svg, _text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
# Nothing of when, where and by what it was drawn.
_SILENT: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
}


@dataclass(frozen=True)
class Picture:
    """A figure as numbers, drawn when asked for.

    Attributes
    ----------
    name
        That of the function which made it.
    title, description
        What it shows, and what it says, in words: for those who do not see it.
    data
        All that is drawn, as plain lists, dicts, numbers and strings.
    size
        Width and height in inches; at 100 pixels an inch it reads well 600 pixels wide.

    Notes
    -----
    The same numbers give the same bytes, with the same version of matplotlib. The numbers need no
    matplotlib; drawing does: ``pip install 'hardlimit[plots]'``.
    """

    name: str
    title: str
    description: str
    data: dict[str, Any] = field(repr=False)
    draw: Callable[[Figure, dict[str, Any]], None] = field(repr=False)
    size: tuple[float, float] = (6.0, 4.2)

    def figure(self) -> Figure:
        """Return a new figure of matplotlib, of this picture alone; pyplot does not know of it."""
        with _style.apply_settings():
            return self._render()

    def svg(self, prefix: str | None = None) -> str:
        """Return the picture as an ``<svg>`` element that can stand in a page of HTML.

        ``prefix`` is put before every id, so that several pictures do not mix theirs up: letters,
        digits, ``-`` and ``_``; default: the name and ``-``.
        """
        prefix = f"{self.name}-" if prefix is None else prefix
        # it goes into ids and into url(#...), where other signs would break the page
        if not re.fullmatch(r"([A-Za-z_][A-Za-z0-9_-]*)?", prefix):
            wanted = "letters, digits, - and _, a letter first"
            raise InputError(who="Picture.svg", parameter="prefix", got=prefix, wanted=wanted)
        return _svg.make_inline(self._to_bytes("svg"), prefix, self.title, self.description)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a PNG, SVG or PDF file, by the extension; whole or not at all."""
        kind = check_extension(path).removeprefix(".")
        if kind == "svg":
            content = f'<?xml version="1.0" encoding="UTF-8"?>\n{self.svg()}'.encode()
        else:
            content = self._to_bytes(kind)
        with replacing(path) as temporary:
            Path(temporary).write_bytes(content)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON: name, title, description and data; what is not finite is null."""
        words = {"name": self.name, "title": self.title, "description": self.description}
        return words | {"data": _to_json_value(self.data)}

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return self.svg()

    def _render(self) -> Figure:
        figure = _style.make_figure(self.size)
        figure.suptitle(_text.wrap(self.title, int(11 * self.size[0])))
        self.draw(figure, self.data)
        return figure

    def _to_bytes(self, kind: str) -> bytes:
        file = io.BytesIO()
        with _style.apply_settings():
            self._render().savefig(file, format=kind, metadata=_SILENT[kind])
        return file.getvalue()


def check_extension(path: str | os.PathLike[str]) -> str:
    """Return the extension of a path, where a picture can be written under it.

    >>> check_extension("steps.SVG")
    '.svg'
    """
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in FORMATS:
        raise InputError(
            where=os.fspath(path),
            got=ending or Given("no extension"),
            wanted=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]} as the extension",
        )
    return ending


def _to_json_value(value: object) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, dict):
        return {str(key): _to_json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json_value(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    # labels may be of any kind, and JSON has few
    return value if isinstance(value, str | int | None) else str(value)
