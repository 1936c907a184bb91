"""Whether the features of all texts will fit into memory, judged by those of the first texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit._native import TextFeatures, TextRows

Batch = tuple[int, list[str | bytes]]

VALUE = 8  # bytes of a column number and a count
TERM = 58  # bytes of a term, its number and its frequencies, as measured
# Longer texts repeat more of their terms than the first texts may do.
LEAST_SHARE = 0.9
# New terms grow with a power of the text (Heaps' law): of words about this one, of pairs more.
GROWTH = 0.6
FIX = (
    "use words without pairs and characters, fewer texts, or learn them as a stream, which holds "
    "few at a time"
)


def watch(
    batches: Iterable[Batch], texts: object, features: TextFeatures, rows: TextRows
) -> Iterator[Batch]:
    """Yield the batches; refuse to go on once the features of all of them cannot fit.

    The estimate is a low one, so that nothing is refused that would fit: as many values for each
    character as so far, less a tenth, and new terms as words alone bring them.

    texts : all of them; nothing is known of those that come one by one
    features, rows : of the batches so far

    Raises
    ------
    MemoryEstimateError
        There is less memory left than the remaining features take.
    """
    seen = total = 0
    known = features.n_columns  # those of a hash all of them
    for first, batch in batches:
        # The features of the batches before have been counted by now.
        if isinstance(texts, list) and seen:
            total = total or _count_characters(texts)
            new = features.n_columns - known
            more = estimate_rest(rows.n_values, new, total / seen)
            what = f"the features of {plural(len(texts) - first, 'more text')}"
            memory.require(more, what, FIX)
        yield first, batch
        seen += _count_characters(batch)


def estimate_rest(n_values: int, n_terms: int, times: float) -> int:
    """Return the bytes at least of what is not counted yet, of ``times`` as much as was.

    >>> estimate_rest(1000, 100, 4.0)
    29125
    """
    rows, terms = (times - 1) * n_values, (_native.power(times, GROWTH) - 1) * n_terms
    return round(LEAST_SHARE * VALUE * rows + TERM * terms)


def _count_characters(texts: list[Any]) -> int:
    # What is no text is refused where it is read.
    return sum(len(text) for text in texts if isinstance(text, str | bytes))
