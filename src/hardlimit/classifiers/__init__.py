"""Classifiers that work without scikit-learn, and with it."""

from hardlimit.classifiers.linear import LinearClassifier

__all__ = ["LinearClassifier"]
