"""Terms as they are written: whether any text has them, by the settings of a vectorizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardlimit.exceptions import InputError, KindError

# What a vectorizer does to the terms that it finds is of no interest here.
PLAIN = {"hash_bits": None, "idf": None, "norm": None, "tf": "raw", "vocabulary": None}
UNLIMITED = {"min_df": 1, "max_df": 1.0, "max_features": None}


def check_written(kind: type[Any], params: dict[str, Any], terms: Sequence[str]) -> None:
    """Refuse a term that no text has: each must be found in the text that it is itself.

    ``kind`` makes a vectorizer of ``params``.

    Raises
    ------
    InputError, KindError
        A term in capitals, a word of one letter, an n-gram of another length, and what is no text.
    """
    for term in terms:
        if not isinstance(term, str) or not term:
            raise KindError(parameter="terms", got=term, wanted="texts of at least one character")
    if not terms:
        return
    reader = kind(**{**params, **PLAIN, **UNLIMITED})
    rows = reader.learn_rows([_text_of(term) for term in terms])
    names = reader.get_feature_names_out()
    for place, term in enumerate(terms):
        found = names[rows.indices[rows.indptr[place] : rows.indptr[place + 1]]].tolist()
        if term in found:
            continue
        # Of a word the words that it holds, and not the strings of characters.
        alike = [name for name in found if (name[0] in "[{") == (term[0] in "[{")]
        read = max(alike, key=len, default="")
        raise InputError(
            f"no text has this term, which is read as {read!r}" if read else "no text has it",
            parameter="terms",
            got=term,
            wanted="terms as they are counted: small letters, words of two characters or more",
        )


def _text_of(term: str) -> str:
    """Return a text that has the term: brackets only say which kind it is."""
    return term[1:-1] if term[0] + term[-1] in ("[]", "{}") else term
