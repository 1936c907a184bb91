"""A proof file is refused with a sentence, or what it says is true."""

import copy
import json
import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import load_proof, load_proofs, proof_file, save_proofs
from hardlimit.certificates.proof_file import from_bytes, to_bytes
from hardlimit.exceptions import FileError, InputError, ProofError

X = np.array([[0.5, 1], [1, 0], [2, 1], [0, 2], [3, 0], [0.25, 0.5]])
Y = {"separable": list("abbaba"), "not separable": list("abbaaa"), "undecided": list("abbaaa")}


def proof_of(kind):
    more = {"seconds": 1e-9} if kind == "undecided" else {}
    verdict = certify(X, Y[kind], **more)
    assert verdict.verdict == kind
    return verdict


PROOFS = {kind: proof_of(kind) for kind in Y}
DOCUMENTS = {kind: json.loads(to_bytes([proof])) for kind, proof in PROOFS.items()}


def read(document):
    return from_bytes(json.dumps(document).encode())[0]


@pytest.mark.parametrize("kind", Y)
def test_a_file_gives_the_proof_back(kind, tmp_path):
    path = tmp_path / "proof.json"
    PROOFS[kind].save(path)
    again = load_proof(path)
    assert again == PROOFS[kind] and to_bytes([again]) == path.read_bytes()
    again.check(X, Y[kind])
    again.check(csr_matrix(X), np.array(Y[kind]))


def leaves(node, path=()):
    """Every number in a proof, by its place."""
    if isinstance(node, dict):
        for name in node:
            yield from leaves(node[name], (*path, name))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from leaves(value, (*path, i))
    elif path[-1] not in ("verdict", "found_by", "why", "tried", "positive", "negative", "by"):
        yield path


def is_true(document, kind):
    """What the file claims of these data, computed another way, in plain fractions."""
    from fractions import Fraction

    proof = document["proofs"][0]

    def number(text):
        return Fraction(float.fromhex(text)) if "p" in text else Fraction(int(text, 0))

    signs = [1 if label == "b" else -1 for label in Y[kind]]
    Z = [[s * Fraction(v) for v in (*x, 1)] for s, x in zip(signs, X.tolist(), strict=True)]
    L = {int(i): number(v) for i, v in proof["multipliers"].items()}
    total = [sum(value * Z[i][j] for i, value in L.items()) for j in range(3)]
    if kind == "not separable":
        return not any(total)
    w = [number(v) for v in proof["weights"]]
    lo, hi = map(number, proof["margin"])
    least = min(sum(a * b for a, b in zip(z, w, strict=True)) for z in Z)
    squared = sum(v * v for v in w)
    holds = lo * abs(lo) * squared <= least * abs(least) or (lo < 0 < least)
    return holds and sum(v * v for v in total) <= hi * hi * sum(L.values()) ** 2


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(float.hex),
    st.integers(-(10**20), 10**20).map(lambda v: str(v) if abs(v) < 10**18 else hex(v)),
)


@settings(max_examples=200)
@given(st.data())
def test_a_proof_with_one_number_changed_is_refused_or_still_true(data):
    kind = data.draw(st.sampled_from(sorted(Y)))
    document = copy.deepcopy(DOCUMENTS[kind])
    *way, last = data.draw(st.sampled_from(sorted(leaves(document), key=str)))
    node = document
    for step in way:
        node = node[step]
    old = node[last]
    node[last] = data.draw(st.integers(-3, 10) if isinstance(old, int) else NUMBERS)
    try:
        read(document).check(X, Y[kind])
    except ProofError:
        return
    assert is_true(document, kind)


def changed(kind="not separable", **fields):
    """A document with fields of its proof replaced; ``data__rows`` stands for data, rows."""
    document = copy.deepcopy(DOCUMENTS[kind])
    for name, value in fields.items():
        node = document["proofs"][0]
        *way, last = name.split("__")
        for step in way:
            node = node[step]
        node[last] = value
    return document


