"""The answers of a model file, by docs/model-format.md, sections 7 and 11, alone.

::

    open_model("spam.hardlimit").scores("win a prize")
"""

from __future__ import annotations

import hashlib
import math
import os
import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from itertools import combinations_with_replacement
from typing import Any

from . import container
from .container import RefusedError, fold, want
from .terms import P0, P1, Terms, frozen_terms, has_blocks, learnt_terms, pieces, prepare

Row = list[tuple[int, float]]  # columns, ascending, and values
MANY = " of many labels"


def float32(value: float) -> float:
    """Round to single precision."""
    found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return found


def total(summands: Iterable[tuple[int, float]]) -> float:
    """The sum over columns in the one order of the format."""
    s = [0.0] * 8
    for column, value in summands:
        s[column & 7] += value
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))


class Weighing:
    """What the settings of the features make of counts of terms."""

    def __init__(self, settings: dict[str, Any], terms: Terms, logs: Sequence[float] = ()) -> None:
        self.settings, self.terms, self.logs = settings, terms, logs

    def row(self, text: str | bytes) -> Row:
        """The columns of a text and their values."""
        text = prepare(text, self.settings)
        found = (self.terms.find(piece) for piece in pieces(text, self.settings))
        counts = sorted(Counter(column for column in found if column is not None).items())
        values = [(column, self._tf(n) * self._idf(column)) for column, n in counts]
        if not has_blocks(self.settings):
            return self._scaled(values, 1.0, "no blocks")
        a, b = self.settings["block_weights"]
        words = [pair for pair in values if not self.terms.is_chars(pair[0])]
        chars = [pair for pair in values if self.terms.is_chars(pair[0])]
        return sorted(self._scaled(words, a) + self._scaled(chars, b))

    def _scaled(self, values: Row, weight: float, blocks: str = "") -> Row:
        length = math.sqrt(total((c, v * v) for c, v in values)) if self.settings["norm"] else 1.0
        length = length if length > 0 else 1.0
        if blocks:
            return [(column, float32(value / length)) for column, value in values]
        return [(column, float32(value * weight / length)) for column, value in values]

    def _tf(self, count: int) -> float:
        if self.settings["tf"] != "sublinear":
            return 1.0 if self.settings["tf"] == "binary" else float(count)
        if count <= len(self.logs):
            return float(self.logs[count - 1])
        exact = Context(prec=40)
        return float(exact.add(1, Decimal(count).ln(exact)))

    def _idf(self, column: int) -> float:
        if self.settings["idf"] is None:
            return 1.0
        number = self.terms.number(column)
        learnt = self.terms.idf[number] if self.terms.idf and number is not None else 0.0
        return learnt or float(self.settings["idf_of_unseen"])


class Numbers:
    """Rows of numbers, through the map and the scale of a model."""

    def __init__(self, file: container.Container) -> None:
        parameters = file.header["parameters"]
        self.map, self.scale = parameters.get("map"), parameters.get("scale")
        self.n_columns = file.header.get("map_columns", file.header["columns"])
        self.names = file.header.get("feature_names")
        self.pairs = file.arrays.get("answer.map.pairs")
        self.units = file.under("answer.scale.")

    def row(self, numbers: Sequence[float]) -> Row:
        """The columns of a row and their values."""
        row = [(c, float(value)) for c, value in enumerate(numbers)]
        want(len(row) == self.n_columns, "a row of another length")
        if self.map is not None:
            settings = self.map["parameters"]
            make = {"polynomial": self._monomials, "cross": self._cross}[self.map["name"]]
            row = make(row, **settings)
        if self.scale == "rows":
            length = math.sqrt(total((c, v * v) for c, v in row))
            return [(c, v / length if length else v) for c, v in row]
        if self.units:
            pairs = zip(self.units["shifts"], self.units["units"], strict=True)
            known = dict(zip(self.units["columns"], pairs, strict=True))
            row = [(c, (v - known[c][0]) / known[c][1]) if c in known else (c, v) for c, v in row]
        return row

    def _monomials(self, row: Row, degree: int, c: float) -> Row:
        made = []
        for k in range(0 if c else degree, degree + 1):
            for chosen in combinations_with_replacement(row, k):
                ways = math.factorial(degree) // math.factorial(degree - k)
                for times in Counter(column for column, _ in chosen).values():
                    ways //= math.factorial(times)
                power = 1.0
                for _ in range(degree - k):
                    power *= c
                product = 1.0
                for _, value in chosen:
                    product *= value
                made.append(product * math.sqrt(ways * power))
        return list(enumerate(made))

    def _cross(
        self, row: Row, columns: Any, which: str, hash_bits: int | None, singles: bool
    ) -> Row:
        chosen = range(len(row)) if columns is None else sorted({self._number(c) for c in columns})
        pairs = [(i, j) for at, i in enumerate(chosen) for j in chosen[at + 1 :]]
        products = {pair: row[pair[0]][1] * row[pair[1]][1] for pair in pairs}
        first = len(row) if singles else 0
        made = dict(row) if singles else {}
        if hash_bits is not None:
            for (i, j), product in products.items():
                if product:
                    h = fold(fold(P0 ^ i, P1) ^ j, P1) >> (64 - hash_bits)
                    made[first + h] = made.get(first + h, 0.0) + product
            return sorted(made.items())
        if which == "seen":
            want(self.pairs is not None, "the pairs that were seen")
            pairs = [pairs[number] for number in self.pairs or ()]
        return sorted(made.items()) + [(first + n, products[p]) for n, p in enumerate(pairs)]

    def _number(self, column: int | str) -> int:
        return self.names.index(column) if isinstance(column, str) else column


