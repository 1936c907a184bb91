"""Check the parameters of a vectorizer; done at ``fit``, as scikit-learn's ``clone`` wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardlimit.exceptions import InputError, KindError, Setting, Text
from hardlimit.text import accents, limits, stop_words

TF = ("raw", "binary", "sublinear")
TF_NUMBERS = {name: number for number, name in enumerate(TF)}  # as the compiled part has them
IDF = ("smooth", "ratio", None)
NORM = ("l2", None)
ANALYZERS = ("char_wb", "char")
LONGEST = 64
# Of a block: beyond them single precision loses the other block, or overflows.
LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6


def check_ngram_range(name: str, value: tuple[int, int] | None) -> tuple[int, int]:
    """Return ``(m, n)`` with 1 <= m <= n <= 64, or ``(0, 0)`` for None."""
    if value is None:
        return 0, 0
    fix = ("for example ", Setting(name, (1, 2)), ", or ", Setting(name, None), " to use none")
    try:
        least, most = value
        numbers = int(least), int(most)
    except Exception:  # also of a user's own class
        wanted = "a pair of whole numbers"
        raise KindError(parameter=name, got=value, wanted=wanted, fix=fix) from None
    if numbers != (least, most) or not 1 <= numbers[0] <= numbers[1] <= LONGEST:
        wanted = f"(least, most) with 1 <= least <= most <= {LONGEST}"
        raise InputError(parameter=name, got=value, wanted=wanted, fix=fix)
    return numbers


def check_choice(name: str, value: object, allowed: tuple[str | None, ...]) -> None:
    """Refuse a value that is not in the list."""
    if not isinstance(value, str | None) or value not in allowed:
        names = ", ".join(repr(one) for one in allowed if one is not None)
        wanted = (names, " or ", Setting(name, None)) if None in allowed else names
        raise InputError(parameter=name, got=value, wanted=wanted)


def check_whole_number(name: str, value: float, least: int, most: int) -> int:
    """Return a whole number in a range as an int."""
    try:
        number = int(value)
    except Exception:  # also of a user's own class
        raise KindError(parameter=name, got=value, wanted="a whole number") from None
    if number != value or not least <= number <= most:
        wanted = f"a whole number from {least} to {most}"
        raise InputError(parameter=name, got=value, wanted=wanted)
    return number


def check_block_weights(value: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the weights of words and of characters, or None."""
    if value is None:
        return None
    try:
        words, chars = value
        weights = float(words), float(chars)
    except Exception:  # also of a user's own class
        wanted = "a pair of numbers, the weights of words and of characters, or None"
        fix: Text = ("for example ", Setting("block_weights", (0.8, 0.6)))
        raise KindError(parameter="block_weights", got=value, wanted=wanted, fix=fix) from None
    if LEAST_WEIGHT <= weights[0] <= MOST_WEIGHT and LEAST_WEIGHT <= weights[1] <= MOST_WEIGHT:
        return weights
    fix = ("for example ", Setting("block_weights", (0.8, 0.6)), "; to leave a block out ")
    raise InputError(
        parameter="block_weights",
        got=value,
        wanted=f"two numbers from {LEAST_WEIGHT:g} to {MOST_WEIGHT:g}",
        fix=(*fix, Setting("chars", None)),
    )


def check_settings(params: Mapping[str, Any]) -> dict[str, Any]:
    """Check a vectorizer's parameters and return them as the compiled part takes them."""
    check_choice("tf", params["tf"], TF)
    check_choice("idf", params["idf"], IDF)
    check_choice("norm", params["norm"], NORM)
    words, chars = (
        check_ngram_range("words", params["words"]),
        check_ngram_range("chars", params["chars"]),
    )
    if not words[1] and not chars[1]:
        no_features = (
            Setting("words", None),
            " and ",
            Setting("chars", None),
            " leave no features",
        )
        fix = ("give at least one of them, for example ", Setting("words", (1, 2)))
        raise InputError(no_features, fix=fix)
    check_choice("analyzer", params["analyzer"], ANALYZERS)
    check_choice("strip_accents", params["strip_accents"], accents.WAYS)
    limits.check_limits(params)
    bits = params["hash_bits"]
    weights = check_block_weights(params["block_weights"])
    return {
        "words": words,
        "chars": chars,
        "hash_bits": 0 if bits is None else check_whole_number("hash_bits", bits, 1, 31),
        "salt": check_whole_number("salt", params["salt"], 0, 2**64 - 1),
        "count_documents": params["idf"] is not None,
        "blocks": weights is not None and words[1] > 0 and chars[1] > 0,
        "across": params["analyzer"] == "char",
        "stop_words": stop_words.resolve(params["stop_words"]),
    }
