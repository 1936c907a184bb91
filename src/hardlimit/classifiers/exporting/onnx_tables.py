"""The columns of a mixed table as inputs of an ONNX graph, one each, and their rows of features.

::

    number   double (N, 1) -> (x - mean) / deviation -> single precision, times its weight
    category string (N, 1) -> OneHotEncoder (ai.onnx.ml)             , times its weight

side by side, in the order of the columns. A missing number is NaN, a missing category "".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.classifiers.exporting.graph import FLOAT, ML, STRING, Graph
from hardlimit.exceptions import InputError
from hardlimit.foundation.tables import name_column
from hardlimit.foundation.types import Array
from hardlimit.tables.categories import CategoryBlock
from hardlimit.tables.numbers import NumberBlock

if TYPE_CHECKING:
    from hardlimit.tables import TableVectorizer


OUTPUTS = ("label", "probabilities", "scores")
PREFIX = "hardlimit/"  # of all that is neither a column nor an output: columns have any names
ROWS = "N"


def reason_against(vectorizer: TableVectorizer) -> str:
    """Return why ONNX cannot make these columns to features; empty where it can."""
    for block in vectorizer.blocks:
        reason = _reason(block)
        if not reason and (not block.name or block.name in OUTPUTS):
            reason = "would be an input without a name of its own; rename it"
        if reason:
            return f"the column {name_column(block.name)!r} {reason}"
    return ""


@singledispatch
def _reason(block: object) -> str:
    """Return why ONNX cannot make features of this column."""
    return (
        "is a text, and ONNX has no operators for texts as hardlimit cuts, normalises and hashes "
        "them"
    )


@_reason.register(CategoryBlock)
def _(block: CategoryBlock) -> str:
    if block.bits is not None:
        return "has hashed categories, and ONNX has no operator for BLAKE2b"
    return "" if _are_utf8(block.values) else "has categories that are no Unicode"


@_reason.register(NumberBlock)
def _(block: NumberBlock) -> str:
    return ""


def _are_utf8(values: Iterable[str | None]) -> bool:
    try:
        "".join(value or "" for value in values).encode()
    except UnicodeEncodeError:
        return False
    return True


def weights_in_order(vectorizer: TableVectorizer, weights: Array) -> Array:
    """Return the rows of weights in the order in which the columns stand here."""
    ordered: Array = weights[np.concatenate(vectorizer.places)]
    return ordered


def add_rows(graph: Graph, vectorizer: TableVectorizer, dtype: np.dtype[Any], code: int) -> str:
    """Add an input a column and what makes features of them; return the features."""
    parts = []
    for k, (block, scale) in enumerate(zip(vectorizer.blocks, vectorizer.scales, strict=True)):
        weight = graph.constant(f"scale_{k}", np.array(scale, np.float32))
        made = _add(block, graph, k, dtype, code)
        parts += [graph.add("Mul", [one, weight], f"block_{k}_{n}") for n, one in enumerate(made)]
    together = graph.add("Concat", parts, "joined", axis=1)
    return graph.add("Cast", [together], "rows", to=code)


@singledispatch
def _add(block: object, graph: Graph, k: int, dtype: np.dtype[Any], code: int) -> list[str]:
    """Add the input of a column and what makes its features; return these."""
    raise TypeError("a column that was refused")


@_add.register(NumberBlock)
def _(block: NumberBlock, graph: Graph, k: int, dtype: np.dtype[Any], code: int) -> list[str]:
    """Standardise a number; a missing one is the mean, and 1 in a column of its own if it has one.

    Without that column, and where missing values are refused, NaN stays NaN.
    """
    with np.errstate(over="ignore", under="ignore"):
        mean_of, deviation_of = np.array([block.mean, block.deviation]).astype(dtype)
    if not np.isfinite(mean_of) or not 0 < deviation_of < np.inf:
        raise InputError(
            f"the mean or the deviation of the column {block.name!r} is out of the range of "
            f"{dtype}",
            who="to_onnx",
            parameter="dtype",
            got=str(dtype),
            wanted="float64",
        )
    given = graph.input(block.name, code, [ROWS, 1])
    mean = graph.constant(f"mean_{k}", np.array(block.mean, dtype))
    deviation = graph.constant(f"deviation_{k}", np.array(block.deviation, dtype))
    apart = graph.add("Sub", [given, mean], f"apart_{k}")
    scaled = graph.add("Div", [apart, deviation], f"scaled_{k}")
    # As the rows that were learnt from.
    single = graph.add("Cast", [scaled], f"single_{k}", to=FLOAT)
    if block.missing != "mean":
        return [single]
    gone = graph.add("IsNaN", [given], f"gone_{k}")
    zero = graph.constant(f"zero_{k}", np.array(0, np.float32))
    there = graph.add("Where", [gone, zero, single], f"there_{k}")
    if not block.marked:
        return [there]
    return [there, graph.add("Cast", [gone], f"marked_{k}", to=FLOAT)]


@_add.register(CategoryBlock)
def _(block: CategoryBlock, graph: Graph, k: int, dtype: np.dtype[Any], code: int) -> list[str]:
    """Put a 1 in the column of the value; a value that training did not see is in none."""
    given = graph.input(block.name, STRING, [ROWS, 1])
    values = [value or "" for value in block.values]
    wide = graph.add("OneHotEncoder", [given], f"wide_{k}", ML, cats_strings=values, zeros=1)
    axis = graph.constant(f"axis_{k}", np.array([1], np.int64))
    return [graph.add("Squeeze", [wide, axis], f"one_hot_{k}")]
