"""A file of many languages: 79 made-up ones in several scripts, about 10 MB of short sentences.

Nothing here is text of anybody's: letters are drawn into syllables, syllables into words, words by
Zipf's law into sentences, all from one seed. Languages of a family share their letters and a part
of their words, as neighbours do, so that they are not told apart by the script alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SEED = 79
N_LANGUAGES = 79
N_BYTES = 10_000_000
LEXICON = 12_000
SHARED = 0.3  # of the words of a family
WORDS = (6, 18)  # a sentence

LATIN = "abcdefghijklmnopqrstuvwxyz"
SCRIPTS = {
    "latin": LATIN,
    "latin with marks": LATIN + "áàâäãåæçéèêëíìîïñóòôöõøúùûüýß",
    "latin of the east": LATIN + "ąćčďęěğıłńňőřśšťůűžż",
    "cyrillic": "".join(map(chr, range(0x430, 0x450))),
    "greek": "".join(map(chr, [*range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA)])),
    "armenian": "".join(map(chr, range(0x561, 0x586))),
    "hebrew": "".join(map(chr, range(0x5D0, 0x5EB))),
    "arabic": "".join(map(chr, [*range(0x627, 0x63B), *range(0x641, 0x64B)])),
    "devanagari": "".join(map(chr, range(0x905, 0x93A))),
    "bengali": "".join(map(chr, [*range(0x985, 0x98D), *range(0x993, 0x9A9)])),
    "tamil": "".join(map(chr, [*range(0xB85, 0xB8B), 0xB95, 0xB99, 0xB9A, *range(0xBAE, 0xBBA)])),
    "georgian": "".join(map(chr, range(0x10D0, 0x10F1))),
    "thai": "".join(map(chr, range(0xE01, 0xE2F))),
    "kana": "".join(map(chr, range(0x3042, 0x3094))),
    "hangul": "".join(map(chr, range(0xAC00, 0xD7A4, 28)))[::2],
}
PER_FAMILY = 6


@dataclass(frozen=True)
class Language:
    """A name, its words by rank, and the odds of each rank summed up."""

    name: str
    words: np.ndarray
    chance: np.ndarray


def sentences(n_bytes: int = N_BYTES, seed: int = SEED) -> Iterator[tuple[str, str]]:
    """Yield languages and sentences until the sentences hold about ``n_bytes`` of UTF-8.

    >>> list(sentences(40))[0][0]
    'language-00'
    """
    draw = np.random.default_rng(seed)
    languages = list(_languages(draw))
    written = 0
    while True:
        for language in languages:
            length = int(draw.integers(*WORDS))
            ranks = np.searchsorted(language.chance, draw.random(length) * language.chance[-1])
            text = " ".join(language.words[ranks])
            yield language.name, text
            written += len(text.encode()) + 1
            if written >= n_bytes:
                return


def _languages(draw: np.random.Generator) -> Iterator[Language]:
    chance = np.cumsum(1.0 / np.arange(1, LEXICON + 1))
    scripts = list(SCRIPTS.values())
    common: list[str] = []
    for number in range(N_LANGUAGES):
        family, member = divmod(number, PER_FAMILY)
        letters = scripts[family % len(scripts)]
        if member == 0:
            common = _words(draw, letters, LEXICON)
        own = _words(draw, letters, LEXICON)
        shared = draw.random(LEXICON) < SHARED
        words = np.where(shared, np.array(common, object), np.array(own, object))
        yield Language(f"language-{number:02d}", words, chance)


def _words(draw: np.random.Generator, letters: str, count: int) -> list[str]:
    """Draw words of one to four syllables, of the few hundred syllables that a language uses."""
    alphabet = np.array(list(letters))
    odds = draw.random(len(alphabet)) ** 2
    odds /= odds.sum()
    lengths = draw.integers(1, 4, 400)
    syllables = np.array(
        ["".join(draw.choice(alphabet, length, p=odds)) for length in lengths], object
    )
    often = 1.0 / np.arange(1, len(syllables) + 1)
    often /= often.sum()
    return [
        "".join(draw.choice(syllables, n, p=often)) for n in draw.integers(1, 5, count).tolist()
    ]
