"""ONNX graphs, node by node, as the package ``onnx`` writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import MissingExtraError
from hardlimit.foundation.package import VERSION
from hardlimit.foundation.types import Array

try:
    from onnx import TensorProto, helper, numpy_helper
except ModuleNotFoundError as error:
    raise MissingExtraError(
        "ONNX files are written with the package onnx, which is not installed",
        fix="pip install 'hardlimit[onnx]'",
    ) from error

if TYPE_CHECKING:
    from onnx import ModelProto

# Operators as of 13, which every runtime since 2021 knows, and the file format of that release.
OPERATORS, FORMAT = 13, 7
ML = "ai.onnx.ml"  # the operators of machine learning, as of their first version
FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING


class Input(str):
    """The name of an input, which is the user's."""

    __slots__ = ()


class Graph:
    """A graph in the making: each node is added after those that it takes from.

    prefix : of the names of what is neither an input nor an output.
    """

    def __init__(self, prefix: str = "", outputs: Sequence[str] = ()) -> None:
        self._prefix, self._kept = prefix, frozenset(outputs)
        self._domains: set[str] = set()
        self._proto = helper.make_graph([], "hardlimit", [], [])

    def _full(self, name: str) -> str:
        is_own = isinstance(name, Input) or name in self._kept
        return str(name) if is_own else self._prefix + name

    def add(
        self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Any
    ) -> str:
        """Add a node; an attribute is a whole number, or a list of numbers or texts.

        Return the output.
        """
        self._domains.add(domain)
        node = helper.make_node(
            operator,
            [self._full(name) for name in inputs],
            [self._full(output)],
            name=f"{operator}_{output}",
            domain=domain,
            **attributes,
        )
        self._proto.node.append(node)
        return output

    def constant(self, name: str, values: Array | list[str]) -> str:
        """Add a tensor of numbers, or of texts. Return its name."""
        array = np.array(values, object) if isinstance(values, list) else values
        self._proto.initializer.append(numpy_helper.from_array(array, self._full(name)))
        return name

    def input(self, name: str, code: int, shape: Sequence[int | str]) -> str:
        """Declare an input; a text in its shape stands for any number. Return its name."""
        self._proto.input.append(helper.make_tensor_value_info(name, code, shape))
        return Input(name)

    def output(self, name: str, code: int, shape: Sequence[int | str]) -> None:
        """Declare what a node gives as an output."""
        self._proto.output.append(helper.make_tensor_value_info(name, code, shape))

    def model(self, says: str, properties: Mapping[str, str]) -> ModelProto:
        """Return the whole, with what it says of itself."""
        versions = {domain: 1 for domain in sorted(self._domains)} | {"": OPERATORS}
        model = helper.make_model(
            self._proto,
            ir_version=FORMAT,
            opset_imports=[helper.make_opsetid(*one) for one in versions.items()],
            producer_name="hardlimit",
            producer_version=VERSION,
            doc_string=says,
        )
        helper.set_model_props(model, dict(properties))
        return model


def code_of(values: Array | list[str]) -> int:
    """Return the code of the type of a tensor."""
    return STRING if isinstance(values, list) else helper.np_dtype_to_tensor_dtype(values.dtype)
