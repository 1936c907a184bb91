"""Measure the margin of given weights on labelled points."""
