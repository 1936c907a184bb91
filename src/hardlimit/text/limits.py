"""Which terms a vocabulary keeps: by documents, by occurrences, or those of a given list.

The parameters mean what they mean in scikit-learn's ``CountVectorizer``. A vocabulary that was
limited or given grows no more: later texts add no terms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.exceptions import InputError, KindError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.names import check_text, is_text

if TYPE_CHECKING:
    from hardlimit._native import TextFeatures, TextRows

MOST = 2**62  # texts or terms


class TermLimits(NamedTuple):
    """Checked limits; the defaults keep every term."""

    min_df: int | float = 1
    max_df: int | float = 1.0
    max_features: int | None = None

    @property
    def first_set(self) -> str | None:
        """The name of a limit by which a term could be left out, or None."""
        # 1 is one text and 1.0 all of them, which Python takes for equal.
        if self.min_df != (1 if isinstance(self.min_df, int) else 0):
            return "min_df"
        if not (self.max_df == 1 and isinstance(self.max_df, float)):
            return "max_df"
        return None if self.max_features is None else "max_features"

    def documents(self, n_documents: int) -> tuple[int, int]:
        """Return the fewest and the most documents that a kept term is in.

        >>> TermLimits(0.1, 0.5).documents(30)
        (3, 15)

        Raises
        ------
        InputError
            Where the most are fewer than the fewest.
        """
        fewest = _documents(self.min_df, n_documents)
        most = _documents(self.max_df, n_documents)
        if most < fewest:
            raise InputError(
                f"of {plural(n_documents, 'text')} these are at most {most:g} and at least "
                f"{fewest:g}",
                parameter="max_df",
                got=self.max_df,
                fix=("raise it, or lower ", Setting("min_df", 1)),
            )
        return math.ceil(fewest), math.floor(most)


def _documents(limit: int | float, n_documents: int) -> int | float:
    return limit if isinstance(limit, int) else limit * n_documents


def check_limits(params: Mapping[str, Any]) -> TermLimits:
    """Return the limits of a vectorizer's parameters."""
    least = _check_frequency("min_df", params["min_df"])
    most = _check_frequency("max_df", params["max_df"])
    limits = TermLimits(least, most, _check_number(params["max_features"]))
    name = limits.first_set
    if params["hash_bits"] is not None and name is not None:
        raise InputError(
            "hashing keeps no terms that could be left out",
            parameter=name,
            got=params[name],
            fix=("use ", Setting("hash_bits", None), ", or fewer hash_bits for fewer columns"),
        )
    return limits


def _check_frequency(name: str, value: object) -> int | float:
    wanted = "a whole number >= 1, of texts, or a fraction of them from 0.0 to 1.0"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise KindError(parameter=name, got=value, wanted=wanted)
    if isinstance(value, Integral):
        number: int | float = int(value)
        possible = 1 <= number <= MOST
    else:
        number = float(value)
        possible = 0 <= number <= 1
    if not possible:
        raise InputError(parameter=name, got=value, wanted=wanted)
    return number


def _check_number(value: object) -> int | None:
    if value is None:
        return None
    wanted = "a whole number >= 1, or None"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise KindError(parameter="max_features", got=value, wanted=wanted)
    number = int(value)
    if not 1 <= number <= MOST:
        raise InputError(parameter="max_features", got=value, wanted=wanted)
    return number


def leave_out_terms(params: Mapping[str, Any], features: TextFeatures, rows: TextRows) -> None:
    """Leave out the terms beyond the limits, also in the rows of counts that they were learnt of.

    Raises
    ------
    InputError
        Limits that leave no term.
    """
    limits = check_limits(params)
    if features.closed or limits.first_set is None:
        return
    before, n_documents = features.n_columns, features.n_documents
    fewest, most = limits.documents(n_documents)
    kept = features.limit(fewest, most, limits.max_features, rows)
    refuse_nothing_left(kept, before, fewest, most, n_documents)


