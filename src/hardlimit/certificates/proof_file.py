"""Proofs as files: plain JSON, described in docs/proof-format.md.

What is read is not believed: every field has its form and its limit, and the check against the data
decides.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardlimit.certificates import proof_fields as fields
from hardlimit.certificates.subject import Subject
from hardlimit.certificates.verdicts import NotSeparable, Separable, Undecided, Verdict
from hardlimit.exceptions import FileError, ProofError
from hardlimit.foundation.atomic_file import replacing

FORMAT = "hardlimit-proof"
VERSION = 1
MOST_BYTES = 256 << 20

Path_ = str | os.PathLike[str]


def save_proofs(proofs: Sequence[Verdict], path: Path_) -> None:
    """Write proofs into one file, whole or not at all; the same proofs give the same bytes."""
    with replacing(path) as temporary:
        Path(temporary).write_bytes(to_bytes(proofs))


def to_bytes(proofs: Sequence[Verdict]) -> bytes:
    """The file: JSON, one proof a line, keys sorted, ASCII."""
    lines = [json.dumps(_plain(proof), sort_keys=True, allow_nan=False) for proof in proofs]
    inner = ",\n".join(lines)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "proofs": [\n{inner}\n]}}\n'.encode()


def load_proof(path: Path_) -> Verdict:
    """Read a file of one proof; ``ProofError`` says in what it is none."""
    proofs = load_proofs(path)
    if len(proofs) != 1:
        raise ProofError(f"{path}: holds {len(proofs)} proofs; read them by load_proofs")
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
    shown = os.fsdecode(path)
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):
            raise FileError(f"{shown}: cannot be read: it is no regular file")
        if state.st_size > MOST_BYTES:
            raise ProofError(
                f"{shown}: {state.st_size >> 20:,} MB; no proof needs more than "
                f"{MOST_BYTES >> 20} MB"
            )
        with open(path, "rb") as stream:
            content = stream.read(MOST_BYTES)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{shown}: cannot be read: {error.strerror or error}") from None
    return from_bytes(content, shown)


def from_bytes(content: bytes, name: str = "proof") -> list[Verdict]:
    """Read proofs from the bytes of a file."""
    try:
        document = fields.parsed(content)
        found = fields.members(document, "the file", {"format", "version", "proofs"})
        if found["format"] != FORMAT:
            raise ProofError(f"its format is {fields.shown(found['format'])}, wanted {FORMAT!r}")
        if found["version"] != VERSION or isinstance(found["version"], bool):
            raise ProofError(
                f"its version is {fields.shown(found['version'])}; this program reads {VERSION}"
            )
        proofs = fields.a_list(found["proofs"], "proofs")
        if not proofs:
            raise ProofError("it holds no proof")
        return [_verdict(proof) for proof in proofs]
    except ProofError as error:
        raise ProofError(f"{name}: {error}") from None
    except RecursionError:
        raise ProofError(f"{name}: brackets nested too deep") from None


def _plain(proof: Verdict) -> dict[str, Any]:
    common = {"verdict": proof.verdict, "found_by": proof.found_by, "data": _data(proof.subject)}
    if isinstance(proof, NotSeparable):
        return {
            **common,
            "by": proof.by,
            "multipliers": _written(proof.multipliers),
            "suspects": proof.suspects,
        }
    assert isinstance(proof, Separable | Undecided)
    bracket = {
        "weights": fields.all_written(proof.weights),
        "margin": [fields.written(end) for end in proof.margin],
        "multipliers": _written(proof.multipliers),
    }
    if isinstance(proof, Undecided):
        return {**common, **bracket, "tried": proof.tried, "why": proof.why}
    return {
        **common,
        **bracket,
        "smallest_margin": fields.written(proof.smallest_margin),
        "input_margin": fields.written(proof.input_margin),
    }


def _written(multipliers: dict[int, Any]) -> dict[str, str]:
    rows = sorted(multipliers)
    return dict(zip(map(str, rows), fields.all_written(multipliers[i] for i in rows), strict=True))


def _data(subject: Subject) -> dict[str, Any]:
    return {
        "rows": subject.n_rows,
        "features": subject.n_features,
        "bias": None if subject.bias is None else fields.written(subject.bias),
        "positive": fields.plain_label(subject.positive),
        "negative": fields.plain_label(subject.negative),
        "digest": subject.digest,
    }


_COMMON = {"verdict", "found_by", "data", "multipliers"}
_BRACKET = {*_COMMON, "weights", "margin"}


def _verdict(given: Any) -> Verdict:
    kind = given.get("verdict") if isinstance(given, dict) else None
    if kind == "separable":
        found = fields.members(given, "a proof", {*_BRACKET, "smallest_margin", "input_margin"})
        return Separable(
            *_head(found),
            **_bracket(found),
            smallest_margin=fields.a_float(found["smallest_margin"], "smallest_margin"),
            input_margin=fields.a_float(found["input_margin"], "input_margin"),
        )
    if kind == "not separable":
        found = fields.members(given, "a proof", {*_COMMON, "by", "suspects"})
        if found["by"] not in ("zero sum", "small sum"):
            raise ProofError(f"by: got {fields.shown(found['by'])}, wanted 'zero sum', 'small sum'")
        subject, found_by = _head(found)
        return NotSeparable(
            subject,
            found_by,
            multipliers=fields.multipliers(found["multipliers"], subject.n_rows),
            suspects=fields.row_numbers(found["suspects"], subject.n_rows),
            by=found["by"],
        )
    if kind == "undecided":
        found = fields.members(given, "a proof", {*_BRACKET, "tried", "why"})
        return Undecided(
            *_head(found),
            **_bracket(found),
            tried=[
                fields.a_string(line, "tried") for line in fields.a_list(found["tried"], "tried")
            ],
            why=fields.a_string(found["why"], "why"),
        )
    raise ProofError(
        f"verdict: got {fields.shown(kind)}, wanted 'separable', 'not separable' or 'undecided'"
    )


def _head(found: dict[str, Any]) -> tuple[Subject, str]:
    data = fields.members(
        found["data"], "data", {"rows", "features", "bias", "positive", "negative", "digest"}
    )
    bias = None if data["bias"] is None else fields.a_float(data["bias"], "bias")
    subject = Subject(
        fields.a_count(data["rows"], "rows"),
        fields.a_count(data["features"], "features"),
        bias,
        fields.a_label(data["positive"], "positive"),
        fields.a_label(data["negative"], "negative"),
        fields.a_string(data["digest"], "digest"),
    )
    return subject, fields.a_string(found["found_by"], "found_by")


def _bracket(found: dict[str, Any]) -> dict[str, Any]:
    n_rows = found["data"]["rows"]
    margin = fields.a_list(found["margin"], "margin")
    if len(margin) != 2:
        raise ProofError(f"margin: got {len(margin)} numbers, wanted 2")
    return {
        "weights": tuple(
            fields.a_number(w, "weights") for w in fields.a_list(found["weights"], "weights")
        ),
        "margin": tuple(fields.a_float(end, "margin") for end in margin),
        "multipliers": fields.multipliers(found["multipliers"], n_rows),
    }
