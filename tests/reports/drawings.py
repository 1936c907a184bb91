"""The pictures of a report read back: from places in the SVG to the numbers that they stand for."""

from __future__ import annotations

import re
from xml.etree import ElementTree


def number(text):
    """The number of a tick: 25k is 25,000."""
    return float(text[:-1]) * 1000 if text.endswith("k") else float(text)


class Drawing:
    """One picture; places are turned into numbers by the ticks of its own axes."""

    def __init__(self, figure):
        self.figure = figure
        self.svg = figure.find("svg")
        self.title = figure.find("figcaption").text
        self.label = self.svg.get("aria-label")
        texts = [one for one in self.svg.findall("text") if one.text]
        below = max(float(one.get("y")) for one in texts if is_number(one.text))
        self.x_ticks = [
            (number(one.text), float(one.get("x"))) for one in texts if float(one.get("y")) == below
        ]
        self.y_ticks = [
            (number(one.text), float(one.get("y")) - 4)
            for one in texts
            if one.get("text-anchor") == "end" and float(one.get("y")) != below
            and is_number(one.text)
        ]  # fmt: skip
        self.names = [one.text for one in texts if not is_number(one.text)]

    def x(self, place):
        return between(self.x_ticks, place)

    def y(self, place):
        return between(self.y_ticks, place)

    def lines(self):
        """The points of each line, as numbers."""
        return [self.points(one.get("d")) for one in self.svg.findall("path")]

    def points(self, path):
        pairs = re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)
        assert len(pairs) == len(re.findall("[A-Za-z]", path))
        return [(self.x(float(a)), self.y(float(b))) for a, b in pairs]

    def dots(self, kind="one"):
        """The places of the dots of a kind, as numbers."""
        return [
            (self.x(float(one.get("cx"))), self.y(float(one.get("cy"))))
            for one in self.svg.findall("circle")
            if kind in one.get("class").split()
        ]

    def bars(self, kind="one"):
        """Of the bars of a kind: left edge, right edge, height."""
        found = []
        for one in self.svg.findall("rect"):
            if kind in one.get("class").split():
                x, y, wide, tall = (float(one.get(k)) for k in ("x", "y", "width", "height"))
                zero = dict(self.y_ticks)[0.0]
                assert abs(y + tall - zero) < 0.11  # it stands on the axis
                found.append((self.x(x), self.x(x + wide), self.y(y)))
        return found

    def legend(self):
        return [item.find("i").tail for item in self.figure.iter("li")]


def is_number(text):
    return re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?k?", text) is not None


def between(ticks, place):
    """The number at a place, from the first and the last tick."""
    (a, p), (b, q) = ticks[0], ticks[-1]
    return a + (place - p) / (q - p) * (b - a)


def drawings_of(page):
    """All pictures of a page by title."""
    figures = re.findall(r"<figure>.*?</figure>", page, re.S)
    drawn = [Drawing(ElementTree.fromstring(one)) for one in figures]
    return {one.title: one for one in drawn}
