"""Model files under digests that fit them: read and used, or refused.

The input is a number of edits of one of a few small models: of the JSON header (replace a value at
a path by a value), of a tensor (bytes, length, type). The file is then written with right digests,
so that the fuzzer gets past them, and the model is used in every way.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from fuzz.harness import refusals_pass, scratch

TEXTS = ["win a prize now", "lunch at noon", "cheap prize", "meeting 日本語テキスト", "see you"]
LABELS = ["spam", "ham", "spam", "ham", "ham"]
ROWS = [
    {"text": text, "n": n or None, "c": "xyz"[n % 3]} for n, text in enumerate(TEXTS)
]  # of a table
VALUES = [
    None, True, False, 0, 1, -1, 2, 8, 31, 32, 64, 65, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1,
    2**63, 2**64, -(2**63), 0.5, 1e308, "", "inf", "nan", "0x1p0", "str", "int", "float", "bytes",
    "raw", "binary", "l2", "ratio", "averaged", "last", "voted", [], {}, [0, 8], [1, 64], [[], []],
    [["int", "1"], ["int", "2"]], {"name": "perceptron"}, {"name": 3, "parameters": None},
]  # fmt: skip
NUMBERS = [0, 1, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, -(2**63), 2**62, 255]
FLOATS = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan"), 1e308, 5e-324, 1e-300]
# First bytes of an input: 16 to 20 are later models, so that kept inputs mean what they meant.
FIRST, LATER = 8, range(16, 21)
SEEDS = [bytes([model, 0]) for model in (*range(FIRST), *LATER)] + [
    bytes([model, edit, 3, 7, 11, 2, 5, 1]) * 3
    for model in (*range(FIRST), *LATER)
    for edit in range(6)
]


@cache
def originals():
    """Return ``(header, tensors)`` of each small model."""
    import hardlimit as hl
    from hardlimit import model_file

    rng = np.random.default_rng(0)
    X, y = rng.integers(-8, 9, (12, 3)) / 4, np.arange(12) % 3
    fitted = [
        hl.TextClassifier(random_state=0).fit(TEXTS, LABELS),
        hl.TextClassifier(hash_bits=6, random_state=0).fit(TEXTS, [*LABELS[:3], "c", "d"]),
        hl.LinearClassifier("passive-aggressive", max_iter=2, until=None).fit(X, y),
        hl.LinearClassifier("perceptron", keep=("last", "voted"), readout="voted").fit(X, y == 1),
        hl.LinearClassifier("balanced-winnow", max_iter=2, until=None).fit(X, y),
        hl.LinearClassifier("arow", max_iter=2, scale="standard").fit(X, y),
        hl.KernelClassifier(hl.kernels.Polynomial(2, 0.5), max_iter=2, until=None).fit(X, y),
        hl.LinearClassifier("perceptron", max_iter=2).fit(X, [["a"], ["b"], ["a", "b"], []] * 3),
        hl.TextClassifier(
            text_columns=("a", "b"), readout="voted", keep=("voted",), rule="perceptron"
        ).fit([(text, text[::-1]) for text in TEXTS], LABELS),
        hl.PassiveAggressiveClassifier(max_iter=2, average=True, bias_feature=0.3)
        .fit(X, y)
        .partial_fit(X, y),
        hl.KernelPerceptronClassifier(
            max_iter=2, probability=True, rule="adatron", multiclass="ovr"
        ).fit(X, y),
        hl.VotedPerceptronClassifier(max_iter=2, guard=hl.guards.AlphaBound(3)).fit(X, y),
        hl.TableClassifier(missing="mean", max_iter=2).fit(ROWS, LABELS),
    ]
    assert len(fitted) == FIRST + len(LATER)
    made = []
    for clf in fitted:
        path = scratch(b"", "original")
        clf.save(path)
        file = model_file.open(path)
        header = {**file.header, "kind": file.kind}
        made.append((json.dumps(header), {name: np.array(file.array(name)) for name in file.names}))
    return made


class Choices:
    """The input as a stream of choices; zeros at its end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def below(self, n: int) -> int:
        taken = self.data[self.at : self.at + 2]
        self.at += 1 if n <= 256 else 2
        return int.from_bytes(taken[: 1 if n <= 256 else 2], "little") % max(n, 1)

    def left(self) -> bool:
        return self.at < len(self.data)


