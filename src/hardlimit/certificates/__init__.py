"""Separable or not, with a proof that anyone can check."""

from __future__ import annotations

from hardlimit.certificates import finders
from hardlimit.certificates.certifying import certify
from hardlimit.certificates.proof_file import load_proof, load_proofs, save_proofs
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.certificates.verdicts import NotSeparable, Separable, Undecided, Verdict
from hardlimit.foundation.package import list_only_public

__all__ = [
    "NotSeparable",
    "Separable",
    "SignedRows",
    "Undecided",
    "Verdict",
    "certify",
    "finders",
    "load_proof",
    "load_proofs",
    "save_proofs",
]

list_only_public(globals())
