"""ONNX graphs: nodes, tensors, inputs and outputs, in the field numbers of ``onnx.proto``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hardlimit.classifiers.exporting.protobuf import begun, each, nested, text, whole
from hardlimit.foundation.package import VERSION
from hardlimit.foundation.types import Array

# Operators as of 13, which every runtime since 2021 knows, and the file format of that release.
OPERATORS, FORMAT = 13, 7
FLOAT, INT64, STRING, BOOL, DOUBLE = 1, 7, 8, 9, 11
_CODES = {"float32": FLOAT, "int64": INT64, "bool": BOOL, "float64": DOUBLE}
_INT, _INTS, _STRINGS = 2, 7, 8  # kinds of attributes
ML = "ai.onnx.ml"  # the operators of machine learning, as of their first version


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
        self.nodes: list[bytes] = []
        self.tensors: list[bytes] = []
        self.inputs: list[bytes] = []
        self.outputs: list[bytes] = []

    def _full(self, name: str) -> str:
        is_own = isinstance(name, Input) or name in self._kept
        return name if is_own else self._prefix + name

    def add(
        self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Any
    ) -> str:
        """Add a node; an attribute is a whole number, or a list of numbers or texts.

        Return the output.
        """
        made = [_attribute(name, value) for name, value in sorted(attributes.items())]
        name = text(3, f"{operator}_{output}")
        given = each(1, map(self._full, inputs))
        parts = [given, text(2, self._full(output)), name, text(4, operator), *made]
        if domain:
            self._domains.add(domain)
            parts.append(text(7, domain))
        self.nodes.append(nested(1, *parts))
        return output

    def constant(self, name: str, values: Array | list[str]) -> str:
        """Add a tensor of numbers, or of texts. Return its name."""
        self.tensors.append(nested(5, *_tensor(self._full(name), values)))
        return name

    def input(self, name: str, code: int, shape: Sequence[int | str]) -> str:
        """Declare an input; a text in its shape stands for any number. Return its name."""
        self.inputs.append(nested(11, _value(name, code, shape)))
        return Input(name)

    def output(self, name: str, code: int, shape: Sequence[int | str]) -> None:
        """Declare what a node gives as an output."""
        self.outputs.append(nested(12, _value(name, code, shape)))

    def model(self, says: str, properties: Mapping[str, str]) -> list[bytes]:
        """Return the parts of the file, one after the other."""
        body = [*self.nodes, text(2, "hardlimit"), *self.tensors, *self.inputs, *self.outputs]
        return [
            whole(1, FORMAT) + text(2, "hardlimit") + text(3, VERSION) + text(6, says),
            # The length first: large tensors are not joined to a copy.
            begun(7, sum(map(len, body))),
            *body,
            nested(8, text(1, ""), whole(2, OPERATORS)),
            *(nested(8, text(1, one), whole(2, 1)) for one in sorted(self._domains)),
            *(nested(14, text(1, key), text(2, value)) for key, value in properties.items()),
        ]


def code_of(values: Array | list[str]) -> int:
    """Return the code of the type of a tensor."""
    return STRING if isinstance(values, list) else _CODES[values.dtype.name]


def _attribute(name: str, value: int | list[int] | list[str]) -> bytes:
    if isinstance(value, list) and value and isinstance(value[0], str):
        return nested(5, text(1, name), each(9, map(str, value)), whole(20, _STRINGS))
    if isinstance(value, list):
        written = b"".join(whole(8, int(one)) for one in value)
        return nested(5, text(1, name), written, whole(20, _INTS))
    return nested(5, text(1, name), whole(3, value), whole(20, _INT))


def _tensor(name: str, values: Array | list[str]) -> list[bytes]:
    if isinstance(values, list):
        dims, content = [len(values)], each(6, values)
    else:
        dims = list(values.shape)
        little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        content = nested(9, little.tobytes())
    shape = b"".join(whole(1, extent) for extent in dims)
    return [shape, whole(2, code_of(values)), text(8, name), content]


def _value(name: str, code: int, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(
        nested(1, text(2, extent) if isinstance(extent, str) else whole(1, extent))
        for extent in shape
    )
    kind = nested(1, whole(1, code), nested(2, dims))
    return text(1, name) + nested(2, kind)
