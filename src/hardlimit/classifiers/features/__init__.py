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

from importlib import import_module

from hardlimit.classifiers.features._protocol import Features, Made, Pass
from hardlimit.classifiers.model.choices import Choices

__all__ = ["Features", "Made", "Pass", "make_features"]


def make_features(choices: Choices) -> Features:
    """Return what makes rows of the examples of texts or tables that these choices are for."""
    settings = choices.text
    assert settings is not None  # texts, or a table
    module, name = settings.MADE_BY  # start-up: one text does without the others
    made: Features = getattr(import_module(f"{__name__}.{module}"), name)(choices)
    return made
