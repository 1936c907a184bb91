"""Proof files, checked against small data: they hold, or they are refused."""

from functools import cache

import numpy as np

from fuzz.harness import refusals_pass

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0], [1.0, 1.0]])


@cache
def _made():
    from hardlimit import certificates

    verdicts = [
        certificates.certify(X, [0, 1, 1, 0, 1]),
        certificates.certify(X[[0, 0, 1]], [0, 1, 1]),
        certificates.certify(X.astype(int).tolist(), ["a", "b", "b", "a", "b"]),
    ]
    return [certificates.proof_file.to_bytes([verdict]) for verdict in verdicts]


SEEDS = _made()


def run(data: bytes) -> None:
    """Read the proofs, check each of them, and write it again."""
    from hardlimit.certificates import proof_file

    with refusals_pass():
        for verdict in proof_file.from_bytes(data):
            for labels in ([0, 1, 1, 0, 1], ["a", "b", "b", "a", "b"]):
                with refusals_pass():
                    verdict.check(X, labels)
            with refusals_pass():
                proof_file.to_bytes([verdict])
            str(verdict)
