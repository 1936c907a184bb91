"""The terms of texts that come in parts, counted: a vectorizer as one fit to all texts makes it.

There are three ways, and the vectorizer says which. Where its columns are known before any text is
(a hash, a given vocabulary), documents are counted (`fixed`). Where every term gets a column, the
vocabulary itself grows (`whole`). Where some are left out (``max_features``, ``min_df``,
``max_df``), all are counted in bounded memory (`bounded`).

::

    counter = make_counter(vectorizer)        # on a worker one for each part of the texts
    counter.add(texts)                        # some at a time
    fit_terms(vectorizer, [counter.packed()]) # of all parts, in their order
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from hardlimit.streaming.terms._protocol import (
    BUDGET,
    CHOSEN,
    LEAST_BUDGET,
    TermCounter,
    TermCounts,
    finds_terms,
)
from hardlimit.streaming.terms.whole import WholeCounter
from hardlimit.text.limits import check_limits
from hardlimit.text.vectorizer import TextVectorizer

__all__ = [
    "BUDGET",
    "CHOSEN",
    "LEAST_BUDGET",
    "TermCounter",
    "TermCounts",
    "finds_terms",
    "fit_terms",
    "make_counter",
]


def make_counter(
    vectorizer: TextVectorizer,
    part: int = 0,
    *,
    budget: int = BUDGET,
    folder: str | os.PathLike[str] | None = None,
) -> TermCounter:
    """Return what counts the terms of a part of the texts.

    Parameters
    ----------
    vectorizer
        Its parameters say what is counted and kept; nothing of it is changed.
    part
        The number of the part, from 0.
    budget, folder
        Bytes of terms that are in memory at once where terms are left out, at least 2**20, and
        where the others lie; the system's folder of temporary files by default.

    Examples
    --------
    >>> vectorizer = TextVectorizer(max_features=2)
    >>> counters = [make_counter(vectorizer, part) for part in (0, 1)]
    >>> counters[0].add(["win a prize", "lunch"])
    >>> counters[1].add(["a prize"])
    >>> fit_terms(vectorizer, [counter.packed() for counter in counters]).terms([0, 1])
    ['win', 'prize']
    """
    limited = check_limits(vectorizer.get_params()).first_set is not None
    if finds_terms(vectorizer) and limited:
        from hardlimit.streaming.terms.bounded import BoundedCounter  # start-up: few are limited

        return BoundedCounter(vectorizer, part, budget, folder)
    return WholeCounter(vectorizer)


def fit_terms(vectorizer: TextVectorizer, parts: Sequence[TermCounts]) -> TextVectorizer:
    """Let a vectorizer learn what ``fit`` of all texts learns, in the order of the parts."""
    return parts[0].fit(vectorizer, parts[1:])
