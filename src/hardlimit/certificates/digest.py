"""Which data a proof speaks of: a digest of its signed rows, written as integers.

The text that is hashed (SHA-256, ASCII) is ``rows columns``, a line of the columns' scales, and one
line a row of ``column:integer``, zeros left out, integers in hexadecimal; each line ends in a line
feed. Dense and sparse give the same. docs/proof-format.md has an example.
"""

from __future__ import annotations

import hashlib

from hardlimit.certificates.signed_rows import SignedRows


def compute_digest(rows: SignedRows) -> str:
    """SHA-256 of the signed rows; O(non-zeros)."""
    hashed = hashlib.sha256(f"{rows.n_rows} {rows.n_columns}\n".encode())
    hashed.update((" ".join(f"{scale:x}" for scale in rows.scales) + "\n").encode())
    # Row by row: the text of a large set is never held as a whole.
    for columns, values in rows.all_integers("computing the digest of the rows"):
        pairs = zip(columns, values, strict=True)
        hashed.update((" ".join(f"{j}:{value:x}" for j, value in pairs) + "\n").encode())
    return f"sha256:{hashed.hexdigest()}"
