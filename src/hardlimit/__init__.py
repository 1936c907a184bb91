"""Error-driven linear classification: the perceptron and its kin."""

__version__ = "0.1.0"
