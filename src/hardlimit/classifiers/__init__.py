"""Classifiers that work without scikit-learn, and with it."""

from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.text import TextClassifier

__all__ = ["LinearClassifier", "TextClassifier"]
