"""The folder that answers are written to, and what tells a whole run from one that was broken off.

::

    part-00000-of-00016.jsonl   ...   answers of the shards; each is there as a whole or not at all
    _STARTED                          of what the parts are, while there are not all of them
    _SUCCESS                          written last: rows, bytes and SHA-256 of each part

Both are JSON and hold the digest of what is asked: model, files, cuts and options. A run that finds
its own digest goes on and leaves the parts that are there; one that finds another's is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from dataclasses import dataclass
from typing import Any

from hardlimit.distributed.shard_answers import Written
from hardlimit.distributed.shard_files import digest_of, to_json
from hardlimit.exceptions import FileError, InputError, Setting
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.patterns import expand
from hardlimit.foundation.storage.retrying import retry
from hardlimit.foundation.storage.uris import find_system
from hardlimit.foundation.temporary_folder import remove_dead_folders

STARTED, SUCCESS = "_STARTED", "_SUCCESS"
_PART = re.compile(r"part-\d{5,}-of-\d{5,}\.(jsonl|parquet)")


@dataclass
class Folder:
    """The folder of one run.

    digest : of all that the bytes of the parts depend on.
    """

    path: str
    format: str
    n_parts: int
    digest: str

    def name(self, number: int) -> str:
        """Return the name of a part."""
        return f"part-{number:05}-of-{self.n_parts:05}.{self.format}"

    def part(self, number: int) -> str:
        """Return the path of a part."""
        return storage.join(self.path, self.name(number))

    def begin(self, *, overwrite: bool) -> dict[int, Written]:
        """Return the parts that are there already; others' are refused, or removed.

        Raises
        ------
        InputError
            The folder holds the parts of another run.
        FileError
            No files can be written there.
        """
        names = self._list()
        parts = [name for name in names if _PART.fullmatch(name)]
        ends = [name for name in (SUCCESS, STARTED) if name in names]
        if any(self._read(name).get("run") == self.digest for name in ends):
            return self._look(parts, ends)
        if parts or SUCCESS in names:
            if not overwrite:
                raise InputError(
                    f"there are answers of other work: {plural(len(parts), 'part')} of another "
                    "model, of other files or options",
                    parameter="output",
                    got=self.path,
                    fix=("name another folder, or say ", Setting("overwrite", True)),
                )
            # The end first: without it nobody takes what is left for whole.
            for name in [*ends, *parts]:
                _remove(storage.join(self.path, name))
        self._write(STARTED, {"run": self.digest, "parts": self.n_parts})
        return {}

    def finish(self, written: list[Written], facts: dict[str, Any]) -> None:
        """Write what says that all parts are there."""
        parts = [
            {"name": self.name(number), "rows": one.rows, "bytes": one.size, "sha256": one.digest}
            for number, one in enumerate(written)
        ]
        rows = sum(one.rows for one in written)
        self._write(SUCCESS, {"run": self.digest, **facts, "rows": rows, "parts": parts})
        with contextlib.suppress(OSError, FileError):
            _remove(storage.join(self.path, STARTED))

    def sweep(self) -> None:
        """Remove what workers that were killed have begun to write."""
        if not storage.is_remote(self.path):
            remove_dead_folders(storage.local_path(self.path))

    def _look(self, parts: list[str], ends: list[str]) -> dict[int, Written]:
        """Return the parts of this run; of a part that is not what was written nobody takes it."""
        known = _known_parts(self._read(SUCCESS)) if SUCCESS in ends else {}
        found = {}
        for number in range(self.n_parts):
            name = self.name(number)
            if name not in parts:
                continue
            path = self.part(number)
            size, digest = digest_of(path)
            if name in known and known[name][0] != digest:
                continue
            rows = known[name][1] if name in known else count_rows(path)
            found[number] = Written(rows, size, digest)
        return found

    def _list(self) -> list[str]:
        if storage.is_remote(self.path):
            return _list_objects(self.path)
        try:
            os.makedirs(storage.local_path(self.path), exist_ok=True)
            return os.listdir(storage.local_path(self.path))
        except OSError as error:
            reason = f"cannot be written: {error.strerror or error}"
            raise FileError(reason, where=self.path, fix="name a folder") from None

    def _read(self, name: str) -> dict[str, Any]:
        with contextlib.suppress(OSError, ValueError, FileError):
            with storage.open_seekable(storage.join(self.path, name)) as file:
                found = json.load(file)
            if isinstance(found, dict):
                return found
        return {}

    def _write(self, name: str, value: dict[str, Any]) -> None:
        with replacing(storage.join(self.path, name)) as path, open(path, "wb") as file:
            file.write(to_json(value))


def _known_parts(success: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """Return SHA-256 and rows of each part by its name; of what is damaged, nothing."""
    found = {}
    parts = success.get("parts")
    for one in parts if isinstance(parts, list) else ():
        match one:
            case {"name": str(name), "sha256": str(digest), "rows": int(rows)}:
                found[name] = digest, rows
    return found


def count_rows(path: str) -> int:
    """Return the rows of a part."""
    with storage.open_seekable(path) as file:
        if path.endswith(".jsonl"):
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
        from hardlimit.readers.arrow_files import import_arrow

        rows: int = import_arrow(path, "pyarrow.parquet").read_metadata(file).num_rows
        return rows


def _list_objects(folder: str) -> list[str]:
    """Return the names in a folder of a store; none where there is no such folder."""
    storage.forget()
    try:
        return [storage.base_name(uri) for uri in expand(storage.join(folder, "*"))]
    except FileError:
        return []


def _remove(path: str) -> None:
    if not storage.is_remote(path):
        os.unlink(storage.local_path(path))
        return
    system, name = find_system(path)
    retry(path, "cannot be removed", lambda: system.rm_file(name))
    storage.forget()
