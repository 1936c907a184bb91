"""The tail of a ledger: entries on disk by one sync each, before the database has them.

``docs/ledger-format.md`` is the specification. This file knows bytes, locks and syncs;
``file_ledger.py`` knows what the entries mean.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import struct
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardlimit.exceptions import FileError, LedgerError
from hardlimit.foundation import file_lock
from hardlimit.foundation.formatting import plural
from hardlimit.live.entry import Entry, canonical_of, label_of_text, text_bytes, text_of

BLOCK, N_BLOCKS = 4096, 256
# Seconds to wait for another writer.
PATIENCE = 30.0
VERSION = 1
_HEADER = struct.Struct("<8sIIQQ32s32s16s")
_MAGIC, _RECORD, _MARK = b"hltail\r\n", b"hlr1", b"hlok"
_HEAD = struct.Struct("<4sIQ")
_SIZES = struct.Struct("<32s32sIII")
_NULL = 0xFFFFFFFF
_DIGEST, _SALT = 32, 16
# Of the salt of the next header, in the first block.
_NEXT = 512
# As the system has it: a sync of the content alone costs less.
_sync = getattr(os, "fdatasync", os.fsync)


class TailHeader(NamedTuple):
    """Where a tail begins: the database's last entry then, and the fingerprint after it."""

    changes: int
    last: int
    fingerprint: str
    genesis: str
    salt: bytes

    def to_bytes(self) -> bytes:
        """Return the first block's content."""
        data = _HEADER.pack(
            _MAGIC, VERSION, 0, self.changes, self.last,
            bytes.fromhex(self.fingerprint), bytes.fromhex(self.genesis), self.salt,
        )  # fmt: skip
        return data + hashlib.sha256(data).digest()


def encode(entry: Entry, salt: bytes) -> bytes:
    """Return the record of an entry."""
    text = None if entry.text is None else text_bytes(entry.text)
    canonical = (entry.sealed or canonical_of(entry)).encode()
    sizes = _SIZES.pack(
        bytes.fromhex(entry.before),
        bytes.fromhex(entry.after),
        len(canonical),
        _NULL if text is None else len(text),
        len(entry.features),
    )
    payload = b"".join((sizes, canonical, text or b"", entry.features))
    data = _HEAD.pack(_RECORD, len(payload), entry.id) + payload
    return data + hashlib.sha256(salt + data).digest()


def decode(data: bytes, at: int, salt: bytes) -> tuple[Entry, int] | None:
    """Return the record that begins at a block, and how many blocks it has; None of none."""
    if len(data) < at + _HEAD.size:
        return None
    magic, size, number = _HEAD.unpack_from(data, at)
    end = at + _HEAD.size + size
    if magic != _RECORD or size < _SIZES.size or end + _DIGEST > len(data):
        return None
    if hashlib.sha256(salt + data[at:end]).digest() != data[end : end + _DIGEST]:
        return None
    return _entry(number, data[at + _HEAD.size : end]), blocks_of(end + _DIGEST - at)


