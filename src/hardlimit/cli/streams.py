"""The three streams of the process: closed, full or broken, they never cost work or a traceback."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import sys
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, TextIO

from hardlimit.cli import terminal

if TYPE_CHECKING:
    from typing_extensions import Buffer

_OUTPUT = "standard output"


@contextlib.contextmanager
def opened() -> Iterator[None]:
    """Open the streams that the process was started without, and let text never fail on them.

    Python sets those to None. What is written to standard output is then an error, as on a full
    disk; what is written to standard error is lost, since nobody wants to know it.
    """
    _occupy_descriptors()
    names = ("stdin", "stdout", "stderr")
    before = {name: getattr(sys, name) for name in names}
    for name in names:
        if before[name] is None:
            setattr(sys, name, io.StringIO() if name == "stderr" else _make_closed(name))
    if before["stdout"] is not None:
        sys.stdout = _name_errors(sys.stdout)
    _escape_unknown_characters()
    try:
        yield
    finally:
        for name in names:
            setattr(sys, name, before[name])


@contextlib.contextmanager
def hashed_input() -> Iterator[None]:
    """Keep the digest of what is read of standard input meanwhile, for `digest_of_input`."""
    before = sys.stdin
    if before is None or not hasattr(before, "buffer"):  # a stream that someone put there
        yield
        return
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_HashedFile(before.buffer)), "utf-8")
    try:
        yield
    finally:
        # What is let go of must not close what is below. A reader of mail may have closed it, which
        # leaves what is below open.
        with contextlib.suppress(ValueError):
            sys.stdin.detach()
        sys.stdin = before


def digest_of_input() -> tuple[str, int] | None:
    """Return SHA-256 and number of the bytes of standard input, read to its end.

    As they came: of compressed input the compressed ones, as of a file. None where nobody kept it.
    """
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    return raw.digest() if isinstance(raw, _HashedFile) else None


class _HashedFile(io.RawIOBase):
    """A stream, and the digest of what was read of it."""

    def __init__(self, below: Any) -> None:
        self._below, self._hashed = below, hashlib.sha256()
        self._size, self._ended = 0, False

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        number: int = self._below.fileno()
        return number

    def isatty(self) -> bool:
        return bool(self._below.isatty())

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        data = self._read(len(view))
        view[: len(data)] = data
        return len(data)

    def digest(self) -> tuple[str, int] | None:
        """Read what is left behind a compressed stream, and return the digest of all."""
        try:
            # A terminal that has said its end would be asked again, and wait.
            while not self._ended:
                self._read(1 << 18)
        except OSError:
            return None
        return self._hashed.hexdigest(), self._size

    def _read(self, most: int) -> bytes:
        data: bytes = self._below.read1(most)
        self._ended = not data
        self._hashed.update(data)
        self._size += len(data)
        return data


def _occupy_descriptors() -> None:
    """Open the descriptors 0, 1 and 2 where they are closed.

    Else the next file gets such a number, and a library that reports an error of its own under
    number 2 writes it into a model.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                # The system gives the lowest number that is free: this one.
                os.open(os.devnull, os.O_RDWR)


class _ClosedFile(io.RawIOBase):
    """A file that can be neither read nor written, and says so."""

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        raise OSError(errno.EBADF, "it is closed")

    def write(self, data: Buffer, /) -> int:
        raise OSError(errno.EBADF, "it is closed, so the result could not be written", _OUTPUT)


def _make_closed(name: str) -> IO[str]:
    if name == "stdin":
        return io.TextIOWrapper(io.BufferedReader(_ClosedFile()), "utf-8")
    return io.TextIOWrapper(io.BufferedWriter(_ClosedFile()), "utf-8")


class _Output(io.FileIO):
    """Standard output, whose errors say what they are of."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = _OUTPUT
            raise


def _name_errors(stream: TextIO) -> TextIO:
    """Return the same stream with errors that name it; a stream that someone put there as it is."""
    if stream is not sys.__stdout__ or type(stream) is not io.TextIOWrapper:
        return stream
    if type(getattr(stream.buffer, "raw", None)) is not io.FileIO:
        return stream
    # What a caller in this process wrote comes first.
    with contextlib.suppress(OSError, ValueError):
        stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(stream.fileno(), "w", closefd=False)),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _escape_unknown_characters() -> None:
    for stream in (sys.stdout, sys.stderr):
        # Streams that a test or notebook put there may not have it.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def finish(code: int) -> int:
    """Flush; a pipe that was closed meanwhile stays silent, also when the interpreter ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            _discard(stream)
        except OSError as failure:
            _discard(stream)
            # A full disk is an error; one that was reported already keeps its code.
            if stream is sys.stdout and code == 0:
                terminal.error(f"{_OUTPUT}: {failure.strerror}")
                code = 1
        except ValueError:  # closed before we began
            continue
    return code


def _discard(stream: IO[str]) -> None:
    """Send what is still buffered nowhere."""
    with contextlib.suppress(OSError, ValueError):
        # Python flushes again at exit and would complain then, with a code of 120.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
