"""The colours, markers and dashes of all pictures, in one place.

Okabe and Ito's colours, which people with any of the common kinds of colour blindness tell apart.
Whatever differs by colour differs by marker or dash as well, for those who see none and for print
in grey. Markers have dark edges, because the light colours alone are too weak on white.
"""

from __future__ import annotations

from typing import Any, NamedTuple

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"

INK = "#222222"  # text, axes, edges of markers
QUIET = "#6E6E6E"  # what is there for comparison only
FAINT = "#DDDDDD"  # grids

# From nothing to much: white to a blue whose lightness falls evenly, and so reads in grey.
SEQUENCE = ("#FFFFFF", "#D6E6F2", "#9CC6E2", "#4F9CCB", "#0072B2", "#003F66")


class DrawnStyle(NamedTuple):
    """How one of several things is drawn."""

    color: str
    marker: str
    dashes: Any


# Of classes: the first two differ most in lightness too.
CLASSES = (
    DrawnStyle(BLUE, "o", "-"),
    DrawnStyle(ORANGE, "s", (0, (5, 2))),
    DrawnStyle(GREEN, "^", (0, (1, 1.2))),
    DrawnStyle(PURPLE, "D", (0, (6, 2, 1, 2))),
    DrawnStyle(YELLOW, "v", (0, (3, 1, 1, 1, 1, 1))),
    DrawnStyle(SKY, "P", (0, (8, 3))),
    DrawnStyle(VERMILLION, "X", (0, (2, 2))),
    DrawnStyle("#999999", "*", (0, (4, 1, 1, 1))),
)

# Of lines, which have no edges: only colours that are strong on white.
LINES = (
    DrawnStyle(BLUE, "o", "-"),
    DrawnStyle(VERMILLION, "s", (0, (5, 2))),
    DrawnStyle(GREEN, "^", (0, (1, 1.2))),
    DrawnStyle(BLACK, "D", (0, (6, 2, 1, 2))),
    DrawnStyle("#9A5580", "v", (0, (3, 1, 1, 1, 1, 1))),
    DrawnStyle("#A87400", "P", (0, (8, 3))),
    DrawnStyle("#2C7FA8", "X", (0, (2, 2))),
)


def of_class(number: int) -> DrawnStyle:
    """Return the look of a class; they come again after eight."""
    return CLASSES[number % len(CLASSES)]


def of_line(number: int) -> DrawnStyle:
    """Return the look of a line; they come again after seven."""
    return LINES[number % len(LINES)]
