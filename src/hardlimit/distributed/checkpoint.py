"""Checkpoints of a run in shards: from the last epoch that was mixed a killed run goes on.

The note says which shards were learnt, with the digest of each of their pieces.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hardlimit.classifiers.files.header import check_count
from hardlimit.classifiers.fitting.checkpoints import RunCheckpoints
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.storable_labels import labels_from_json, labels_to_json
from hardlimit.distributed.engines import LOST
from hardlimit.distributed.wire import pack_delta, unpack_delta
from hardlimit.engine.acceleration import Lead, no_lead
from hardlimit.engine.mixing import Delta
from hardlimit.exceptions import ClusterError, Parameter, mask
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.package import VERSION
from hardlimit.foundation.storage.patterns import expand
from hardlimit.foundation.storage.retrying import MissingObjectError
from hardlimit.sources.pieces import Piece, Shard

if TYPE_CHECKING:
    from hardlimit.foundation.types import PathLike


FILE = "shards.hardlimit"  # in the folder
LEAD = ".lead"  # beside it
# Path, begin, end, size, digest and version.
StoredPiece = tuple[str, int, int | None, int, str, str]


@dataclass
class Progressed:
    """How far a run was: after an epoch, whose number the history of the model has.

    pieces : of each shard path, begin, end, size, digest and version.    resting : neurons that are
    done.    labels, counts : rows of each label.    n_rows : all rows.    largest : the squared
    length of the longest row, in hexadecimal.    features : what the model does not say of how rows
    are made.
    left_out : a digest of which rows are held out.    lead : SHA-256 of the file beside it that
    mixing with momentum has.    start : a digest of the weights at the start. Empty where there are
    none.
    """

    pieces: list[list[list[Any]]]
    resting: list[int]
    labels: list[list[str]]
    counts: list[int]
    largest: str
    n_rows: int
    features: dict[str, Any]
    left_out: str = ""
    lead: str = ""
    start: str = ""
    version: str = VERSION


class Restored(NamedTuple):
    """What a checkpoint says: how far the run was, rows of each label, and pieces of each shard."""

    progressed: Progressed
    counts: Counter[Any]
    pieces: list[list[StoredPiece]]


class ShardCheckpoints(RunCheckpoints[Restored]):
    """Writes a checkpoint into a folder every so many minutes, and finds that of a killed run.

    Between two epochs: one that is written goes on with the next.
    """

    key, what, in_stores = "shards", "checkpoint of shards", True

    def __init__(self, folder: PathLike, minutes: float) -> None:
        folder = os.fspath(folder)
        if not storage.is_remote(folder):
            os.makedirs(storage.local_path(folder), exist_ok=True)
        super().__init__(storage.join(folder, FILE), minutes)
        self._epochs = 0  # of the last that was written

    def find_run(
        self,
        choose: Callable[[Counter[Any], int], Choices],
        shards: list[Shard],
        left_out: str = "",
        start: str = "",
    ) -> tuple[Any, Progressed, list[Shard]] | None:
        """Return the model, how far it was, and the shards with their digests; None without one.

        choose : gives the choices of this run, by the rows of each label and of all.    left_out :
        which rows are held out.    start : a digest of the weights at the start.

        Raises
        ------
        InputError
            A checkpoint of other files, of other choices or of another version.
        """
        found = self.read()
        if found is None:
            return None
        model, (progressed, counts, pieces) = found
        if progressed.left_out != left_out:
            raise self.refusal("of a run that held out other rows")
        if progressed.start != start:
            raise self.refusal("of a run that began at other weights")
        self.compare_choices(model, choose(counts, progressed.n_rows).mixed_as(model.choices))
        return model, progressed, self._compare_shards(shards, pieces)

    def parse(self, stored: dict[str, Any], model: Model) -> Restored:
        """Return what was stored."""
        found = _checked(Progressed(**stored), len(model.state.state.resting))
        labels = labels_from_json(cast(Any, found.labels))
        counts = Counter(dict(zip(labels, found.counts, strict=True)))
        return Restored(found, counts, [[_restored(*one) for one in own] for own in found.pieces])

    def _compare_shards(self, shards: list[Shard], known: list[list[StoredPiece]]) -> list[Shard]:
        """Return the shards with the digests that they had."""
        found = []
        for shard, before in zip(shards, known, strict=False):
            now = [(mask(one.path), one.begin, one.end, one.size) for one in shard.pieces]
            if now != [one[:4] for one in before]:
                break
            pieces = zip(shard.pieces, before, strict=True)
            digested = tuple(replace(one, digest=old[4], version=old[5]) for one, old in pieces)
            found.append(Shard(shard.number, digested))
        if len(found) < max(len(shards), len(known)):
            raise self.refusal("of other files: their names or sizes differ")
        return found

    def look_at(self, model: Model, run: object) -> None:
        """Write a checkpoint between two epochs, where it is time."""
        self.look(model, lambda: self._describe(run))

    def leave(self, model: Model, run: object) -> None:
        """Write what a run that is broken off has learnt since the last checkpoint."""
        if len(model.outcome.history) > self._epochs:
            self._seconds = 0.0
            self.look_at(model, run)

    def write(self, model: Model, note: Any) -> None:
        """Write a checkpoint of this moment; the leads of earlier ones go."""
        super().write(model, note)
        self._epochs = len(model.outcome.history)
        self._remove_leads(note.lead)

    def _describe(self, run: Any) -> Progressed:
        training, labels = run.training, list(run.labels)
        return Progressed(
            [[_stored(piece) for piece in shard.pieces] for shard in run.shards],
            [k for k, rests in enumerate(training.state.resting) if rests],
            labels_to_json(labels),
            [run.labels[label] for label in labels],
            run.largest.hex(),
            run.n_rows,
            run.featuriser.to_json(),
            run.digest_of_rows,
            self._write_lead(run.lead),
            run.digest_of_start,
        )

    def read_lead(self, before: tuple[Any, Progressed, Any] | None) -> Lead:
        """Return what mixing with momentum remembered in the run of :meth:`find_run`.

        Raises
        ------
        InputError
            Its file is not there, or another one.
        """
        if before is None or not before[1].lead:
            return no_lead()
        found = before[1]
        try:
            with storage.open_seekable(self._lead_path(found.lead)) as file:
                data = file.read()
        except OSError as error:
            raise self.refusal(f"without its lead: {error}") from None
        if hashlib.sha256(data).hexdigest() != found.lead:
            raise self.refusal("damaged: its lead is another file")
        delta, _ = unpack_delta(data)
        return Lead(delta.cells, delta.w)

    def finish(self) -> None:
        """Remove what nobody needs any more."""
        super().finish()
        self._remove_leads("")

    def _write_lead(self, lead: Lead) -> str:
        """Write it under the name of its digest, before the checkpoint that names it."""
        if not len(lead.cells):
            return ""
        data = pack_delta(Delta(lead.cells, lead.numbers, None), {})
        digest = hashlib.sha256(data).hexdigest()
        with replacing(self._lead_path(digest)) as temporary, open(temporary, "wb") as file:
            file.write(data)
        return digest

    def _lead_path(self, digest: str) -> str:
        return f"{self.path}.{digest:.16}{LEAD}"

    def _remove_leads(self, kept: str) -> None:
        for path in self._leads():
            if not kept or path != storage.local_path(self._lead_path(kept)):
                storage.remove(path)

    def _leads(self) -> list[str]:
        if storage.is_remote(self.path):
            with contextlib.suppress(MissingObjectError):
                return expand(f"{self.path}.*{LEAD}")
            return []
        folder, name = os.path.split(storage.local_path(self.path))
        found = (one for one in os.listdir(folder) if one.startswith(f"{name}."))
        return [os.path.join(folder, one) for one in found if one.endswith(LEAD)]


def _checked(found: Progressed, n_outputs: int) -> Progressed:
    """Return what a checkpoint says; `TypeError`, `ValueError` of what nobody has written."""
    if not 0 <= float.fromhex(found.largest) < math.inf:
        raise ValueError("largest is no length")
    found.counts = [check_count(count) for count in found.counts]
    check_count(found.n_rows)
    found.resting = [check_count(neuron) for neuron in found.resting]
    if any(neuron >= n_outputs for neuron in found.resting):
        raise ValueError("there is no such neuron")
    if not isinstance(found.features, dict):
        raise TypeError("features is no dict")
    if not isinstance(found.lead, str) or not re.fullmatch("([0-9a-f]{64})?", found.lead):
        raise ValueError("lead is no digest")
    return found


@contextlib.contextmanager
def advising(checkpoints: ShardCheckpoints | None) -> Iterator[None]:
    """Say how to go on where workers or a scheduler are lost."""
    try:
        yield
    except ClusterError as error:
        if error.topic != LOST:
            raise
        before: tuple[Any, ...] = error.fix if isinstance(error.fix, tuple) else (error.fix,)
        before = (*before, "; ") if error.fix else ()
        if checkpoints is None:
            advice: tuple[Any, ...] = ("with ", Parameter("checkpoint"), " a run can go on")
        elif storage.exists(checkpoints.path):
            advice = ("the same call goes on from the checkpoint ", checkpoints.path)
        else:
            advice = ("begin anew: no epoch had ended",)
        raise error.replaced(fix=(*before, *advice)) from error


def _stored(piece: Piece) -> list[Any]:
    return [mask(piece.path), piece.begin, piece.end, piece.size, piece.digest, piece.version]


def _restored(
    path: str, begin: int, end: int | None, size: int, digest: str, version: str = ""
) -> StoredPiece:
    if not all(isinstance(text, str) for text in (path, digest, version)):
        raise ValueError("a piece without a name or a digest")
    for number in (begin, size, *(() if end is None else (end,))):
        check_count(number)
    return path, begin, end, size, digest, version
