"""Digests of whole objects, which a model file keeps: each is read once more, by a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hardlimit.distributed.engines import Engine, Part
from hardlimit.distributed.jobs import Job
from hardlimit.distributed.recipes import Shard
from hardlimit.distributed.running import run_shards
from hardlimit.foundation import storage

Digests = dict[str, tuple[str, int]]  # by path: SHA-256 and bytes


def digest_objects(engine: Engine, shards: Sequence[Shard]) -> Digests:
    """Return the digests of the objects that shards are of; files of the disk are left out."""
    wholes: dict[str, Any] = {}
    for shard in shards:
        for piece in shard.pieces:
            if storage.is_remote(piece.path):
                whole = replace(piece, begin=0, end=None, group=None, digest="")
                wholes.setdefault(piece.path, whole)
    jobs = [Job(Shard(number, (whole,))) for number, whole in enumerate(wholes.values())]
    if not jobs:
        return {}
    found = run_shards(engine, digest_object, [Part.of(b"")], jobs, "computing digests")
    return dict(zip(wholes, found, strict=True))


def digest_object(parts: tuple[Part, ...], job: Job) -> tuple[str, int]:
    """Return the digest of a whole object, and its bytes; it must be the one that was cut."""
    (piece,) = job.shard.pieces
    piece.check_version()
    found = piece.compute_digest(copied=False), piece.size
    piece.check_version()
    return found