def refuse_nothing_left(kept: int, before: int, fewest: int, most: int, n_documents: int) -> None:
    """Refuse limits that leave no term of those that were there before."""
    if before and not kept:
        raise InputError(
            f"no term is in {fewest:,} to {most:,} of {plural(n_documents, 'text')}",
            who="TextVectorizer",
            fix=("use ", Setting("min_df", 1), " and ", Setting("max_df", 1.0)),
        )


def refuse_in_stream(params: Mapping[str, Any], features: TextFeatures) -> None:
    """Refuse limits where terms are learnt without a fit before."""
    limit = check_limits(params).first_set
    if features.closed or limit is None:
        return
    raise InputError(
        "a stream has no whole of texts whose documents could be counted",
        parameter=limit,
        got=params[limit],
        fix="call fit first, which chooses the terms; or give a vocabulary",
    )


def check_vocabulary(params: Mapping[str, Any]) -> list[str] | None:
    """Return the terms of a given vocabulary in the order of their columns, or None.

    A mapping gives each term its column, a set is sorted, and any other iterable is in order.
    """
    given = params["vocabulary"]
    if given is None:
        return None
    if params["hash_bits"] is not None:
        raise InputError(
            "hashing has no vocabulary",
            parameter="hash_bits",
            got=params["hash_bits"],
            fix=("use ", Setting("hash_bits", None)),
        )
    terms = in_order(given)
    if not terms:
        raise InputError(parameter="vocabulary", got=given, wanted="at least one term")
    if len(set(terms)) != len(terms):
        twice = next(term for number, term in enumerate(terms) if term in terms[:number])
        raise InputError(parameter="vocabulary", got=twice, wanted="each term once")
    for term in terms:
        _check_term(term, params)
    return terms


def check_known(given: Iterable[str] | Mapping[str, int], terms: Sequence[str]) -> None:
    """Refuse terms that a given vocabulary does not have, since it never grows."""
    known = set(in_order(given))
    for term in terms:
        if term not in known:
            raise InputError(
                "a vocabulary that was given does not grow",
                parameter="terms",
                got=term,
                wanted="terms of the vocabulary",
            )


def in_order(given: Iterable[str] | Mapping[str, int]) -> list[str]:
    """Return the terms of a vocabulary by column, as they were given."""
    wanted = "texts, or a dict that gives each its column"
    try:
        if isinstance(given, str | bytes):
            raise TypeError
        if isinstance(given, Mapping):
            columns = {term: int(column) for term, column in given.items()}
            terms = sorted(columns, key=columns.__getitem__)
        else:
            columns, terms = {}, sorted(given) if isinstance(given, Set) else list(given)
        is_good = all(is_text(str.__str__(term)) for term in terms)
    except Exception:  # also of a user's own class
        raise KindError(parameter="vocabulary", got=given, wanted=wanted) from None
    if not is_good:
        for term in terms:
            check_text(term, "vocabulary")
    if columns and [columns[term] for term in terms] != list(range(len(terms))):
        wanted = f"the columns 0 to {len(terms) - 1}, each once"
        raise InputError(parameter="vocabulary", got=given, wanted=wanted)
    return terms


def _check_term(term: str, params: Mapping[str, Any]) -> None:
    """Refuse what the features that are asked for can never find."""
    if term[:1] in ("[", "{"):
        closed = len(term) > 2 and term[-1] == ("]" if term[0] == "[" else "}")
        kind = "chars" if term[0] == "[" else "words"
        possible, size = closed and params[kind] is not None, len(term) - 2
        least, most = (params[kind] or (0, 0)) if kind == "chars" else (1, 3)
        # A word shorter than an n-gram is one by itself.
        possible = possible and size <= most
    else:
        least, most = params["words"] or (0, 0)
        parts = term.split(" ")
        possible = all(parts) and least <= len(parts) <= most
        kind = "words"
    if not possible:
        raise InputError(
            f"with {kind}={params[kind]!r} no text has it: n-grams of words are written with one "
            "blank between two, those of characters in brackets, as in '[ wi]'",
            parameter="vocabulary",
            got=term,
        )
