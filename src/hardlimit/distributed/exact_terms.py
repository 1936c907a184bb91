"""An exact vocabulary of texts that are learnt in parts: each part's own, joined in their order.

Terms, columns and frequencies are those of one vocabulary that met all texts in turn: a term is
numbered when the first part that has it is joined, in the order of that part. Nothing is left out,
so that a part's vocabulary needs no more memory than the one that all workers get in the end; with
limits (``min_df``, ``max_features``) the terms are counted in bounded memory instead,
:mod:`hardlimit.streaming.counting`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hardlimit.foundation.types import Array
from hardlimit.text import TextVectorizer
from hardlimit.text.batches import Texts
from hardlimit.text.freezing import absorb_tables
from hardlimit.text.limits import check_limits


class ExactCounts(NamedTuple):
    """What was learnt of some of the texts: the tables of a vocabulary, without idf."""

    tables: dict[str, Array]
    n_documents: int
    n_replaced: int


def keeps_all_terms(vectorizer: TextVectorizer) -> bool:
    """Whether every term of the texts gets a column of its own."""
    return (
        vectorizer.hash_bits is None
        and vectorizer.vocabulary is None
        and check_limits(vectorizer.get_params()).first_set is None
    )


def count_exact(vectorizer: TextVectorizer, texts: Texts) -> ExactCounts:
    """Learn the terms of a part of the texts, for :func:`fit_exact`."""
    vectorizer.fit(texts)
    tables = {
        name: table
        for name, table in vectorizer.state_tables().items()
        if not name.startswith("idf")
    }
    return ExactCounts(tables, vectorizer.n_documents_, vectorizer.n_replaced_)


def fit_exact(vectorizer: TextVectorizer, parts: Sequence[ExactCounts]) -> TextVectorizer:
    """Fit a vectorizer to texts that were learnt in parts; return it.

    Cost: one or two searches for each term of each part.

    Examples
    --------
    >>> texts = [["win a prize", "lunch?"], ["a prize for you"]]
    >>> parts = [count_exact(TextVectorizer(), some) for some in texts]
    >>> joined, whole = fit_exact(TextVectorizer(), parts), TextVectorizer().fit(sum(texts, []))
    >>> joined.terms(range(7)) == whole.terms(range(7)), joined.n_documents_
    (True, 3)
    """

    def count(make: Callable[[], Any], prepare: object, texts: object) -> tuple[Any, int]:
        features = make()
        for part in parts:
            absorb_tables(features, part.tables, part.n_documents)
        return features, sum(part.n_replaced for part in parts)

    return vectorizer.fit_by(count, ())
