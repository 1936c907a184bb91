"""Every field of a proof file is compared with the data, or refused: each is changed in turn."""

import copy
import json
import math

import numpy as np
import pytest

from hardlimit import certify
from hardlimit.certificates.proof_file import from_bytes, to_bytes
from hardlimit.certificates.subject import Subject
from hardlimit.certificates.verdicts import NotSeparable, Undecided, Verdict
from hardlimit.cli import main
from hardlimit.exceptions import ProofError

# Fields in which nothing is claimed: docs/proof-format.md says so of each.
FREE = {
    "found_by": "the name of a search, for information",
    "tried": "what the searches did, for information",
    "why": "what stood in the way, for information",
    "suspects": "rows worth a look, which prove nothing",
}

X = [[1.0, 2.0], [0.5, 3.0], [4.0, 0.5], [3.0, -1.0], [5.0, 0.25]]
CROSSED = [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [2.0, 2.0], [3.0, 1.0]]
SEPARABLE, INSEPARABLE = [0, 0, 1, 1, 1], [0, 1, 1, 0, 1]


def undecided(X, y):
    """A bracket as it is left when time is over; so narrow that no end can be moved."""
    found = certify(X, y, gap=1e-9)
    tried = ["one: 3 steps"]
    bracket = (found.weights, found.margin, found.multipliers)
    return Undecided(found.subject, "several", 0.0, *bracket, tried, "time was over")


def small_sum(X, y):
    """Integers whose sum is small and not 0: a whole zero sum, and one row once more."""
    zero = certify(X, y)
    times = 10**6
    multipliers = {i: times * int(m) for i, m in zero.multipliers.items()}
    first = min(multipliers)
    multipliers[first] += 1
    return NotSeparable(zero.subject, "by hand", 0.0, multipliers, [], "small sum")


def named(y, names):
    return [names[label] for label in y]


PROOFS = {
    "separable": (certify, X, SEPARABLE, {}),
    "separable, through the origin": (certify, X, SEPARABLE, {"fit_intercept": False}),
    "separable, another bias": (certify, X, SEPARABLE, {"bias_feature": -0.5}),
    "separable, texts": (certify, X, named(SEPARABLE, ["no", "yes"]), {}),
    "separable, truth values": (certify, X, named(SEPARABLE, [False, True]), {}),
    "separable, floats": (certify, X, named(SEPARABLE, [0.5, 1.5]), {}),
    "separable, the first class": (certify, X, SEPARABLE, {"positive": 0}),
    "one of many": (certify, X, ["a", "a", "b", "c", "b"], {"positive": "a"}),
    "not separable": (certify, CROSSED, INSEPARABLE, {}),
    "not separable, through the origin": (certify, CROSSED, INSEPARABLE, {"fit_intercept": False}),
    "not separable, one of many": (certify, CROSSED, [0, 1, 1, 0, 2], {"positive": 1}),
    "small sum": (small_sum, CROSSED, INSEPARABLE, {}),
    "undecided": (undecided, X, SEPARABLE, {}),
}


@pytest.fixture(scope="module")
def proofs():
    return {name: make(X, y, **given) for name, (make, X, y, given) in PROOFS.items()}


def verdicts():
    return {kind.verdict for kind in Verdict.__subclasses__()}


def test_there_is_a_proof_of_every_verdict(proofs):
    assert {proof.verdict for proof in proofs.values()} == verdicts()


def walk(value, path=()):
    """Paths of everything in a JSON document, the document itself first."""
    yield path
    if isinstance(value, dict | list):
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from walk(inside, (*path, key))


def other_values(value, path):
    """What the value could be forged to: other types, and others of its type."""
    yield from (None, True, 7, 2.5, "x", "", [], {}, [value], {"float": value})
    if isinstance(value, bool):
        yield not value
        yield int(value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value - 1, str(value), {"float": float(value).hex()})
    elif isinstance(value, str):
        yield from other_strings(value, path)
    elif isinstance(value, dict):
        for name in value:
            yield {key: inside for key, inside in value.items() if key != name}
        yield value | {"more": "1"}
    elif isinstance(value, list):
        yield from (value[:-1], value + value[-1:])


