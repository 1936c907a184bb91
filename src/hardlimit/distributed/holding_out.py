"""Rows that are held out: the same ones that one process holds out of all rows in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.targets import Targets
from hardlimit.distributed.featurisers import Ask
from hardlimit.evaluation.holdout import DIGEST, row_digest
from hardlimit.foundation.types import Array


class Keys(NamedTuple):
    """The question for a digest of each row, equal where rows are, and for the labels.

    of_model : whether columns count that the model knows, or all.
    """

    of_model: bool = False


class HeldOut(NamedTuple):
    """The question for the rows of a shard that are held out."""


class RowKeys(NamedTuple):
    """Digests of the rows of a shard, one behind the other (none where nobody compares), labels."""

    digests: bytes
    labels: list[Any]


def digest_rows(keys: Sequence[str | bytes] | None, labels: list[Any]) -> RowKeys:
    """Return what a shard answers."""
    return RowKeys(b"".join(map(row_digest, keys or ())), labels)


def split_digests(found: list[RowKeys]) -> list[bytes]:
    """Return the digests of all rows in their order."""
    joined = b"".join(one.digests for one in found)
    return [joined[at : at + DIGEST] for at in range(0, len(joined), DIGEST)]


def find_held_out(ask: Ask, targets: Targets[Any], part: float) -> dict[int, Array]:
    """Return which rows of each shard are held out: a truth value a row, by the shard's number.

    Memory of the driver: some 200 bytes a row.
    """
    found: list[RowKeys] = ask(Keys())
    labels = list(chain.from_iterable(one.labels for one in found))
    digests = split_digests(found)
    _, rows = targets.split(digests, labels, part)
    held = np.zeros(len(labels), bool)
    held[rows] = True
    return cut_mask(held, [len(one.labels) for one in found])


def cut_mask(mask: Array, lengths: list[int]) -> dict[int, Array]:
    """Return the parts of a mask that belong to the shards, which have so many rows."""
    ends = np.add.accumulate(lengths)
    return {k: mask[end - n : end] for k, (end, n) in enumerate(zip(ends, lengths, strict=True))}
