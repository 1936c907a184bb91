"""How matplotlib is asked to draw: the same everywhere, whatever the user's own settings.

The settings hold inside :func:`apply_settings` only. There is no pyplot: a figure is an object like
any other, needs no display, and is gone when nobody holds it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import MissingExtraError
from hardlimit.pictures import _palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETTINGS: dict[str, Any] = {
    "figure.dpi": 100,  # 6 inches are 600 pixels
    "savefig.dpi": 150,
    "font.family": "sans-serif",
    # The first comes with matplotlib, so that a layout is the same on every machine; the others
    # are for readers of an SVG file, and none of them is wider.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "Helvetica"],
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "figure.titlesize": 11,
    "figure.titleweight": "bold",
    "text.parse_math": False,  # a $ of the user's is a $
    "axes.formatter.use_mathtext": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": _palette.INK,
    "axes.labelcolor": _palette.INK,
    "text.color": _palette.INK,
    "xtick.color": _palette.INK,
    "ytick.color": _palette.INK,
    "grid.color": _palette.FAINT,
    "lines.linewidth": 1.6,
    "svg.fonttype": "none",  # text as text: it can be searched, read aloud and copied
    "svg.hashsalt": "hardlimit",
    "pdf.fonttype": 42,
}


@contextlib.contextmanager
def apply_settings() -> Iterator[None]:
    """Draw as :data:`SETTINGS` say, and leave matplotlib as it was."""
    require()
    from matplotlib import style

    # "default" first, or the user's own settings would show through
    with style.context(["default", SETTINGS]), warnings.catch_warnings():
        # A sign that the font lacks is a box in a PNG file, and itself in an SVG file.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def require() -> None:
    """Refuse to draw without matplotlib; the error has the command that installs it."""
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError(
            "pictures are drawn with matplotlib, which is not installed",
            fix="pip install 'hardlimit[plots]'",
        )


def make_figure(size: tuple[float, float]) -> Figure:
    """Return a figure of so many inches, whose layout keeps labels apart."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="compressed")  # constrained, and for one scale too


def draw_legend(figure: Figure, handles: list[Any], labels: list[str], columns: int = 4) -> None:
    """Explain the signs under the axes, never over the data, in columns that find room."""
    if not handles:
        return
    # A label that begins with an underscore would be left out.
    labels = [f" {label}" if label.startswith("_") else label for label in labels]
    widest = 0.75 + 0.085 * max(map(len, labels))  # inches
    most = min(columns, len(handles), max(1, int(figure.get_figwidth() / widest)))
    figure.legend(handles, labels, loc="outside lower center", ncols=most)


def draw_spot(axes: Axes, x: float, y: float) -> Any:
    """Mark one point that matters."""
    look: dict[str, Any] = {
        "markerfacecolor": _palette.YELLOW,
        "markeredgecolor": _palette.INK,
        "zorder": 5,
    }
    return axes.plot([x], [y], "o", markersize=9, clip_on=False, **look)[0]