HOSTILE = {
    "empty": (b"", "not JSON"),
    "not JSON": (b"%PDF-1.4", "not JSON"),
    "not UTF-8": (b'{"format": "\xff"}', "not UTF-8"),
    "a list": (b"[]", "wanted an object"),
    "another format": (b'{"format": "x", "version": 1, "proofs": []}', "its format is 'x'"),
    "another version": (
        b'{"format": "hardlimit-proof", "version": 2, "proofs": []}',
        "its version is 2",
    ),
    "no proofs": (b'{"format": "hardlimit-proof", "version": 1, "proofs": []}', "no proof"),
    "twice": (b'{"format": "a", "format": "b"}', "occurs twice"),
    "deep": (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
    "deep objects": (b'{"a":' * 100_000, "nested too deep"),
    "NaN": (b'{"format": NaN}', "NaN"),
    "Infinity": (b"[-Infinity]", "Infinity"),
    "a fraction": (b"[0.5]", "written as strings"),
    "a billion digits": (b'{"version": ' + b"9" * 5_000_000 + b"}", "5,000,000 digits"),
    "unknown": (changed(extra=1), "'extra' is not one of its members"),
    "negative multiplier": (changed(multipliers={"0": "-1"}), "wanted more than 0"),
    "multiplier 0": (changed(multipliers={"0": "0"}), "wanted more than 0"),
    "NaN as a string": (changed(multipliers={"0": "nan"}), "wanted a number"),
    "long string": (changed(multipliers={"0": "0x" + "f" * 2_000_000}), "digits"),
    "beyond floats": (changed("separable", margin=["0x1.0p+2000", "0x1p+0"]), "beyond the floats"),
    "a row that is not there": (changed(multipliers={"6": "1"}), "not a row from 0 to 5"),
    "a negative row": (changed(multipliers={"-1": "1"}), "not a row from 0 to 5"),
    "a row twice": (changed(multipliers={"01": "1"}), "not a row from 0 to 5"),
    "no multipliers": (changed(multipliers={}), "wanted an object of one or more"),
    "suspects": (changed(suspects=[0, 0]), "twice"),
    "suspects beyond": (changed(suspects=[6]), "wanted a row from 0 to 5"),
    "suspects of a kind": (changed(suspects=[True]), "wanted a row"),
    "verdict": (changed(verdict="maybe"), "wanted 'separable'"),
    "verdict of a kind": (changed(verdict=[]), "wanted 'separable'"),
    "by": (changed(by="magic"), "wanted 'zero sum'"),
    "rows": (changed(data__rows=True), "wanted a whole number"),
    "rows below 0": (changed(data__rows=-1), "wanted a whole number"),
    "bias": (changed(data__bias="0"), "wanted a float"),
    "label": (changed(data__positive=[1]), "wanted a label"),
    "margin": (changed("separable", margin=["0x1p+0"]), "wanted 2"),
    "weights": (changed("separable", weights="1"), "wanted a list"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_proof_is_refused_with_a_sentence(name, tmp_path):
    content, said = HOSTILE[name]
    path = tmp_path / "proof.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(ProofError) as caught:
        load_proofs(path)
    assert said in str(caught.value) and "proof.json: " in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_gigabyte_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "proof.json"
    with open(path, "wb") as stream:
        stream.truncate(1 << 30)
    with pytest.raises(ProofError, match="1,024 MB; no proof needs more than 256 MB"):
        load_proofs(path)


def test_what_cannot_be_read_is_a_file_error(tmp_path):
    for path in (tmp_path / "none", tmp_path, "/dev/zero"):
        with pytest.raises(FileError, match="cannot be read"):
            load_proofs(path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="not a regular file"):
        load_proofs(tmp_path / "pipe")


def test_other_data_are_told_from_a_wrong_proof():
    proof = PROOFS["separable"]
    for data, said in [
        ((X[:5], Y["separable"][:5]), "6 rows of 2 columns, these are 5 rows of 2"),
        ((X[:, :1], Y["separable"]), "these are 6 rows of 1"),
        ((X + [[1e-9, 0]], Y["separable"]), "the shape is the same"),
        ((X, list("bbbaba")), "the shape is the same"),
        ((X, list("cddcdc")), "wanted one of the classes"),
        ((X, list("abb")), "6 rows, y has 3 labels"),
    ]:
        with pytest.raises(ProofError, match="other data|these data") as caught:
            proof.check(*data)
        assert said in str(caught.value)


def test_the_first_inequality_that_fails_is_named():
    good = PROOFS["separable"]
    weights = [0.0, 0.0, 1.0]
    document = changed("separable", weights=[w.hex() for w in weights])
    with pytest.raises(ProofError, match=r"row 0 is not on its side: z_0 \. w = -1"):
        read(document).check(X, Y["separable"])
    document = changed("separable", margin=[good.margin[1].hex(), good.margin[1].hex()])
    with pytest.raises(ProofError, match="the weights reach a margin of"):
        read(document).check(X, Y["separable"])
    document = changed("not separable", multipliers={"0": "1", "1": "1"})
    with pytest.raises(ProofError, match="column 0 adds up to 0.5, wanted 0"):
        read(document).check(X, Y["not separable"])
    document = changed("separable", smallest_margin=float(9).hex())
    with pytest.raises(ProofError, match="smallest_margin is"):
        read(document).check(X, Y["separable"])


def test_many_proofs_in_one_file(tmp_path):
    path = tmp_path / "proof.json"
    other = PROOFS["not separable"]
    other = replace(other, subject=replace(other.subject, positive="c"))
    both = [PROOFS["separable"], other]
    save_proofs(both, path)
    assert load_proofs(path) == both
    with pytest.raises(ProofError, match="2 proofs; read them by load_proofs"):
        load_proof(path)


@pytest.mark.parametrize("labels", [["a", "b"], [-1, 1], [0.5, 1.5], [False, True]])
def test_labels_of_every_kind_come_back(labels, tmp_path):
    y = [labels[label == "b"] for label in Y["separable"]]
    path = tmp_path / "proof.json"
    certify(X, y).save(path)
    again = load_proof(path)
    assert (again.subject.positive, again.subject.negative) == (labels[1], labels[0])
    again.check(X, y)


def test_a_label_that_json_has_not_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        certify(X, [(label,) for label in Y["separable"]]).save(tmp_path / "proof.json")
    assert not os.listdir(tmp_path)


def test_the_limit_is_in_the_specification():
    assert proof_file.MOST_BYTES == 256 << 20
