"""Proofs as files: plain JSON, described in docs/proof-format.md.

What is read is not believed: every field has its form and its limit, and the check against the data
decides.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Any

from hardlimit.certificates import proof_fields as fields
from hardlimit.certificates.proof_writing import FORMAT, VERSION, encode_proofs, write_proofs
from hardlimit.certificates.subject import Subject
from hardlimit.certificates.verdicts import NotSeparable, Separable, Undecided, Verdict
from hardlimit.exceptions import FileError, Given, ProofError
from hardlimit.foundation.formatting import plural

MOST_BYTES = 256 << 20

Path_ = str | os.PathLike[str]


def save_proofs(proofs: Sequence[Verdict], path: Path_) -> None:
    """Write proofs into one file, whole or not at all; the same proofs give the same bytes."""
    write_proofs([proof.to_proof() for proof in proofs], path)


def to_bytes(proofs: Sequence[Verdict]) -> bytes:
    """Return the bytes of a file of these proofs."""
    return encode_proofs([proof.to_proof() for proof in proofs])


def load_proof(path: Path_) -> Verdict:
    """Read a file of one proof; ``ProofError`` says in what it is none."""
    proofs = load_proofs(path)
    if len(proofs) != 1:
        raise ProofError(
            f"holds {plural(len(proofs), 'proof')}",
            where=os.fsdecode(path),
            fix="read them by load_proofs",
        )
    return proofs[0]


def load_proofs(path: Path_) -> list[Verdict]:
    """Read all proofs of a file, each class of a set against the rest.

    Raises
    ------
    ProofError
        Not a proof file, or one with contents that no proof has. Nothing was checked yet.
    FileError
        It cannot be read.
    """
    name = os.fsdecode(path)
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):
            raise FileError("cannot be read: it is not a regular file", where=name)
        if state.st_size > MOST_BYTES:
            raise ProofError(
                f"{state.st_size >> 20:,} MB; no proof needs more than {MOST_BYTES >> 20} MB",
                where=name,
            )
        with open(path, "rb") as stream:
            content = stream.read(MOST_BYTES)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", where=name) from None
    return from_bytes(content, name)


def from_bytes(content: bytes, name: str = "proof") -> list[Verdict]:
    """Read proofs from the bytes of a file; errors are of the place ``name``."""
    try:
        return _read_document(fields.parse_json(content))
    except ProofError as error:
        raise error.replaced(where=name) from None
    except RecursionError:
        raise ProofError("brackets nested too deep", where=name) from None


def _read_document(document: object) -> list[Verdict]:
    members = fields.read_object(document, "the file", {"format", "version", "proofs"})
    shown = fields.abbreviate_json
    if members["format"] != FORMAT:
        raise ProofError(f"its format is {shown(members['format'])}, wanted {FORMAT!r}")
    # True == 1 in Python, and JSON has true.
    if members["version"] != VERSION or isinstance(members["version"], bool):
        raise ProofError(
            f"its version is {shown(members['version'])}; this program reads {VERSION}"
        )
    proofs = fields.read_list(members["proofs"], "proofs")
    if not proofs:
        raise ProofError("it holds no proof")
    verdicts = [_read_verdict(proof) for proof in proofs]
    _refuse_repeated_classes([verdict.subject for verdict in verdicts])
    return verdicts


def _refuse_repeated_classes(subjects: list[Subject]) -> None:
    """Several proofs are the classes of one data set, each once against the rest.

    Of several columns of labels each has classes of its own.
    """
    seen: set[tuple[object, ...]] = set()
    for subject in subjects:
        label = (subject.label, type(subject.positive), subject.positive)
        if label in seen:
            raise ProofError(f"the class {subject.positive!r} occurs twice")
        seen.add(label)


_COMMON = {"verdict", "found_by", "data", "multipliers"}
_BRACKET = {*_COMMON, "weights", "margin"}


def _read_verdict(given: object) -> Verdict:
    kind = given.get("verdict") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind in _READERS:
        return _READERS[kind](given)
    raise ProofError(
        parameter="verdict",
        got=Given(fields.abbreviate_json(kind)),
        wanted="'separable', 'not separable' or 'undecided'",
    )


def _read_separable(given: object) -> Separable:
    names = {*_BRACKET, "smallest_margin", "input_margin"}
    members = fields.read_object(given, "a proof", names)
    return Separable(
        *_read_head(members),
        **_read_bracket(members),
        smallest_margin=fields.read_float(members["smallest_margin"], "smallest_margin"),
        input_margin=fields.read_float(members["input_margin"], "input_margin"),
    )


def _read_not_separable(given: object) -> NotSeparable:
    members = fields.read_object(given, "a proof", {*_COMMON, "by", "suspects"})
    if members["by"] not in ("zero sum", "small sum"):
        raise ProofError(
            parameter="by",
            got=Given(fields.abbreviate_json(members["by"])),
            wanted="'zero sum', 'small sum'",
        )
    subject, found_by = _read_head(members)
    return NotSeparable(
        subject,
        found_by,
        multipliers=fields.read_multipliers(members["multipliers"], subject.n_rows),
        suspects=fields.read_row_numbers(members["suspects"], subject.n_rows),
        by=members["by"],
    )


def _read_undecided(given: object) -> Undecided:
    members = fields.read_object(given, "a proof", {*_BRACKET, "tried", "why"})
    return Undecided(
        *_read_head(members),
        **_read_bracket(members),
        tried=[
            fields.read_string(line, "tried")
            for line in fields.read_list(members["tried"], "tried")
        ],
        why=fields.read_string(members["why"], "why"),
    )


_READERS = {
    "separable": _read_separable,
    "not separable": _read_not_separable,
    "undecided": _read_undecided,
}


def _read_head(members: dict[str, Any]) -> tuple[Subject, str]:
    given, names = members["data"], {"rows", "features", "bias", "positive", "negative", "digest"}
    if isinstance(given, dict):
        names |= {"label"} & given.keys()
    data = fields.read_object(given, "data", names)
    subject = Subject(
        fields.read_count(data["rows"], "rows"),
        fields.read_count(data["features"], "features"),
        None if data["bias"] is None else fields.read_float(data["bias"], "bias"),
        fields.read_label(data["positive"], "positive"),
        None if data["negative"] is None else fields.read_label(data["negative"], "negative"),
        fields.read_string(data["digest"], "digest"),
        fields.read_string(data["label"], "label") if "label" in data else None,
    )
    return subject, fields.read_string(members["found_by"], "found_by")


def _read_bracket(members: dict[str, Any]) -> dict[str, Any]:
    n_rows = members["data"]["rows"]
    margin = fields.read_list(members["margin"], "margin")
    if len(margin) != 2:
        raise ProofError(
            parameter="margin", got=Given(f"{plural(len(margin), 'number')}"), wanted="2"
        )
    weights = fields.read_list(members["weights"], "weights")
    return {
        "weights": tuple(fields.read_number(w, "weights") for w in weights),
        "margin": tuple(fields.read_float(end, "margin") for end in margin),
        "multipliers": fields.read_multipliers(members["multipliers"], n_rows),
    }
