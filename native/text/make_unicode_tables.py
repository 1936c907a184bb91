"""Write ``unicode_tables.hpp``: what this Python's ``str`` methods say about every code point.

Run ``python native/text/make_unicode_tables.py`` to remake the committed file; its version of
Unicode is then that of the Python that ran it. The properties are asked of ``str`` itself, not of
the Unicode database, because tokens are defined as those of ``re`` and ``str.lower``.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

WORD, SPACE, CASED, IGNORABLE, UNSPACED, TWO = 1, 2, 4, 8, 16, 32
BLOCK = 128
UNSPACED_NAMES = (
    "CJK UNIFIED IDEOGRAPH",
    "CJK COMPATIBILITY IDEOGRAPH",
    "IDEOGRAPHIC ITERATION MARK",
    "VERTICAL IDEOGRAPHIC ITERATION MARK",
    "HIRAGANA ",
    "KATAKANA ",
    "KATAKANA-HIRAGANA ",
    "HENTAIGANA ",
    "HALFWIDTH KATAKANA",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
)


def flags_of(char: str) -> int:
    """Properties of one character, probed through ``str``."""
    flags = WORD if char.isalnum() or char == "_" else 0
    flags |= SPACE if char.isspace() else 0
    # A capital sigma is final after a cased character, ignorable ones between them passed over.
    if (char + "Σ").lower()[-1] == "ς":
        flags |= CASED
    elif ("A" + char + "Σ").lower()[-1] == "ς":
        flags |= IGNORABLE
    name = unicodedata.name(char, "")
    if name.startswith(UNSPACED_NAMES) and unicodedata.category(char)[0] in "LM":
        flags |= UNSPACED
    return flags


def check_sigma_context(code: int, properties: list[tuple[int, int]]) -> None:
    """The sigma rule is applied looking back at *lowered* text: that must see the same."""
    context = CASED | IGNORABLE
    lowered = [properties[ord(char)][0] & context for char in chr(code).lower()]
    while len(lowered) > 1 and lowered[-1] & IGNORABLE:
        lowered.pop()
    if lowered[-1] != properties[code][0] & context:
        raise SystemExit(f"U+{code:04X}: the sigma rule cannot look back at lowered text")
    if properties[code][0] & SPACE and properties[code][0] & context:
        raise SystemExit(f"U+{code:04X}: a space that takes part in the sigma rule")


def collect() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """``(flags, lower)`` per code point, and the pairs that some lower to."""
    pairs: list[tuple[int, int]] = []
    properties = []
    for code in range(sys.maxunicode + 1):
        if 0xD800 <= code < 0xE000:
            properties.append((0, 0))
            continue
        char = chr(code)
        flags, lowered = flags_of(char), char.lower()
        if len(lowered) == 1:
            properties.append((flags, ord(lowered) - code))
        else:
            pairs.append((ord(lowered[0]), ord(lowered[1:])))
            properties.append((flags | TWO, len(pairs) - 1))
    for code in range(sys.maxunicode + 1):
        if not 0xD800 <= code < 0xE000:
            check_sigma_context(code, properties)
    return properties, pairs


def numbers(name: str, kind: str, values: list[int]) -> str:
    """A C++ array, wrapped at 100 columns."""
    lines, line = [], "   "
    for value in values:
        piece = f" {value},"
        if len(line) + len(piece) > 100:
            lines.append(line)
            line = "   "
        line += piece
    return f"inline constexpr {kind} {name}[] = {{\n" + "\n".join([*lines, line]) + "\n};\n"


def main() -> None:
    """Build the two-stage table and write it beside this file."""
    properties, pairs = collect()
    records = sorted(set(properties))
    number = {record: index for index, record in enumerate(records)}
    blocks: dict[tuple[int, ...], int] = {}
    first = []
    for start in range(0, len(properties), BLOCK):
        block = tuple(number[p] for p in properties[start : start + BLOCK])
        first.append(blocks.setdefault(block, len(blocks)))
    parts = [
        "// Made by make_unicode_tables.py; do not edit.\n#pragma once\n#include <cstdint>\n",
        "namespace hardlimit::text::tables {\n",
        f'inline constexpr char unicode_version[] = "{unicodedata.unidata_version}";',
        f"inline constexpr unsigned block_bits = {BLOCK.bit_length() - 1};",
        "struct Record {\n    std::uint8_t flags;\n    std::int32_t lower;\n};",
        "inline constexpr Record records[] = {\n"
        + "".join(f"    {{{flags}, {lower}}},\n" for flags, lower in records)
        + "};",
        "struct Pair {\n    std::uint32_t first, second;\n};",
        "inline constexpr Pair pairs[] = {\n"
        + "".join(f"    {{{one}, {two}}},\n" for one, two in pairs)
        + "};",
        numbers("first_stage", "std::uint16_t", first),
        numbers("second_stage", "std::uint16_t", [n for block in blocks for n in block]),
        "}  // namespace hardlimit::text::tables\n",
    ]
    path = Path(__file__).with_name("unicode_tables.hpp")
    path.write_text("\n".join(parts), encoding="ascii")


if __name__ == "__main__":
    main()
