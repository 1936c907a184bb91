"""What makes rows of the examples of a shard: of words, or of numbers.

A featuriser is made and completed by the driver, which asks all shards what it must know of all
rows (:meth:`Featuriser.measure`), and travels to the workers, which answer and make rows.
"""

from __future__ import annotations

from hardlimit.classifiers.model.choices import Choices
from hardlimit.distributed.featurisers._protocol import Ask, Featuriser, ShardRows

__all__ = ["Ask", "Featuriser", "ShardRows", "make_featuriser"]


def make_featuriser(choices: Choices) -> Featuriser:
    """Return what makes rows of the examples that these choices are for."""
    if choices.text is None:
        from hardlimit.distributed.featurisers.numbers import RowsOfNumbers

        return RowsOfNumbers(choices)
    from hardlimit.distributed.featurisers.words import RowsOfWords

    return RowsOfWords(choices)
