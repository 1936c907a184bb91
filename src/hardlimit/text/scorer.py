"""The door to the compiled scorer of saved text models; importing it does not import numpy."""

from hardlimit._native import TextScorer

__all__ = ["TextScorer"]