def _entry(number: int, payload: bytes) -> Entry:
    before, after, n_canonical, n_text, n_features = _SIZES.unpack_from(payload)
    first = _SIZES.size
    middle = first + n_canonical
    last = middle + (0 if n_text == _NULL else n_text)
    try:
        fields = json.loads(payload[first:middle])
        return Entry(
            number,
            str(fields["kind"]),
            str(fields["time"]),
            str(fields["author"]),
            label_of_text(fields["label"]),
            float.fromhex(fields["margin"]),
            str(fields["policy"]),
            fields["target"],
            None if n_text == _NULL else text_of(payload[middle:last]),
            payload[last : last + n_features],
            fields["details"],
            before.hex(),
            after.hex(),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LedgerError(f"entry {number} cannot be read ({error!r})", topic="edited") from None


def blocks_of(size: int) -> int:
    """Return how many blocks a record takes.

    >>> blocks_of(4096), blocks_of(4097)
    (1, 2)
    """
    return -(-size // BLOCK)


def mark_of(number: int, salt: bytes) -> bytes:
    """Return what stands behind the record of an entry once that is on disk."""
    data = _HEAD.pack(_MARK, 0, number)
    return data + hashlib.sha256(salt + data).digest()


def marked(data: bytes, at: int, salt: bytes) -> int:
    """Return the entry that the mark at a block is of; 0 of none."""
    mark = data[at : at + _HEAD.size + _DIGEST]
    if mark[:4] != _MARK or len(mark) < _HEAD.size + _DIGEST:
        return 0
    number: int = _HEAD.unpack_from(mark)[2]
    return number if mark == mark_of(number, salt) else 0


class Tail:
    """The file, its lock, and its records.

    ``opened`` counts how often another file was found under the name.
    """

    def __init__(self, path: str, read_only: bool, database: str = "") -> None:
        self.path, self._database = path, database
        self.opened = 0
        self._process = os.getpid()
        self._flags = os.O_RDONLY if read_only else os.O_RDWR
        self._flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        self._file = -1
        self._identity = (0, 0)
        self._seen: tuple[bytes, TailHeader | None] = (b"", None)

    # The lock

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Hold a shared lock; there is none where the file is not there."""
        self.acquire(None)
        try:
            yield
        finally:
            self.release()

    def acquire(self, may_make: Callable[[], object] | None) -> None:
        """Lock the file: alone with ``may_make``, which is asked before the file is made."""
        if os.getpid() != self._process:
            # After a fork both have the same lock, which would then keep neither of them out.
            raise FileError(
                "another process opened this ledger, before it made this one",
                where=self._database or self.path,
                topic="forked",
                fix="open the model in each process",
            )
        with self._told():
            self._acquire(may_make)

    def release(self) -> None:
        """Unlock it."""
        if self._file >= 0:
            try:
                _unlock(self._file)
            except OSError:
                self.close()  # which unlocks it too

    def _acquire(self, may_make: Callable[[], object] | None) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            if self._file < 0 and not self._open(may_make):
                return
            if _lock(self._file, shared=may_make is None):
                if self._is_still():
                    return
                self.close()
                continue
            if time.monotonic() > until:
                raise FileError(
                    f"another process has been writing for {PATIENCE:g} seconds",
                    where=self.path,
                    topic="busy",
                )
            # Not in step with a writer that comes and goes.
            time.sleep(random.uniform(5e-5, 5e-4))

    def _open(self, may_make: Callable[[], object] | None) -> bool:
        try:
            self._file = os.open(self.path, self._flags)
        except FileNotFoundError:
            if may_make is None:
                return False
            may_make()
            # Not through a link, which in a shared folder might be a trap.
            flags = self._flags | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            self._file = os.open(self.path, flags, 0o666)
            self._guard_like_database()
        found = os.fstat(self._file)
        self._identity = found.st_ino, found.st_dev
        self.opened += 1
        return True

    def _guard_like_database(self) -> None:
        """Let nobody else read or write a new tail than the database, as SQLite's own journal."""
        with contextlib.suppress(OSError):  # there is none yet; the file is somebody else's
            found = os.stat(self._database)
            if hasattr(os, "fchmod"):
                os.fchmod(self._file, found.st_mode & 0o666)
                if os.geteuid() == 0:
                    os.fchown(self._file, found.st_uid, found.st_gid)

    def _is_still(self) -> bool:
        try:
            found = os.stat(self.path)
        except OSError:
            return False
        return (found.st_ino, found.st_dev) == self._identity

    @contextlib.contextmanager
    def _told(self, undo: Callable[[], object] = int) -> Iterator[None]:
        """Turn errors of the system into ours; ``undo``: what is left half done."""
        try:
            yield
        except FileError:
            raise
        except OSError as error:
            with contextlib.suppress(OSError):
                undo()
            reason = error.strerror or str(error)
            told = f"it cannot be read or written ({reason})"
            raise FileError(told, where=self.path) from error

    # Reading

    def header(self) -> TailHeader | None:
        """Return the header; None of a tail that is not in use."""
        if self._file < 0:
            return None
        data = self._read(0, _HEADER.size + _DIGEST)
        if data == self._seen[0]:
            return self._seen[1]
        self._seen = data, self._parse(data)
        return self._seen[1]

    def _parse(self, data: bytes) -> TailHeader | None:
        if not data.strip(b"\0"):
            return None
        if len(data) < _HEADER.size + _DIGEST or data[:8] != _MAGIC:
            raise LedgerError("this is no tail of a ledger", where=self.path, topic="damaged")
        _, version, _, changes, last, fingerprint, genesis, salt = _HEADER.unpack_from(data)
        if version != VERSION:
            raise LedgerError(
                f"the tail is of version {version}, and this release knows version {VERSION}",
                where=self.path,
                fix="open it with a newer hardlimit",
                topic="newer",
            )
        if hashlib.sha256(data[: _HEADER.size]).digest() != data[_HEADER.size :]:
            raise LedgerError("the header of the tail is damaged", where=self.path, topic="damaged")
        return TailHeader(changes, last, fingerprint.hex(), genesis.hex(), salt)

    def records(self, header: TailHeader, first: int, number: int) -> tuple[list[Entry], int]:
        """Return the entries from a block on, the first of which has this number; and the end."""
        head = self._read(first * BLOCK, _HEAD.size)
        if len(head) < _HEAD.size or head[:4] != _RECORD or _HEAD.unpack(head)[2] != number:
            return [], first  # nearly always: nobody else has written
        data = self._read(first * BLOCK, (1 + N_BLOCKS - first) * BLOCK)
        found, at = [], 0
        with self._named():
            while (one := decode(data, at * BLOCK, header.salt)) and one[0].id == number:
                found.append(one[0])
                at, number = at + one[1], number + 1
        return found, first + at

    def is_announced(self, header: TailHeader, salt: bytes) -> bool:
        """Whether a header was about to give way to one of this salt."""
        return self._read(_NEXT, _SALT + _DIGEST) == _announcement(header, salt)

    def _check_size(self) -> None:
        missing = (1 + N_BLOCKS) * BLOCK - os.fstat(self._file).st_size
        if missing > 0:
            raise LedgerError(
                f"the tail is cut off: {plural(missing, 'byte')} missing",
                where=self.path,
                topic="damaged",
                fix="take the ledger from a backup; an empty file of that name goes on without it",
            )

    def check_unused(self) -> None:
        """Refuse a tail without a header that is cut off, or that has anything but zeros."""
        if self._file < 0:
            return
        self._check_size()
        if self._read(BLOCK, N_BLOCKS * BLOCK).strip(b"\0"):
            raise LedgerError("the header of the tail is lost", where=self.path, topic="damaged")

    def check_end(self, header: TailHeader, end: int, number: int) -> None:
        """Refuse a tail that is cut off, or with a whole record or a mark behind its end."""
        self._check_size()
        data = self._read(end * BLOCK, (1 + N_BLOCKS - end) * BLOCK)
        with self._named():
            for at in range(0, len(data), BLOCK):
                later = data[at : at + 4] == _RECORD and decode(data, at, header.salt)
                if later or marked(data, at, header.salt) >= number:
                    raise LedgerError(
                        f"entry {number} is damaged, which was on disk",
                        topic="damaged",
                        fix="take the ledger from a backup",
                    )

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except LedgerError as error:
            raise error.replaced(where=self.path) from error.__cause__

    def _read(self, at: int, size: int) -> bytes:
        with self._told():
            return _read_at(self._file, at, size)

    # Writing, under the exclusive lock

    def reserve(self) -> bool:
        """Give the file its size; False where the disk has no room for it."""
        try:
            if os.fstat(self._file).st_size < (1 + N_BLOCKS) * BLOCK:
                # Zeros that are written, not only reserved: the first write to a reserved block
                # would change the file system's own records.
                _write_at(self._file, 0, bytes((1 + N_BLOCKS) * BLOCK))
                os.fsync(self._file)
                sync_folder(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
            return False
        return True

    def put_header(self, header: TailHeader) -> None:
        """Write the header; the next record's sync puts it on disk."""
        data = header.to_bytes()
        before = self._seen[0].ljust(len(data), b"\0")  # half of one would be a damaged one
        with self._told(lambda: _write_at(self._file, 0, before)):
            _write_at(self._file, 0, data)
        self._seen = data, header

    def announce(self, header: TailHeader, salt: bytes) -> None:
        """Write which salt follows that of the header, on disk when it returns.

        The database will name that salt before the new header is written: a tail that has neither
        is an older one.
        """
        with self._told():
            _write_at(self._file, _NEXT, _announcement(header, salt))
            _sync(self._file)

    def put_record(self, record: bytes, block: int) -> None:
        """Write a record, on disk when it returns."""
        with self._told(lambda: _write_at(self._file, block * BLOCK, bytes(_HEAD.size))):
            _write_at(self._file, block * BLOCK, record)
            _sync(self._file)

    def put_mark(self, mark: bytes, block: int) -> None:
        """Write behind a record that it is on disk, where the next will begin: without a sync."""
        with contextlib.suppress(OSError):
            _write_at(self._file, block * BLOCK, mark)

    def is_empty(self) -> bool:
        """Whether the file has no byte, and so no entry of anybody."""
        with contextlib.suppress(OSError):
            return self._file >= 0 and not os.fstat(self._file).st_size
        return False

    def remove(self) -> None:
        """Remove the file, whose entries are all in the database."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)
            return
        # Windows removes no file that is open.
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)

    def close(self) -> None:
        """Let go of the file; what it has is synced, so that an error means nothing."""
        file, self._file = self._file, -1
        if file >= 0:
            with contextlib.suppress(OSError):
                os.close(file)


def _announcement(header: TailHeader, salt: bytes) -> bytes:
    return salt + hashlib.sha256(header.salt + salt).digest()


def _read_at(file: int, at: int, size: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(file, size, at)
    os.lseek(file, at, os.SEEK_SET)
    return os.read(file, size)


def _write_at(file: int, at: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        if hasattr(os, "pwrite"):
            n = os.pwrite(file, view, at)
        else:
            os.lseek(file, at, os.SEEK_SET)
            n = os.write(file, view)
        view, at = view[n:], at + n


def _lock(file: int, shared: bool) -> bool:
    """Whether the file could be locked; False where somebody else has it."""
    fcntl, msvcrt = file_lock.fcntl, file_lock.msvcrt
    try:
        if fcntl is not None:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        elif msvcrt is not None:  # a byte behind the records: others may read those
            os.lseek(file, 1 << 30, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in file_lock.TAKEN:
            return False
        raise
    return True


def _unlock(file: int) -> None:
    fcntl, msvcrt = file_lock.fcntl, file_lock.msvcrt
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_UN)
    elif msvcrt is not None:
        os.lseek(file, 1 << 30, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)


def sync_folder(path: str) -> None:
    """Put the name of a new file on disk."""
    with contextlib.suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