class Table:
    """Examples of several columns: a block of features for each, side by side."""

    def __init__(self, file: container.Container) -> None:
        text = file.header["text"]
        self.names, self.settings = text["columns"], text.get("settings", {})
        kinds = [block.get("kind", "text") for block in text["blocks"]]
        weights = self.settings.get("column_weights", [1, 1, 1])
        own = dict(zip(("number", "category", "text"), map(float, weights), strict=True))
        length = math.sqrt(math.fsum(own[kind] ** 2 for kind in kinds))
        self.blocks = []
        for k, (kind, block) in enumerate(zip(kinds, text["blocks"], strict=True)):
            arrays = file.under(f"answer.blocks.{k}.")
            scale = own[kind] / length if self.settings or block["norm"] else 1.0
            self.blocks.append(
                (getattr(self, f"_{kind}"), block, arrays, float32(scale), arrays["places"])
            )
        missing = self.settings.get("missing_values", ())
        self.missing = {spelling.strip().casefold() for spelling in missing}

    def row(self, example: Any) -> Row:
        """The columns of an example and their values."""
        if isinstance(example, dict):
            example = [example[name] for name in self.names]
        row = []
        for value, (read, block, arrays, scale, places) in zip(example, self.blocks, strict=True):
            for column, one in read(value, block, arrays):
                row.append((places[column], float32(one * scale)))
        return sorted(row)

    def _text(self, value: Any, block: Any, arrays: Any) -> Row:
        text = value if isinstance(value, str | bytes) else ""
        return Weighing(block, learnt_terms(block, arrays)).row(text)

    def _number(self, value: Any, block: Any, arrays: Any) -> Row:
        if self._is_missing(value):
            return [(1, 1.0)] if block["marked"] else []
        mean, deviation = map(float.fromhex, (block["mean"], block["deviation"]))
        return [(0, float32((float(value) - mean) / deviation))]

    def _category(self, value: Any, block: Any, arrays: Any) -> Row:
        is_missing = self._is_missing(value)
        if isinstance(value, float) and not is_missing and value.is_integer():
            value = int(value)
        spelled = "" if is_missing else str(value).strip()
        if block["bits"] is not None:
            data = b"\xff" if is_missing else spelled.encode()
            first = hashlib.blake2b(data, digest_size=8).digest()
            return [(int.from_bytes(first, "big") >> (64 - block["bits"]), 1.0)]
        if is_missing:
            return [] if block["missing"] is None else [(block["missing"], 1.0)]
        ends, data = arrays["category_ends"], arrays["categories"].tobytes()
        values = [data[a:b].decode() for a, b in zip([0, *ends], ends, strict=False)]
        return [
            (k, 1.0) for k, one in enumerate(values) if one == spelled and k != block["missing"]
        ]

    def _is_missing(self, value: Any) -> bool:
        if value is None or value != value:
            return True
        spelled = str(value).strip()
        return not spelled or spelled.casefold() in self.missing


