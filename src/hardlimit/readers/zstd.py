"""Zstandard: Python 3.14's ``compression.zstd``, before that the package ``zstandard``."""

from __future__ import annotations

import io
from importlib import import_module
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, Protocol

from hardlimit.exceptions import MissingExtraError

if TYPE_CHECKING:
    from typing_extensions import Buffer

# A few bytes may hold a block of 128 KiB: a thousand of them some tens of megabytes, and no more.
_CHUNK = 1 << 10


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class ZstdReader(io.RawIOBase):
    """The content of a compressed stream, frame after frame; one that is cut off is an error."""

    def __init__(self, name: str, packed: _Readable) -> None:
        self._module = _import(name)
        self._packed = packed
        self._frame: Any = None
        self._given = b""
        self._content = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill the buffer as far as there is content."""
        try:
            while not self._content and self._unpack():
                pass
        except self._module.ZstdError as error:
            raise EOFError(str(error)) from None
        buffer = memoryview(buffer)
        size = min(len(buffer), len(self._content))
        buffer[:size] = self._content[:size]
        self._content = self._content[size:]
        return size

    def _unpack(self) -> bool:
        """Unpack some bytes; False at the end."""
        packed = self._given or self._packed.read(_CHUNK)
        if not packed:
            if self._frame is not None:
                raise EOFError("it ends in the middle of a frame")
            return False
        if self._frame is None:
            self._frame = _decompressor(self._module)
        self._given, rest = packed[_CHUNK:], packed[:_CHUNK]
        self._content = memoryview(self._frame.decompress(rest))
        if self._frame.eof:
            self._given = self._frame.unused_data + self._given
            self._frame = None
        return True


class ZstdWriter(io.RawIOBase):
    """Packs what is written into one frame, which closing ends; the file below stays open."""

    def __init__(self, name: str, packed: IO[bytes]) -> None:
        module = _import(name)
        made = module.ZstdCompressor()
        self._frame = made.compressobj() if hasattr(made, "compressobj") else made
        self._packed = packed

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def write(self, data: Buffer, /) -> int:
        """Pack some bytes."""
        self._packed.write(self._frame.compress(bytes(data)))
        return len(memoryview(data))

    def close(self) -> None:
        """End the frame."""
        if not self.closed:
            self._packed.write(self._frame.flush())
        super().close()


def _decompressor(module: ModuleType) -> Any:
    made = module.ZstdDecompressor()
    return made.decompressobj() if hasattr(made, "decompressobj") else made


def _import(name: str) -> ModuleType:
    for module in ("compression.zstd", "zstandard"):
        try:
            return import_module(module)
        except ImportError:
            continue
    raise MissingExtraError(
        "this is packed with zstandard, which Python knows from 3.14 on",
        where=name,
        fix="pip install 'hardlimit[zstd]', or unpack it first (gz, bz2 and xz need nothing)",
    )
