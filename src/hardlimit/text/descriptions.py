"""What is counted in texts and tables, in words, from the header of a vectorizer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import name_column

_NAMED = 12  # columns of one kind


def describe_features(header: Mapping[str, Any]) -> str:
    """Return what is counted in a text, from the header of its vectorizer."""
    if "settings" in header:
        return _describe_table(header)
    if "blocks" in header:
        pairs = zip(header["columns"], header["blocks"], strict=True)
        return ". ".join(f"{name}: {describe_features(block)}" for name, block in pairs)
    parts = []
    for name, (low, high) in (("words", header["words"]), ("characters", header["chars"])):
        if high:
            across = " across words" if header.get("analyzer") == "char" and name != "words" else ""
            parts.append((f"{name} {low}-{high}" if low != high else f"{name} {low}") + across)
    weighting = [
        f"{header['tf']} counts",
        f"{header['idf']} idf" if header["idf"] else "no idf",
        "unit length" if header["norm"] else "no norm",
    ]
    block_weights = header.get("block_weights")  # absent before version 3 of the file
    if block_weights and len(parts) == 2:
        weighting[-1] = "each of unit length" if header["norm"] else "no norm"
        weighting.append("weighed {:g} and {:g}".format(*block_weights))
    weighting += _left_out(header)
    bits = header["hash_bits"]
    columns = header["n_columns"]
    # Hashing knows no terms, so that their number would mean nothing.
    kept = f"hashed to {1 << bits:,} columns" if bits else plural(columns, "term")
    return f"{' and '.join(parts)}: {kept}; {', '.join(weighting)}"


def _describe_table(header: Mapping[str, Any]) -> str:
    """Return what the columns of a table became."""
    said: dict[str, list[str]] = {"number": [], "category": [], "text": []}
    for name, block in zip(header["columns"], header["blocks"], strict=True):
        more = f" ({describe_features(block)})" if block["kind"] == "text" else ""
        said[block["kind"]].append(f"{name_column(name)}{more}")
    words = {"number": "standardised numbers", "category": "categories", "text": "texts"}
    parts = [
        f"{words[kind]} {', '.join(names[:_NAMED])}"
        + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        for kind, names in said.items()
        if names
    ]
    return "; ".join(parts) + f": {plural(header['n_columns'], 'feature')}"


def _left_out(header: Mapping[str, Any]) -> list[str]:
    """Say which terms of the texts are not counted."""
    said = []
    if header.get("strip_accents"):
        said.append("no accents")
    if header.get("stop_words"):
        said.append(f"without {plural(len(header['stop_words']), 'stop word')}")
    limits = header.get("limits")
    if limits:
        names = zip(("min_df", "max_df", "max_features"), limits, (1, 1.0, None), strict=True)
        said += [
            f"{name} {value}"
            for name, value, default in names
            if type(value) is not type(default) or value != default
        ]
    elif header.get("closed"):
        said.append("a given vocabulary")
    return said
