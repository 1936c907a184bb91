"""The three streams of the process: closed, full or broken, they never cost work or a traceback."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, TextIO

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