class Weights:
    """A weight of each output for each column: rows of an array, or packed."""

    def __init__(self, file: container.Container, n_outputs: int, columns: Sequence[int]) -> None:
        self.n_outputs = n_outputs
        self.place = {column: at for at, column in enumerate(columns)}
        self.packed = file.under("answer.packed.")
        self.rows = file.arrays.get("answer.weights", array("f"))
        self.row_of = file.arrays.get("answer.text.weight_rows")
        n_rows = len(self.packed["runs"]) if self.packed else len(self.rows) // n_outputs
        used = file.arrays.get("answer.text.used", self.place)
        want(n_rows == len(used) or not n_rows, "as many rows of weights as columns")

    def cells(self, column: int) -> list[tuple[int, float]]:
        """The outputs and their weights of a column."""
        at = self.place.get(column, -1)
        if at < 0:
            return []
        if self.packed:
            run, starts = self.packed["runs"][at], self.packed["starts"]
            cells = range(starts[run - 1], starts[run]) if run else ()
            return [(self.packed["outputs"][i], self.packed["cells"][i]) for i in cells]
        at = at if self.row_of is None else self.row_of[at]
        own = self.rows[at * self.n_outputs : (at + 1) * self.n_outputs] if at >= 0 else ()
        return list(enumerate(own))

    def scores(self, row: Row, last: Sequence[float]) -> list[float]:
        """The score of each output; ``last`` is added to each."""
        summands: list[Row] = [[] for _ in range(self.n_outputs)]
        for column, value in row:
            for output, weight in self.cells(column):
                summands[output].append((column, weight * value))
        return [total(own) + b for own, b in zip(summands, last, strict=True)]


class Votes:
    """Every hypothesis votes as often as it lived."""

    def __init__(self, arrays: dict[str, array[Any]]) -> None:
        self.n, _, self.n_outputs, self.scheme = arrays["counts"]
        self.bias, starts = arrays["bias"][0], arrays["starts"]
        self.corrected = [
            list(zip(arrays["columns"][a:b], arrays["values"][a:b], strict=True))
            for a, b in zip(starts, starts[1:], strict=False)
        ]
        k = len(arrays["rows"])
        self.log = list(
            zip(
                arrays["rows"], arrays["presentations"], arrays["plus"] or [0] * k,
                arrays["minus"] or [-1] * k, arrays["tau"], arrays["shrink"] or [1.0] * k,
                strict=True,
            )
        )  # fmt: skip

    def scores(self, row: Row, last: object = None) -> list[float]:
        """The share of the votes of each output."""
        values = dict(row)
        square = self.bias * self.bias
        products = [
            total((c, v * values.get(c, 0.0)) for c, v in own) + square for own in self.corrected
        ]
        scores, tally = [0.0] * self.n_outputs, [0.0] * self.n_outputs
        for life, (at, _, plus, minus, tau, shrink) in zip(self._lives(), self.log, strict=True):
            moved = range(self.n_outputs) if self.scheme == 2 else (plus,)
            for output in moved:
                scores[output] *= shrink
            scores[plus] += tau * products[at]
            if self.scheme == 2:
                scores[minus] -= tau * products[at]
                best = max(scores)
                if scores.count(best) == 1:
                    tally[scores.index(best)] += life
            else:
                tally[plus] += life * ((scores[plus] > 0) - (scores[plus] < 0))
        return [votes / max(self.n, 1) for votes in tally]

    def _lives(self) -> list[int]:
        """How often each hypothesis votes: until the next correction of its counter."""
        lives, following = [], {}
        for _, presentation, plus, *_ in reversed(self.log):
            counter = plus if self.scheme == 1 else 0
            lives.append(following.get(counter, self.n + 1) - presentation)
            following[counter] = presentation
        return lives[::-1]


class Kernel:
    """The values of a kernel between a row and the supports, which are columns then."""

    DEFAULTS = {"polynomial": {"degree": 2, "c": 1.0}, "rbf": {"gamma": 1.0}}

    def __init__(self, file: container.Container, bias: float) -> None:
        given = file.header["parameters"]["kernel"]
        self.name = given if isinstance(given, str) else given["name"]
        stored = {} if isinstance(given, str) else given["parameters"]
        self.parameters = self.DEFAULTS.get(self.name, {}) | stored
        self.numbers, self.square = file.arrays["answer.support"], bias * bias
        arrays = file.under("answer.supports.")
        n = file.header["columns"]
        if "rows" in arrays:
            rows = arrays["rows"]
            self.supports = [list(enumerate(rows[i : i + n])) for i in range(0, len(rows), n)]
        elif "starts" in arrays:
            self.supports = [
                list(zip(arrays["columns"][a:b], arrays["values"][a:b], strict=True))
                for a, b in zip(arrays["starts"], arrays["starts"][1:], strict=False)
            ]

    def row(self, numbers: Sequence[float]) -> Row:
        """The value of each support with a row, the bias inside."""
        if self.name == "precomputed":
            return [(i, numbers[n] + self.square) for i, n in enumerate(self.numbers)]
        x = dict(enumerate(map(float, numbers)))
        return [(i, self._value(z, x) + self.square) for i, z in enumerate(self.supports)]

    def _value(self, z: Row, x: dict[int, float]) -> float:
        product = total((c, v * x.get(c, 0.0)) for c, v in z)
        if self.name == "linear":
            return product
        if self.name == "polynomial":
            return math.prod([product + self.parameters["c"]] * int(self.parameters["degree"]))
        apart = {**x}
        for c, v in z:
            apart[c] = apart.get(c, 0.0) - v
        return math.exp(-self.parameters["gamma"] * math.fsum(d * d for d in apart.values()))