def _places(value, found):
    """List ``(container, key)`` of every value below a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(items):
        found.append((value, key))
        if isinstance(item, dict | list):
            _places(item, found)
    return found


def edit_header(header, choose):
    """Replace, remove or nest one value of the header."""
    places = _places(header, [])
    container, key = places[choose.below(len(places))]
    what = choose.below(len(VALUES) + 3)
    if what < len(VALUES):
        container[key] = json.loads(json.dumps(VALUES[what]))
    elif what == len(VALUES):
        del container[key]
    elif what == len(VALUES) + 1:
        container[key] = [container[key]]
    else:
        deep = container[key]
        for _ in range(choose.below(64)):
            deep = [deep]
        container[key] = deep


def edit_tensor(tensors, choose):
    """Change numbers, length or type of one tensor, or take it away."""
    names = sorted(tensors)
    if not names:
        return
    name = names[choose.below(len(names))]
    tensor, what = tensors[name], choose.below(8)
    flat = tensor.reshape(-1)
    if what < 4 and flat.size:
        at, number = choose.below(flat.size), choose.below(10)
        if flat.dtype.kind == "f":
            flat[at] = FLOATS[number]
        else:
            info = np.iinfo(flat.dtype)
            flat[at] = min(max(NUMBERS[number], info.min), info.max)
    elif what == 4 and flat.size:
        octets = flat.view(np.uint8)
        octets[choose.below(octets.size)] ^= np.uint8(1 << choose.below(8))
    elif what == 5 and tensor.ndim:
        tensors[name] = tensor[: choose.below(len(tensor) + 1)]
    elif what == 6:
        tensors[name] = np.concatenate([flat, flat[: choose.below(flat.size + 1)]])
    elif what == 7:
        del tensors[name]


def forge(data: bytes) -> tuple[dict, dict]:
    """Return header and tensors of a small model with the edits of this input."""
    choose = Choices(data)
    number = choose.below(256)
    place = FIRST + LATER.index(number) if number in LATER else number % FIRST
    text, tensors = originals()[place]
    header = json.loads(text)
    tensors = {name: tensor.copy() for name, tensor in tensors.items()}
    while choose.left():
        if choose.below(2):
            edit_tensor(tensors, choose)
        elif header:
            edit_header(header, choose)
    return header, tensors


def use(path: str) -> None:
    """Ask, explain, teach and save again."""
    import hardlimit as hl

    clf = hl.load(path)
    text = isinstance(clf, hl.TextClassifier)
    rows = ["win a prize at noon", "日本語"] if text else [[0.5, 1.0, -2.0], [0.0, 0.0, 1.0]]
    if isinstance(clf, hl.TableClassifier):
        rows = [ROWS[0], {"text": "", "n": "1e9", "c": "new"}]
    elif text and clf.text_columns:
        rows = [("win a prize", "at noon"), ("日本語", "")]
    with refusals_pass():
        clf.predict(rows)
        clf.decision_function(rows)
    if text:
        with refusals_pass():
            clf.explain(rows[0])
        with refusals_pass():
            clf.telling_terms()
    Path(path + ".again").unlink(missing_ok=True)  # that of another model
    with refusals_pass():
        if hasattr(clf, "partial_fit"):
            clf.partial_fit(rows[:1], clf.predict(rows)[:1])
        clf.predict(rows)
        clf.save(path + ".again")
    with refusals_pass():
        hl.load(path + ".again").predict(rows)


def run(data: bytes) -> None:
    """Write the forged model and use it."""
    from hardlimit import model_file

    with refusals_pass():
        header, tensors = forge(data)
        path = scratch(b"", "model")
        model_file.write(path, header, tensors)
        use(path)
