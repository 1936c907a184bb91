"""From a text to its terms and their columns, by docs/model-format.md, sections 8 to 10, alone."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from .container import MASK, K, fold, want

P0, P1, P2, P3 = K[0], K[1] + 1, K[2] + 1, K[3]
LONG = 1 << 63
WORDS, RUNS, CHARS = "words", "runs", "chars"
UNSPACED = (
    "CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION MARK",
    "VERTICAL IDEOGRAPHIC ITERATION MARK", "HIRAGANA ", "KATAKANA ", "KATAKANA-HIRAGANA ",
    "HENTAIGANA ", "HALFWIDTH KATAKANA", "THAI ", "LAO ", "KHMER ", "MYANMAR ",
)  # fmt: skip
Arrays = dict[str, "array[Any]"]
Piece = tuple[str, tuple[str, ...]]  # the kind; the words of an n-gram, or one string


def prepare(text: str | bytes, settings: dict[str, Any]) -> str:
    """The text in lower case, every white space a blank."""
    way = settings.get("strip_accents")
    if isinstance(text, bytes):
        # Bytes that are no UTF-8 stay what they are until the accents are gone.
        parts = re.split("([\udc80-\udcff]+)", text.decode("utf-8", "surrogateescape"))
        parts[::2] = [_strip(part, way) for part in parts[::2]]
        text = "".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    else:
        text = _strip(text, way)
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return "".join(" " if c.isspace() else c for c in text.lower())


def _strip(text: str, way: str | None) -> str:
    """A text without accents, if that is asked for."""
    if not way or text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text.lower())
    if way == "ascii":
        return "".join(c for c in parts if c.isascii())
    return "".join(c for c in parts if not unicodedata.combining(c))


def pieces(text: str, settings: dict[str, Any]) -> Iterator[Piece]:
    """All terms of a prepared text, as often as they occur."""
    least, most = settings["words"]
    if most:
        words = [one for one in _words(text) if one not in settings.get("stop_words", ())]
        yield from ((WORDS, gram) for gram in _sequences(words, least, most))
        for run in _longest(text, _is_unspaced):
            yield from ((RUNS, ("".join(one),)) for one in _sequences(run, 1, 3))
    least, most = settings["chars"]
    if most and settings.get("analyzer", "char_wb") == "char":
        whole = re.sub(" +", " ", text)
        yield from ((CHARS, ("".join(one),)) for one in _sequences(whole, least, most))
    elif most:
        for part in filter(None, text.split(" ")):
            for window in _windows(f" {part} ", least, most):
                yield CHARS, (window,)


def _sequences(items: Sequence[str], least: int, most: int) -> Iterator[tuple[str, ...]]:
    """All sequences of neighbours of these lengths."""
    for n in range(least, most + 1):
        for i in range(len(items) - n + 1):
            yield tuple(items[i : i + n])


def _words(text: str) -> list[str]:
    """The longest runs of letters, digits and ``_``, of two characters at least."""
    return [run for run in _longest(text, _is_of_word) if len(run) > 1]


def _is_of_word(c: str) -> bool:
    return c == "_" or unicodedata.category(c)[0] in "LN"


def _is_unspaced(c: str) -> bool:
    named = unicodedata.name(c, "").startswith(UNSPACED)
    return named and unicodedata.category(c)[0] in "LM"


def _longest(text: str, is_inside: Callable[[str], bool]) -> list[str]:
    """The longest parts of a text all of whose characters are of a kind."""
    return ["".join(run) for inside, run in groupby(text, is_inside) if inside]


def _windows(part: str, least: int, most: int) -> Iterator[str]:
    for n in range(least, most + 1):
        if len(part) <= n:
            yield part
            return
        yield from (part[i : i + n] for i in range(len(part) - n + 1))


def seed_of(kind: str, salt: int) -> int:
    """The seed of a kind of terms."""
    return fold((salt + ((WORDS, RUNS, CHARS).index(kind) + 1) * P0) & MASK, P1)


def hash_string(seed: int, data: bytes) -> int:
    """The hash of a string."""
    h = (seed + len(data) * P0) & MASK
    for at in range(0, len(data), 8):
        h = fold(h ^ int.from_bytes(data[at : at + 8], "little"), P1)
    return h


def read_strings(arrays: Arrays, name: str) -> list[bytes]:
    """Strings that lie one behind the other."""
    ends = arrays.get(f"{name}_ends32", arrays.get(f"{name}_ends", ()))
    data = arrays[f"{name}_bytes"].tobytes()
    want(list(ends) == sorted(ends) and (not ends or ends[-1] == len(data)), f"{name}: ends")
    return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def read_idf(arrays: Arrays) -> Sequence[float] | None:
    """The idf of each term; None if all are 1."""
    if "idf" not in arrays:
        return None
    idf = arrays["idf"]
    return [idf[i] for i in arrays["idf_numbers"]] if "idf_numbers" in arrays else idf


class Hashed:
    """Columns by hash; ``numbers`` are the columns that training met."""

    def __init__(self, settings: dict[str, Any], arrays: Arrays) -> None:
        self.bits, self.salt = settings["hash_bits"], settings["salt"]
        want(settings["hash"] == "product-1", "another hash")
        self.has_blocks = has_blocks(settings)
        met = arrays.get("columns", range(1 << self.bits))
        self.numbers = {column: i for i, column in enumerate(met)}
        self.idf = read_idf(arrays)

    def find(self, piece: Piece) -> int | None:
        """The column of a term."""
        kind, parts = piece
        seed = seed_of(kind, self.salt)
        h = hash_string(seed, parts[0].encode())
        for part in parts[1:]:
            h = fold(h ^ P2, hash_string(seed, part.encode()) ^ P3)
        if self.has_blocks:
            bit = 1 << (64 - self.bits)
            h = h | bit if kind == CHARS else h & ~bit
        return h >> (64 - self.bits)

    def number(self, column: int) -> int | None:
        """The number of a column among those that have weights and idf."""
        return self.numbers.get(column)

    def is_chars(self, column: int) -> bool:
        """Whether a column is of n-grams of characters."""
        return bool(column & 1)


class Frozen:
    """Tables that are searched where they lie; a term is found as its original column."""

    def __init__(self, settings: dict[str, Any], arrays: Arrays) -> None:
        most = settings["words"][1]
        self.names = [WORDS, RUNS, CHARS, *(f"pairs{n}" for n in range(2, most + 1))]
        self.slots = {}
        for name in self.names:
            data = arrays[name].tobytes()
            self.slots[name] = [
                (
                    int.from_bytes(data[at : at + 8], "little"),
                    int.from_bytes(data[at + 8 : at + 12], "little"),
                    int.from_bytes(data[at + 12 : at + 16], "little", signed=True),
                )
                for at in range(0, len(data), 16)
            ]
        homes = arrays.get("homes", [len(self.slots[name]) for name in self.names])
        self.homes = dict(zip(self.names, homes, strict=True))
        self.probes = dict(zip(self.names, arrays["probes"], strict=True))
        self.long = {name: read_strings(arrays, name) for name in (WORDS, RUNS, CHARS)}
        n = len(arrays["origins"])
        self.columns = arrays.get("columns", range(n))
        self.numbers = {column: term for term, column in enumerate(self.columns)}
        self.blocks = arrays.get("blocks")
        self.idf = read_idf(arrays)
        self._check_origins(arrays["origins"])

    def _check_origins(self, origins: Sequence[int]) -> None:
        """Every term is in the slot that ``origins`` names, counted through all tables."""
        every = [slot for name in self.names for slot in self.slots[name]]
        want([every[at][2] for at in origins] == list(range(len(origins))), "the origins")

    def find(self, piece: Piece) -> int | None:
        """The column of a term; None if it is not in the vocabulary."""
        kind, parts = piece
        at = self._search(kind, *_key_of(parts[0].encode()))
        table = kind
        for n, word in enumerate(parts[1:], 2):
            last = self._search(WORDS, *_key_of(word.encode()))
            if at is None or last is None:
                return None
            table = f"pairs{n}"
            at = self._search(table, (at << 32) + last + 1, b"")
        term = -1 if at is None else self.slots[table][at][2]
        return None if term < 0 else self.columns[term]

    def _search(self, table: str, key: int, data: bytes) -> int | None:
        """The slot of a key, by as many steps as the format allows."""
        slots, homes = self.slots[table], self.homes[table]
        if not homes:
            return None
        at = (fold(key, 0x9E3779B97F4A7C15) * homes) >> 64
        for _ in range(self.probes[table]):
            if not slots[at][0]:
                return None
            if self._is(table, slots[at], key, data):
                return at
            at = (at + 1) % homes
        # Behind the homes they ascend by key and bytes; any way of looking finds the same.
        behind = range(homes, len(slots))
        return next((i for i in behind if self._is(table, slots[i], key, data)), None)

    def _is(self, table: str, slot: tuple[int, int, int], key: int, data: bytes) -> bool:
        return slot[0] == key and (not data or self.long[table][slot[1]] == data)

    def number(self, column: int) -> int | None:
        """The number of the term of a column."""
        return self.numbers.get(column)

    def is_chars(self, column: int) -> bool:
        """Whether a column is of an n-gram of characters."""
        term = self.numbers[column]
        return self.blocks is not None and bool(self.blocks[term >> 3] >> (term & 7) & 1)


def _key_of(data: bytes) -> tuple[int, bytes]:
    """The key of a string, and the bytes that must be compared beside it."""
    if len(data) <= 7:
        return int.from_bytes(data, "little") | len(data) << 56, b""
    return hash_string(P2, data) | LONG, data


class Learnt:
    """All terms of the training state, in the order of their first appearance."""

    def __init__(self, settings: dict[str, Any], arrays: Arrays) -> None:
        self.columns: dict[Piece, int] = {}
        self.chars = set()
        words = [one.decode() for one in read_strings(arrays, WORDS)]
        for kind in (WORDS, RUNS, CHARS):
            strings = [one.decode() for one in read_strings(arrays, kind)]
            for one, column in zip(strings, arrays[f"{kind}_columns"], strict=True):
                self.columns[kind, (one,)] = column
                if kind == CHARS:
                    self.chars.add(column)
        before: list[tuple[str, ...]] = [(word,) for word in words]
        for n in range(2, settings["words"][1] + 1):
            keys = [key - 1 for key in arrays[f"pairs{n}_keys"]]
            before = [(*before[key >> 32], words[key & 0xFFFFFFFF]) for key in keys]
            columns = zip(before, arrays[f"pairs{n}_columns"], strict=True)
            self.columns |= {(WORDS, gram): column for gram, column in columns}
        frequency = arrays.get("frequency16", arrays.get("frequency", ()))
        found = sorted(column for column in self.columns.values() if column >= 0)
        want(found == list(range(len(frequency))), "columns without a term")
        self.idf = read_idf(arrays)

    def find(self, piece: Piece) -> int | None:
        """The column of a term."""
        column = self.columns.get(piece, -1)
        return None if column < 0 else column

    def number(self, column: int) -> int | None:
        """The column itself."""
        return column

    def is_chars(self, column: int) -> bool:
        """Whether a column is of an n-gram of characters."""
        return column in self.chars


def has_blocks(settings: dict[str, Any]) -> bool:
    """Whether words and characters are weighed apart."""
    return bool(settings.get("block_weights") and settings["words"][1] and settings["chars"][1])


Terms = Hashed | Frozen | Learnt


def frozen_terms(settings: dict[str, Any], arrays: Arrays) -> Terms:
    """The terms of ``answer.text``."""
    return Hashed(settings, arrays) if settings["hash_bits"] else Frozen(settings, arrays)


def learnt_terms(settings: dict[str, Any], arrays: Arrays) -> Terms:
    """The terms of ``state.text`` or of ``answer.blocks.K``."""
    return Hashed(settings, arrays) if settings["hash_bits"] else Learnt(settings, arrays)
