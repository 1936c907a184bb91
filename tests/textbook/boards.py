"""The data of the blackboard."""

from __future__ import annotations

from fractions import Fraction

from hardlimit import textbook

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])

W1 = """0.1 1.1  6.8 7.1  -3.5 -4.1  2.0 2.7  4.1 2.8  3.1 5.0  -0.8 -1.3  0.9 1.2  5.0 6.4
        3.9 4.0"""
W2 = """7.1 4.2  -1.4 -4.3  4.5 0.0  6.3 1.6  4.2 1.9  1.4 -3.2  2.4 -4.0  2.5 -6.1  8.4 3.7
        4.1 -2.2"""
W3 = """-3.0 -2.9  0.5 8.7  2.9 2.1  -0.1 5.2  -4.0 2.2  -1.3 3.7  -3.4 6.2  -4.1 3.4  -5.1 1.6
        1.9 5.1"""


def pairs(text):
    words = text.split()
    return list(zip(words[::2], words[1::2], strict=True))


def modified_or(bias_feature=-1, **settings):
    return textbook.examples(*OR, bias_feature=bias_feature, **settings)


def exercise(first, second, **settings):
    """Duda, Hart and Stork, chapter 5: ten points of each of two classes."""
    X = pairs(first) + pairs(second)
    return textbook.examples(X, [1] * 10 + [-1] * 10, bias_feature=1, **settings)


def vector(text):
    """Fractions from "1/2 1/2 0"."""
    return tuple(map(Fraction, text.split()))
