"""Separable or not, with a proof that anyone can check."""

from __future__ import annotations

from hardlimit.certificates.signed_rows import SignedRows

__all__ = ["SignedRows"]
