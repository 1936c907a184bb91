"""Checking the parameters of a vectorizer; done at ``fit``, as scikit-learn's ``clone`` wants."""

from __future__ import annotations

from typing import Any

from hardlimit.exceptions import InputError, KindError

TF = ("raw", "binary", "sublinear")
IDF = ("smooth", "ratio", None)
NORM = ("l2", None)
LONGEST = 64


def ngram_range(name: str, value: Any) -> tuple[int, int]:
    """``(m, n)`` with 1 <= m <= n <= 64, or ``(0, 0)`` for None."""
    if value is None:
        return 0, 0
    mend = f"give {name}=(least, most), for example {name}=(1, 2), or None for none"
    try:
        least, most = value
        numbers = int(least), int(most)
    except (TypeError, ValueError):
        raise KindError(f"{name}={value!r}; wanted a pair of whole numbers: {mend}") from None
    if numbers != (least, most) or not 1 <= numbers[0] <= numbers[1] <= LONGEST:
        raise InputError(f"{name}={value!r}; wanted 1 <= least <= most <= {LONGEST}: {mend}")
    return numbers


def one_of(name: str, value: Any, allowed: tuple[str | None, ...]) -> None:
    """Refuse a value that is not in the list."""
    if value not in allowed:
        raise InputError(f"{name}={value!r}; wanted one of {', '.join(map(repr, allowed))}")


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in a range."""
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise KindError(f"{name}={value!r}; wanted a whole number") from None
    if number != value or not least <= number <= most:
        raise InputError(f"{name}={value!r}; wanted a whole number from {least} to {most}")
    return number


def check(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters in the form the compiled part takes: words, chars, hash_bits, salt."""
    one_of("tf", params["tf"], TF)
    one_of("idf", params["idf"], IDF)
    one_of("norm", params["norm"], NORM)
    words, chars = ngram_range("words", params["words"]), ngram_range("chars", params["chars"])
    if not words[1] and not chars[1]:
        raise InputError("words=None and chars=None leave no features; give at least one of them")
    bits = params["hash_bits"]
    return {
        "words": words,
        "chars": chars,
        "hash_bits": 0 if bits is None else whole_number("hash_bits", bits, 1, 31),
        "salt": whole_number("salt", params["salt"], 0, 2**64 - 1),
        "count_documents": params["idf"] is not None,
    }
