"""The confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.evaluation import figures
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Labels
from hardlimit.pictures import _palette, _text
from hardlimit.pictures._labels import to_list
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NUMBERS = 12  # classes, beyond which numbers would not be read
MOST_NAMES = 25


def confusion(y: Labels, predicted: Labels, *, classes: Labels | None = None) -> Picture:
    """Draw how often each true class was predicted as each class.

    Parameters
    ----------
    y, predicted
        Labels of the same rows.
    classes
        Their order; default: sorted. A class that occurs on neither side is left out.

    Notes
    -----
    A row of the matrix is a true class, and its colours are shares of that class, so that a rare
    class is seen as well as a frequent one. Numbers are written for up to 12 classes, names for up
    to 25.

    Examples
    --------
    >>> from hardlimit import pictures
    >>> picture = pictures.confusion(["a", "a", "b", "c"], ["a", "b", "b", "a"])
    >>> picture.data["classes"], picture.data["counts"]
    (['a', 'b', 'c'], [[1, 1, 0], [0, 1, 0], [1, 0, 0]])
    """
    known = None if classes is None else to_list(classes)
    matrix = figures(to_list(y), to_list(predicted), classes=known)
    order = [one.label for one in matrix.classes]
    counts = [[matrix.confusion.get((a, b), 0) for b in order] for a in order]
    data = {"classes": order, "counts": counts, "right": matrix.right, "rows": matrix.n}
    inches = min(7.0, max(4.0, 2.4 + 0.62 * len(order)))
    return Picture(
        name="confusion",
        title="Confusion matrix",
        description=f"Confusion matrix of {plural(matrix.n, 'row')} of "
        f"{plural(len(order), 'class', 'classes')}; {plural(matrix.right, 'row')} on the "
        "diagonal are correct. Colours are shares of the true class.",
        data=data,
        draw=_draw,
        size=(inches, inches + 0.3),
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    axes = figure.add_subplot()
    colors = LinearSegmentedColormap.from_list("hardlimit", _palette.SEQUENCE)
    # a class that was only predicted has a row of zeros
    shares = [[count / (sum(row) or 1) for count in row] for row in data["counts"]]
    n = len(shares)
    axes.pcolormesh(
        shares,
        cmap=colors,
        vmin=0,
        vmax=1,
        edgecolors=_palette.FAINT,
        linewidth=0.5 if n < 40 else 0,
    )
    axes.invert_yaxis()
    axes.set_aspect("equal")
    if n <= MOST_NUMBERS:
        _draw_numbers(axes, data["counts"], shares)
    _draw_names(axes, data["classes"])
    axes.spines[:].set_visible(False)
    order = "" if n <= MOST_NAMES else f", {plural(n, 'class', 'classes')} in order"
    axes.set_xlabel(f"predicted class{order}")
    axes.set_ylabel(f"true class{order}")
    axes.set_title(f"{data['right']:,} of {data['rows']:,} correct", fontsize=9)


def _draw_numbers(axes: Axes, counts: list[list[int]], shares: list[list[float]]) -> None:
    size = 10 if len(counts) <= 6 else 8
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            # ink cannot be read on the dark half of the colours
            color = "white" if shares[i][j] > 0.55 else _palette.INK
            if not count:
                color = "#999999"
            style: dict[str, Any] = {
                "ha": "center",
                "va": "center",
                "color": color,
                "fontsize": size,
            }
            axes.text(j + 0.5, i + 0.5, _format_count(count), **style)


def _format_count(count: int) -> str:
    """Return a count short enough for its cell.

    >>> _format_count(9999), _format_count(123456), _format_count(12345678)
    ('9999', '123k', '12.3M')
    """
    for least, unit in ((10**6, "M"), (10**4, "k")):
        if count >= least:
            return f"{count / least * (10 if unit == 'k' else 1):.3g}{unit}"
    return str(count)


def _draw_names(axes: Axes, classes: list[Any]) -> None:
    n = len(classes)
    named = n <= MOST_NAMES
    names = [_text.format_label(c, 14) for c in classes] if named else []
    ticks = [i + 0.5 for i in range(n)] if named else []
    size = 9 if n <= 12 else 7
    tall = sum(map(len, names)) > 6 * n or n > 6
    axes.set_xticks(ticks, names, fontsize=size, rotation=90 if tall else 0)
    axes.set_yticks(ticks, names, fontsize=size)
    axes.tick_params(length=0)
