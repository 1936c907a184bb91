"""What makes rows of examples: the same features for rows in memory, in a stream and in shards.

::

    features = make_features(choices)
    features.choose(head)                                  # by the first examples
    for number, each in enumerate(features.passes):        # what must be known of all rows
        before = None
        for part in parts:
            before = features.look(number, part, before)   # here or on a worker
        features.settle(number, [before])                  # of all shards, in their order
    features.rows(part)

Whoever has all rows looks once, a stream chunk by chunk, and each shard of a cluster by itself;
what is settled are one, one or many summaries. So no part of this knows the way of a training.
"""

from __future__ import annotations

from hardlimit.classifiers.features._protocol import Features, Made, Pass
from hardlimit.classifiers.features.texts import TextFeatures
from hardlimit.classifiers.model.choices import Choices

__all__ = ["Features", "Made", "Pass", "make_features"]


def make_features(choices: Choices) -> Features:
    """Return what makes rows of the examples of texts or tables that these choices are for."""
    settings = choices.text
    assert settings is not None  # texts, or a table
    if settings.table is None and settings.text_columns is None:
        return TextFeatures(choices)
    from hardlimit.classifiers.features import blocks  # start-up: one text does without

    made = blocks.TextColumnFeatures if settings.table is None else blocks.TableFeatures
    return made(choices)
