"""ONNX files read by their specification and computed with numpy: a second way, no library."""

import numpy as np

DTYPES = {1: np.float32, 7: np.int64, 9: np.bool_, 11: np.float64}


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return (number - (1 << 64) if number >> 63 else number), at


def fields(data):
    """Field numbers, each with its values in order."""
    at, found = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        assert key & 7 in (0, 2)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at : at + value], at + value
        found.setdefault(key >> 3, []).append(value)
    return found


def tensor(data):
    f = fields(data)
    kind = f[2][0]
    values = f[6] if kind == 8 else np.frombuffer(f[9][0], DTYPES[kind])
    if kind == 8:
        values = np.array([value.decode() for value in values])
    return f[8][0].decode(), values.reshape(f.get(1, []))


def declared(data):
    f = fields(data)
    kind = fields(fields(f[2][0])[1][0])
    dims = [fields(d) for d in fields(kind[2][0]).get(1, [])]
    shape = [d[1][0] if 1 in d else d[2][0].decode() for d in dims]
    return f[1][0].decode(), (kind[1][0], shape)


def softmax(x):
    p = np.exp(x - x.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


OPERATORS = {
    "MatMul": lambda a, b: a @ b,
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Neg": lambda a: -a,
    "Equal": lambda a, b: a == b,
    "Greater": lambda a, b: a > b,
    "Sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "Squeeze": lambda a, axes: a.squeeze(tuple(axes)),
    "Cast": lambda a, to: a.astype(DTYPES[to]),
    "ReduceL2": lambda a, axes, keepdims: np.sqrt((a * a).sum(tuple(axes), keepdims=keepdims)),
    "ArgMax": lambda a, axis, keepdims: a.argmax(axis),
    "Gather": lambda a, b, axis: np.take(a, b, axis),
    "Softmax": lambda a, axis: softmax(a),
    "Concat": lambda *parts, axis: np.concatenate(parts, axis),
    "IsNaN": np.isnan,
    "Where": np.where,
    "OneHotEncoder": lambda a, cats_strings, zeros: (a[..., None] == np.array(cats_strings)).astype(
        np.float32
    ),
}


class OnnxFile:
    """The graph of a file; ``run`` computes it."""

    def __init__(self, data):
        model = fields(data)
        self.format, self.says = model[1][0], model[6][0].decode()
        pairs = [fields(one) for one in model[14]]
        self.properties = {one[1][0].decode(): one[2][0].decode() for one in pairs}
        domains = [fields(one) for one in model[8]]
        self.domains = {one[1][0].decode(): one[2][0] for one in domains}
        self.operators = self.domains[""]
        graph = fields(model[7][0])
        self.tensors = dict(map(tensor, graph[5]))
        self.inputs = dict(map(declared, graph[11]))
        self.outputs = dict(map(declared, graph[12]))
        self.nodes = [fields(node) for node in graph[1]]

    def run(self, X):
        known = {**self.tensors, **(X if isinstance(X, dict) else {"X": X})}
        for node in self.nodes:
            inputs = [known[name.decode()] for name in node[1]]
            more = {}
            for attribute in map(fields, node.get(5, [])):
                if attribute[20] == [8]:
                    value = [one.decode() for one in attribute[9]]
                else:
                    value = attribute[8] if attribute[20] == [7] else attribute[3][0]
                more[attribute[1][0].decode()] = value
            known[node[2][0].decode()] = OPERATORS[node[4][0].decode()](*inputs, **more)
        return {name: known[name] for name in self.outputs}
