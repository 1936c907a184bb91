"""Writing proofs: plain JSON, described in docs/proof-format.md.

Here stands what a proof file is made of; :mod:`hardlimit.certificates.proof_file` reads it back.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hardlimit.certificates import proof_fields as fields
from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.subject import Subject
from hardlimit.foundation.atomic_file import replacing

FORMAT = "hardlimit-proof"
VERSION = 1

Members = Mapping[str, Any]  # of one proof, as JSON


def encode_proofs(proofs: Sequence[Members]) -> bytes:
    """Return the file: JSON, one proof a line, keys sorted, ASCII."""
    # Sorted keys and a proof a line: the same proofs give the same bytes, and diffs are readable.
    lines = [json.dumps(proof, sort_keys=True, allow_nan=False) for proof in proofs]
    inner = ",\n".join(lines)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "proofs": [\n{inner}\n]}}\n'.encode()


def write_proofs(proofs: Sequence[Members], path: str | os.PathLike[str]) -> None:
    """Write proofs into one file, whole or not at all; the same proofs give the same bytes."""
    with replacing(path) as temporary:
        Path(temporary).write_bytes(encode_proofs(proofs))


def write_multipliers(multipliers: Mapping[int, Exact]) -> dict[str, str]:
    """Return multipliers as JSON, by rising row."""
    rows = sorted(multipliers)
    values = fields.write_ratios(multipliers[i] for i in rows)
    return dict(zip(map(str, rows), values, strict=True))


def write_subject(subject: Subject) -> dict[str, Any]:
    """Return as JSON which data a proof is about."""
    label = {} if subject.label is None else {"label": subject.label}
    return {
        **label,
        "rows": subject.n_rows,
        "features": subject.n_features,
        "bias": None if subject.bias is None else fields.write_number(subject.bias),
        "positive": fields.write_label(subject.positive),
        "negative": fields.write_label(subject.negative),
        "digest": subject.digest,
    }
