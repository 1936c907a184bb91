"""Linear models over numbers as ONNX: labels, scores, and probabilities where there are some.

::

    X -> (X - shift) / unit, or X / ||X|| -> MatMul, Add -> scores
    columns of a table -> rows (onnx_tables) -> MatMul, Add -> scores
    two classes:   score > threshold -> label          more:   ArgMax -> label

Standard operators only, and of tables OneHotEncoder of ``ai.onnx.ml``; in double precision unless
single is asked for. The operator ``LinearClassifier`` of ``ai.onnx.ml`` would have single precision
alone, and no threshold.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit.classifiers.exporting import onnx_tables
from hardlimit.classifiers.exporting.graph import INT64, Graph, code_of
from hardlimit.classifiers.model.answers import Votes
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.conflicts_of_commands import OWN_FORMAT
from hardlimit.classifiers.model.conflicts_of_requests import check_request
from hardlimit.classifiers.model.model import Model, check_finite
from hardlimit.exceptions import Given, InputError, Setting, Text
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import check_path
from hardlimit.foundation.parameters import is_among
from hardlimit.foundation.types import Array, PathLike

if TYPE_CHECKING:
    from hardlimit.evaluation.calibration import Slope

WHO = "to_onnx"
DTYPES = ("float64", "float32")
# A message of protocol buffers has less than 2 GiB.
MOST_BYTES = (1 << 31) - (1 << 20)
ROWS = "N"  # any number of them


class Exported(NamedTuple):
    """What was written: the names of the outputs, in their order, and the bytes of the file."""

    outputs: tuple[str, ...]
    n_bytes: int


def write(
    model: Model,
    path: PathLike,
    dtype: Any,
    slope: Slope | None,
    columns: Sequence[str] | None = None,
) -> Exported:
    """Write a model as an ONNX file, whole or not at all.

    columns : names of the columns for the file, where the model itself knows none.

    Raises
    ------
    InputError
        A model that ONNX has no operators for, or that this dtype cannot hold; it says which.
    FileError
        A path that cannot be written.
    MissingExtraError
        Without the package ``onnx``, which is asked for when this module is imported.
    """
    check_path(path)
    if not is_among(dtype, DTYPES):
        raise InputError(who=WHO, parameter="dtype", got=dtype, wanted=" or ".join(DTYPES))
    refuse_others(model)
    with model.reading:
        graph = _Exporting(model, np.dtype(dtype)).graph(slope)
        properties = _properties(model, _names(model, columns))
    proto = graph.model(_describe(model), properties)
    n_bytes = proto.ByteSize()
    _check_size(n_bytes)
    with replacing(path) as temporary, open(temporary, "wb") as file:
        # So that the same model gives the same bytes.
        file.write(proto.SerializeToString(deterministic=True))
    return Exported(_outputs(slope), n_bytes)


def _check_size(n_bytes: int) -> None:
    if n_bytes > MOST_BYTES:
        raise InputError(
            f"the file would have {plural(n_bytes, 'byte')} or more, and an ONNX file has less "
            "than 2 GiB",
            who=WHO,
            fix=OWN_FORMAT,
        )


def refuse_others(model: Model) -> None:
    """Refuse models whose prediction ONNX cannot express, or not as hardlimit computes it."""
    choices, answer = model.choices, model.answer
    is_table = choices.text is not None and choices.text.table is not None
    targets = model.classes.targets
    asked = Ask(command="export", features=model.form.features, targets=targets)
    try:
        check_request(asked)
    except InputError as error:
        raise error.replaced(who=WHO) from None
    if is_table and (why := onnx_tables.reason_against(_vectorizer(model))):
        reason = why
    elif isinstance(answer, Votes):
        reason = "a vote has no single weights"
    elif choices.map is not None:
        reason = "ONNX has no operator for the columns that a feature map computes"
    else:
        return
    fix: Text = OWN_FORMAT
    if isinstance(answer, Votes):
        fix = ("export ", Setting("readout", "averaged"), ", which answers much like it")
    raise InputError(reason, who=WHO, fix=fix)


def _vectorizer(model: Any) -> Any:
    """Return what makes rows of the columns of a table; None for a model of numbers."""
    return None if model.choices.text is None else model.vectorizer


def _outputs(slope: Slope | None) -> tuple[str, ...]:
    # In this order scikit-learn's converter gives them; scores come in addition.
    return ("label", "scores") if slope is None else ("label", "probabilities", "scores")


def _names(model: Any, columns: Sequence[str] | None) -> Sequence[str] | None:
    found: Sequence[str] | None = model.form.columns or model.feature_names or columns
    return found


def _describe(model: Model) -> str:
    classes, threshold = model.classes.numbers, model.threshold
    first, second = list(classes)[:2]
    if len(classes) > 2:
        count = plural(len(classes), "class", "classes")
        return f"A linear classifier of {count}: the label has the largest score."
    return (
        (f"A linear classifier: {second!r} where the score exceeds {threshold!r}, else {first!r}.")
        .encode("ascii", "backslashreplace")
        .decode()
    )


def _properties(model: Model, columns: Sequence[str] | None) -> dict[str, str]:
    classes = [str(label) for label in model.classes.numbers]
    found = {"classes": json.dumps(classes)}
    if columns is not None:
        found["feature_names"] = json.dumps(list(columns))
    return found


class _Exporting:
    """A model's parts as tensors of one type."""

    def __init__(self, model: Model, dtype: np.dtype[Any]) -> None:
        self.model, self.dtype, self.code = model, dtype, code_of(np.empty(0, dtype))
        # Before the weights lie in memory three times.
        _check_size((model.n_columns + 1) * model.classes.n_outputs * dtype.itemsize)
        self.weights = model.weights()
        check_finite(np.isfinite(self.weights).all())

    def graph(self, slope: Slope | None) -> Graph:
        n_outputs, weights = self.weights.shape[1], self.weights[:-1]
        vectorizer = _vectorizer(self.model)
        if vectorizer is None:
            graph = Graph()
            rows = self._scaled(graph, graph.input("X", self.code, [ROWS, len(weights)]))
        else:
            onnx_tables.refuse_dtype(vectorizer, self.dtype)
            graph = Graph(onnx_tables.PREFIX, onnx_tables.OUTPUTS)
            rows = onnx_tables.add_rows(graph, vectorizer, self.dtype, self.code)
            weights = onnx_tables.weights_in_order(vectorizer, weights)
        bias = self.weights[-1] * self.model.choices.bias
        product = graph.add("MatMul", [rows, self._numbers(graph, "W", weights)], "XW")
        wide = "scores" if n_outputs > 1 else "column"
        graph.add("Add", [product, self._numbers(graph, "intercept", bias)], wide)
        labels = self._labels()
        if n_outputs > 1:
            graph.add("ArgMax", [wide], "best", axis=1, keepdims=0)
        else:
            self._decide(graph, wide)
        graph.add("Gather", [graph.constant("classes", labels), "best"], "label", axis=0)
        graph.output("label", code_of(labels), [ROWS])
        if slope is not None:
            self._probabilities(graph, wide, slope.a)
            graph.output("probabilities", self.code, [ROWS, max(n_outputs, 2)])
        graph.output("scores", self.code, [ROWS, n_outputs] if n_outputs > 1 else [ROWS])
        return graph

    def _decide(self, graph: Graph, column: str) -> None:
        """Two classes: the second where the score exceeds the threshold, else the first."""
        axis = graph.constant("axis", np.array([1], np.int64))
        graph.add("Squeeze", [column, axis], "scores")
        threshold = self._numbers(graph, "threshold", np.array(self.model.threshold))
        graph.add("Greater", ["scores", threshold], "is_second")
        graph.add("Cast", ["is_second"], "best", to=INT64)

    def _scaled(self, graph: Graph, rows: str) -> str:
        """The rows as the learner sees them; a column's shift and unit, or a length a row."""
        scale = self.model.scale
        if scale is None:
            return rows
        if not self.model.choices.scale.measures:  # type: ignore[union-attr]
            graph.add("ReduceL2", [rows], "length", axes=[1], keepdims=1)
            # A row of zeros stays: it is divided by 1.
            zero = self._numbers(graph, "zero", np.array(0.0))
            graph.add("Equal", ["length", zero], "is_zero")
            graph.add("Cast", ["is_zero"], "one_or_zero", to=self.code)
            graph.add("Add", ["length", "one_or_zero"], "divisor")
            return graph.add("Div", [rows, "divisor"], "scaled")
        arrays, n_columns = scale.arrays(), len(self.weights) - 1
        shifts, units = np.zeros(n_columns), np.ones(n_columns)
        shifts[arrays["columns"]], units[arrays["columns"]] = arrays["shifts"], arrays["units"]
        if shifts.any():
            rows = graph.add("Sub", [rows, self._numbers(graph, "shifts", shifts)], "shifted")
        return graph.add("Div", [rows, self._numbers(graph, "units", units, "units")], "scaled")

    def _probabilities(self, graph: Graph, wide: str, a: float) -> None:
        slope = self._numbers(graph, "slope", np.array(a))
        if wide == "scores":
            graph.add("Mul", [wide, slope], "logits")
            graph.add("Softmax", ["logits"], "probabilities", axis=1)
            return
        graph.add("Sub", [wide, "threshold"], "centred")
        graph.add("Mul", ["centred", slope], "logit")
        graph.add("Neg", ["logit"], "negative")
        graph.add("Sigmoid", ["negative"], "first")
        graph.add("Sigmoid", ["logit"], "second")
        graph.add("Concat", ["first", "second"], "probabilities", axis=1)

    def _numbers(self, graph: Graph, name: str, values: Array, of: str = "") -> str:
        """Add numbers in the precision that is asked for; units that are none are refused."""
        with np.errstate(over="ignore", under="ignore"):
            written = np.asarray(values).astype(self.dtype)
        if not np.isfinite(written).all() or (of == "units" and not (written > 0).all()):
            raise InputError(
                f"a number of the model is out of the range of {self.dtype}",
                who=WHO,
                parameter="dtype",
                got=str(self.dtype),
                wanted="float64",
            )
        return graph.constant(name, written)

    def _labels(self) -> Array | list[str]:
        labels: list[Any] = list(self.model.classes.numbers)
        kinds = {type(label) for label in labels}
        if kinds == {str} and all(_is_utf8(label) for label in labels):
            return labels
        if kinds == {int} and all(-(1 << 63) <= label < 1 << 63 for label in labels):
            return np.array(labels, np.int64)
        if kinds == {bool}:
            return np.array(labels, np.bool_)
        if kinds == {float}:
            return np.array(labels, np.float64)
        raise InputError(
            who=f"{WHO}: the labels",
            got=Given(", ".join(sorted(kind.__name__ for kind in kinds))),
            wanted="labels of one kind: texts in Unicode, whole numbers of 64 bits, floats or bool",
            fix="train with such labels, or save the model in its own format",
        )


def _is_utf8(label: Any) -> bool:
    try:
        str(label).encode()
    except UnicodeEncodeError:
        return False
    return True