class Model:
    """What a file predicts: a reader of examples, and what answers."""

    def __init__(self, file: container.Container) -> None:
        header = file.header
        self.file, self.many = file, file.kind.endswith(MANY)
        self.classes = [_label(one) for one in header["classes"]]
        self.intercept = [float.fromhex(one) for one in header["intercept"]]
        self.threshold = float(header["threshold"])
        parameters = header["parameters"]
        self.bias = float(parameters["bias_feature"]) if parameters["fit_intercept"] else 0.0
        self._last, self.votes = self.intercept, file.under("answer.votes.")
        kinds = {
            "text classifier": self._open_text,
            "linear classifier": self._open_linear,
            "kernel classifier": self._open_kernel,
            "classifier of text columns": self._open_table,
            "table classifier": self._open_table,
        }
        kind = file.kind.removesuffix(MANY)
        want(kind in kinds, f"an unknown kind {kind!r}")
        self.reader, columns = kinds[kind]()
        n_outputs = len(self.intercept)
        self.answer: Weights | Votes = (
            Votes(self.votes) if self.votes else Weights(file, n_outputs, columns)
        )

    def _open_text(self) -> tuple[Weighing, Sequence[int]]:
        settings = self.file.header["text"]
        if self.votes:
            return Weighing(settings, learnt_terms(settings, self.file.under("state.text."))), ()
        arrays = self.file.under("answer.text.")
        terms = frozen_terms(settings, arrays)
        return Weighing(settings, terms, arrays.get("logs", ())), list(terms.numbers)

    def _open_linear(self) -> tuple[Numbers, Sequence[int]]:
        self._last = self._bias_summands()
        return Numbers(self.file), self.file.arrays.get("answer.columns", ())

    def _open_table(self) -> tuple[Table, Sequence[int]]:
        self._last = self._bias_summands()
        return Table(self.file), self.file.arrays.get("answer.columns", ())

    def _open_kernel(self) -> tuple[Kernel, Sequence[int]]:
        if "answer.coefficients" in self.file.arrays:
            self.file.arrays["answer.weights"] = self.file.arrays["answer.coefficients"]
        return Kernel(self.file, self.bias), range(len(self.file.arrays["answer.support"]))

    def _bias_summands(self) -> list[float]:
        own = self.file.arrays.get("answer.bias")
        if own is None:
            own = [one / (self.bias or 1.0) for one in self.intercept]
        return [weight * self.bias for weight in own]

    def scores(self, example: Any) -> list[float]:
        """The score of each output."""
        return self.answer.scores(self.reader.row(example), self._last)

    def predict(self, example: Any) -> Any:
        """The label, or the tuple of labels."""
        scores = self.scores(example)
        if self.many:
            values = self.file.header["values"]
            above = [score > self.threshold for score in scores]
            if values is None:
                return tuple(one for one, yes in zip(self.classes, above, strict=True) if yes)
            return tuple(_label(pair[yes]) for pair, yes in zip(values, above, strict=True))
        if len(scores) == 1:
            return self.classes[len(self.classes) > 1 and scores[0] > self.threshold]
        return self.classes[scores.index(max(scores))]

    def probabilities(self, example: Any) -> list[float]:
        """The probability of each class, or of each label."""
        scores, header = self.scores(example), self.file.header
        if self.many:
            a = float.fromhex(header["label_slope"])
            return [1 / (1 + math.exp(-a * score)) for score in scores]
        a = float.fromhex(header["slope"])
        if len(scores) == 1:
            scores = [0.0, scores[0] - self.threshold]
        powers = [math.exp(a * (score - max(scores))) for score in scores]
        return [power / math.fsum(powers) for power in powers]


def _label(stored: Sequence[str]) -> Any:
    kind, text = stored
    read = {
        "str": str, "int": int, "bool": "True".__eq__, "float": float.fromhex,
        "bytes": bytes.fromhex,
    }  # fmt: skip
    if kind not in read:
        raise RefusedError(f"a label of the kind {kind!r}")
    return read[kind](text)


def open_model(path: str | os.PathLike[str]) -> Model:
    """Read, check and understand a file."""
    return Model(container.read(path))
