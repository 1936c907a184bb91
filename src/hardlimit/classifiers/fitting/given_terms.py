"""Terms with given weights as the columns of a vectorizer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.types import FloatArray
from hardlimit.text import TextVectorizer

# A rule written by hand counts occurrences, and has nothing to learn an idf from.
PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {"chars": None, "tf": "raw", "idf": None, "norm": None, "bias_feature": 1.0}
)


class Terms(NamedTuple):
    """Terms and their weights, and the lengths of their n-grams of words."""

    weights: dict[str, float]
    words: tuple[int, int]


def read_terms(weights: Mapping[str, float], name: str = "weights") -> Terms:
    """Return the terms of a mapping, checked as far as that needs no vectorizer.

    ``name`` is that of the parameter.

    >>> read_terms({"free": 1, "win a prize": 2}).words
    (1, 3)
    """
    if not isinstance(weights, Mapping) or not weights:
        raise KindError(parameter=name, got=weights, wanted="a dict of terms and their weights")
    for term, weight in weights.items():
        if not isinstance(term, str):
            raise KindError(parameter=name, got=term, wanted="terms that are texts")
        if not np.isfinite(as_float(weight)):
            raise InputError(
                parameter=name, got=Given(f"{weight!r} of {term!r}"), wanted="finite numbers"
            )
    lengths = [max(1, len(term.split())) for term in weights]
    return Terms({term: float(w) for term, w in weights.items()}, (min(lengths), max(lengths)))


def learn_terms(vectorizer: TextVectorizer, terms: Terms) -> FloatArray:
    """Make the terms known to a new vectorizer; return weights (1, n_columns) of its columns."""
    if vectorizer.idf is not None:
        raise InputError(
            "it is learnt from texts, and there are none yet",
            parameter="idf",
            got=vectorizer.idf,
            fix=("use ", Setting("idf", None)),
        )
    rows = vectorizer.learn_rows(list(terms.weights))
    weights = np.zeros((1, rows.n_columns))
    for place, (term, weight) in enumerate(terms.weights.items()):
        columns = rows.indices[rows.indptr[place] : rows.indptr[place + 1]].tolist()
        names = vectorizer.terms(columns)
        if term not in names:
            _refuse_term(term, names)
        weights[0, columns[names.index(term)]] += weight
    return weights


def _refuse_term(term: str, names: list[str]) -> NoReturn:
    read = max(names, key=len, default="")
    raise InputError(
        f"no text has this term, which is read as {read!r}" if read else "no text has this term",
        parameter="weights",
        got=term,
        wanted="words as they are counted: in small letters, of two characters or more",
    )