def other_strings(value, path):
    """Another word; of a number another that claims more, or that is no number."""
    yield value + "x"
    yield value.upper() if value != value.upper() else value.lower()
    if "p" in value and value.lstrip("-").startswith("0x"):
        number = float.fromhex(value)
        up = path[-2:] != ("margin", 1)  # all but the upper end of the bracket are lower bounds
        sharp = path[-2] not in ("weights", "multipliers")  # one float more is a claim of more
        yield math.nextafter(number, math.inf if up else 0).hex() if sharp else "nan"
        yield "infinity" if sharp else (-3 * number - 1).hex()
    elif value.lstrip("-").isdigit():
        yield from (str(-int(value)), str(3 * int(value) + 1))


def forged(document):
    """Each change in turn: its path, and the document with it."""
    for path in walk(document):
        value = find(document, path)
        for other in other_values(value, path):
            if (type(other), other) == (type(value), value):
                continue
            changed = copy.deepcopy(document)
            if path:
                find(changed, path[:-1])[path[-1]] = other
            else:
                changed = other
            yield path, changed


def find(document, path):
    for key in path:
        document = document[key]
    return document


def is_free(path):
    return any(key in FREE for key in path)


@pytest.mark.parametrize("name", PROOFS)
def test_a_change_of_any_field_is_refused(proofs, name):
    _, X, y, _ = PROOFS[name]
    document = json.loads(to_bytes([proofs[name]]))
    from_bytes(json.dumps(document).encode())[0].check(X, y)  # as it is, it holds
    n_changes = 0
    for path, changed in forged(document):
        n_changes += 1
        try:
            for proof in from_bytes(json.dumps(changed).encode()):
                proof.check(X, y)
        except ProofError:
            continue
        assert is_free(path), f"{'.'.join(map(str, path))}: {find(changed, path)!r} holds"
    assert n_changes > 150


def test_what_is_free_is_there(proofs):
    there = {key for proof in proofs.values() for key in proof.to_proof()}
    assert set(FREE) <= there


@pytest.mark.parametrize(
    ("labels", "claimed"),
    [([0, 1], False), ([0, 1], 0.0), ([0.0, 1.0], 0), ([False, True], 0), (["0", "1"], 0)],
)
def test_a_class_of_another_type_is_another_class(labels, claimed):
    y = named(SEPARABLE, labels)
    proof = certify(X, y)
    forged = Subject(**{**vars(proof.subject), "negative": claimed})
    with pytest.raises(ProofError, match="negative: got|got negative="):
        forged.rows_of(X, y)


def test_the_class_is_spelled_as_the_rows_spell_it():
    assert repr(certify(X, SEPARABLE, positive=True).subject.positive) == "1"
    assert repr(certify(X, np.array(SEPARABLE, float), positive=1).subject.positive) == "1.0"


def test_a_class_is_proved_once(proofs):
    twice = to_bytes([proofs["separable"]] * 2)
    with pytest.raises(ProofError, match="twice"):
        from_bytes(twice)


def test_the_command_line_says_holds_of_no_forged_file(tmp_path, capsys):
    data, proof = tmp_path / "d.csv", tmp_path / "p.json"
    rows = [
        f"{a},{b},{'no' if label else 'yes'}" for (a, b), label in zip(X, SEPARABLE, strict=True)
    ]
    data.write_text("\n".join(["a,b,class", *rows]) + "\n")
    read = ["--format", "numeric-csv", "--label", "class"]
    assert main(["certify", str(data), "-o", str(proof), *read]) == 0
    document = json.loads(proof.read_text())
    capsys.readouterr()
    for path, changed in forged(document):
        if path[-1:] not in (("negative",), ("positive",), ("verdict",), ("bias",), ("rows",)):
            continue
        proof.write_text(json.dumps(changed))
        assert main(["certify", "--check", str(proof), str(data), *read]) != 0
        captured = capsys.readouterr()
        assert "holds" not in captured.out
        assert captured.err
