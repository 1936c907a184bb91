"""Keys of a service, and what they allow: a file that only its owner reads.

It has their names, scopes and digests.

A key is 256 random bits, so that a plain SHA-256 protects it: nobody can try 2^255 keys, and a slow
hash, which protects passwords that people choose, would only slow down each request. The file is
looked at with each request, so that a key that is removed opens nothing from then on.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from hardlimit.exceptions import FileError, InputError
from hardlimit.foundation import file_lock, names
from hardlimit.foundation.suggesting import suggest

PREDICT, CORRECT, ADMIN = "predict", "correct", "admin"
SCOPES = (PREDICT, CORRECT, ADMIN)
# Of what anybody may ask.
ANYONE = ""


def allows(scope: str, wanted: str) -> bool:
    """Tell whether a key of this scope may do what wants another.

    >>> allows("correct", "predict"), allows("predict", "correct"), allows("predict", ANYONE)
    (True, False, True)
    """
    return not wanted or SCOPES.index(scope) >= SCOPES.index(wanted)


# What follows the name of a model file in that of its keys.
SUFFIX = ".keys"
# So that a key that lies in a log or a repository is recognised.
PREFIX = "hlk_"
VERSION = 1


@dataclass(frozen=True)
class Key:
    """One line of the file.

    name : of whoever has it; entries of the ledger are signed with it
    sha256 : of the key, as hex; the key itself is nowhere
    made : when, UTC
    """

    name: str
    scope: str
    sha256: str
    made: str


class KeyFile:
    """The keys of a service."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stamp: tuple[int, ...] | None = None
        self._keys: list[tuple[bytes, Key]] = []

    def keys(self) -> list[Key]:
        """Return all keys, as they are in the file now."""
        return [key for _, key in self._current()]

    def find(self, token: str) -> Key | None:
        """Return the key that a client shows; None of one that is not, or no more, there."""
        shown = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest().encode()
        found = None
        # All are compared, each in constant time: how long it takes says nothing of any.
        for digest, key in self._current():
            if hmac.compare_digest(digest, shown):
                found = key
        return found

    def add(self, name: str, scope: str) -> str:
        """Make a key, and return it: this is the only time that it can be seen.

        Raises
        ------
        InputError
            A name that is taken or empty; no such scope.
        """
        names.check_name(name, "name", who="key", most=100)
        if scope not in SCOPES:
            wanted = ", ".join(map(repr, SCOPES))
            raise InputError(who="key", parameter="scope", got=scope, wanted=wanted)
        token = PREFIX + secrets.token_urlsafe(32)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        with file_lock.holding(self.path):
            kept = self.keys() if os.path.lexists(self.path) else []
            if any(key.name == name for key in kept):
                raise InputError(
                    f"there is a key {name!r} already", who="key", fix="remove it first"
                )
            digest = hashlib.sha256(token.encode()).hexdigest()
            self._write([*kept, Key(name, scope, digest, made)])
        return token

    def remove(self, name: str) -> None:
        """Make a key worthless from now on."""
        with file_lock.holding(self.path):
            kept = self.keys()
            if all(key.name != name for key in kept):
                fix = suggest(name, [key.name for key in kept])
                raise InputError(f"there is no key {name!r}", who="key", fix=fix)
            self._write([key for key in kept if key.name != name])

    def _current(self) -> list[tuple[bytes, Key]]:
        """Return digests and keys, read again where the file changed."""
        try:
            found = os.stat(self.path)
            stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
            if stamp != self._stamp:
                self._keys = [(key.sha256.encode(), key) for key in self._read()]
                self._stamp = stamp
        except OSError as error:
            if isinstance(error, FileError):
                raise
            # Keys were wanted when the service began: without the file nobody gets in.
            self._keys, self._stamp = [], None
            raise FileError("the keys cannot be read", where=self.path) from error
        return self._keys

    def _read(self) -> list[Key]:
        with open(self.path, "rb") as file:
            _check_mode(os.fstat(file.fileno()), self.path)
            content = file.read()
        try:
            document: Any = json.loads(content)
            version = document["version"]
            keys = [Key(**one) for one in document["keys"]]
            good = all(one.scope in SCOPES and len(one.sha256) == 64 for one in keys)
        except (ValueError, KeyError, TypeError) as error:
            raise FileError("this is no file of keys", where=self.path) from error
        if version != VERSION or not good:
            raise FileError(f"this is no file of keys of version {VERSION}", where=self.path)
        return keys

    def _write(self, keys: list[Key]) -> None:
        """Replace the file whole, readable by its owner alone from its first moment."""
        document = {"version": VERSION, "keys": [asdict(key) for key in keys]}
        beside = f"{self.path}.{secrets.token_hex(6)}"
        try:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(document, indent=1) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as error:
            if os.path.lexists(beside):
                os.unlink(beside)
            raise FileError(
                f"the keys cannot be written ({error.strerror})", where=self.path
            ) from error


def _check_mode(found: os.stat_result, path: str) -> None:
    """Refuse a file that others may read or write: whoever writes it makes keys."""
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        raise FileError(
            f"others may read or write the keys (mode {mode})", where=path, fix=f"chmod 600 {path}"
        )
