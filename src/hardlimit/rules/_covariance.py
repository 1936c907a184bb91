"""What the rules with a covariance share in words."""

from __future__ import annotations

COVARIANCE = "diagonal keeps a variance a column; full a matrix, columns x columns"
APART = (
    "a third class came to a model of two; coupled classes keep a covariance each and drop what "
    "they share, so that the one of two classes does not say theirs; name all classes from the "
    "start with partial_fit(..., classes=[...]), or fit anew"
)
