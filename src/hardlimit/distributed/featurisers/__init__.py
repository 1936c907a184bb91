"""What makes rows of the examples of a shard: of a text, of several, of a table's, of numbers.

A featuriser is made and completed by the driver, which asks all shards what it must know of all
rows (:meth:`Featuriser.measure`), and travels to the workers, which answer and make rows.
"""

from __future__ import annotations

from hardlimit.classifiers.model.choices import Choices
from hardlimit.distributed.featurisers._protocol import Ask, Featuriser, ShardRows

__all__ = ["Ask", "Featuriser", "ShardRows", "make_featuriser"]


def make_featuriser(choices: Choices) -> Featuriser:
    """Return what makes rows of the examples that these choices are for."""
    settings = choices.text
    if settings is None:
        from hardlimit.distributed.featurisers.numbers import RowsOfNumbers

        return RowsOfNumbers(choices)
    if settings.table is not None:
        from hardlimit.distributed.featurisers.tables import RowsOfTable

        return RowsOfTable(choices)
    from hardlimit.distributed.featurisers.texts import OneText, SeveralTexts

    return OneText(choices) if settings.text_columns is None else SeveralTexts(choices)
