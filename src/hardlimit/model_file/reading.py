"""Reading a model file: checked header, mapped contents, blocks verified when first touched."""

from __future__ import annotations

import mmap
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import FileError, Given, ModelFileError
from hardlimit.foundation import progress, storage
from hardlimit.model_file import document, table

if TYPE_CHECKING:
    import numpy as np


class ModelFile:
    """An open model file; :func:`open` makes it.

    The contents are mapped, not read: opening costs the header only, whatever the size. A file that
    is replaced meanwhile goes on being read as it was. Threads may share one.

    Attributes
    ----------
    path : str
    kind : str
        What the model is.
    header : dict
        What the writer passed, a fresh dict that the caller may change.
    digest : str
        Of all that the file holds: equal files have equal ones.
    tensors : dict
        Name to :class:`~hardlimit.model_file.table.Tensor`, in the order of the file.
    size : int
        Bytes of the whole file.
    """

    def __init__(
        self,
        path: str,
        parsed: dict[str, Any],
        tensors: dict[str, table.Tensor],
        contents: memoryview,
    ) -> None:
        self.path = path
        self.kind: str = parsed["kind"]
        self.header: dict[str, Any] = parsed["header"]
        self.digest: str = parsed["digest"]
        self.tensors = tensors
        self.size = len(contents)
        self._contents = contents
        # One buffer a tensor, so that a block is verified once for all who ask.
        self._checked = {
            name: _native.CheckedBuffer(
                f"{path}: tensor '{name}'",
                contents[tensor.begin : tensor.end],
                document.digests(parsed, name),
            )
            for name, tensor in tensors.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tensors, in the order of the file."""
        return tuple(self.tensors)

    @property
    def has_state(self) -> bool:
        """Whether training can continue: whether there is a section ``state``."""
        return any(name.startswith("state.") for name in self.tensors)

    def checked(self, name: str) -> _native.CheckedBuffer:
        """Return the bytes of a tensor, each block to be verified on touch: O(1), without numpy."""
        return self._checked[self._known(name)]

    def memory(self, name: str) -> memoryview:
        """Return the bytes of a tensor, read-only, every block verified: O(bytes), no numpy."""
        self.checked(name).verify()
        tensor = self.tensors[name]
        return self._contents[tensor.begin : tensor.end]

    def array(self, name: str) -> np.ndarray:
        """Return a tensor as a read-only numpy array without a copy, every block verified."""
        import numpy as np

        tensor = self.tensors[self._known(name)]
        dtype = table.ELEMENTS[tensor.dtype][1]
        return np.frombuffer(self.memory(name), dtype=dtype).reshape(tensor.shape)

    def verify(self) -> None:
        """Compare every block of every tensor with its digest: O(file).

        Raises
        ------
        ModelFileError
            Naming the first tensor and block that differ.
        """
        for number, buffer in enumerate(self._checked.values()):
            progress.report(f"checking the digests of {self.path}", number, len(self._checked))
            buffer.verify()

    def _known(self, name: str) -> str:
        if name not in self.tensors:
            raise ModelFileError(
                f"no tensor '{name}'; it has {', '.join(self.tensors)}", where=self.path
            )
        return name


def open(path: str | os.PathLike[str], kind: str | None = None) -> ModelFile:
    """Open a model file, checking its header; the contents are verified when touched.

    Parameters
    ----------
    path
        A regular file.
    kind
        The kind that is wanted; None takes any.

    Raises
    ------
    FileError
        If the path cannot be read.
    ModelFileError
        If this is no model file, a newer one, of another kind, damaged or cut off.

    Examples
    --------
    >>> open("no-such.hardlimit")
    Traceback (most recent call last):
    ...
    hardlimit.exceptions.FileError: no-such.hardlimit: cannot be read: No such file or directory
    """
    path = os.fsdecode(path)
    # A name that is no text goes into messages with its bytes escaped.
    shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
    if sys.byteorder != "little":
        raise ModelFileError("models are read on little-endian machines only", where=shown)
    contents = _mapped(path)
    length = table.header_length(bytes(contents[:9]), len(contents), shown)
    entries = table.parse(bytes(contents[8 : 8 + length]), shown)
    parsed = document.parse(entries, shown)
    tensors = table.tensors(entries, 8 + length, len(contents), shown)
    document.check_same_tensors(parsed, tensors, shown)
    if kind is not None and parsed["kind"] != kind:
        raise ModelFileError(
            where=shown, got=Given(f"a model of kind {parsed['kind']!r}"), wanted=repr(kind)
        )
    return ModelFile(shown, parsed, tensors, contents)


def _mapped(path: str) -> memoryview:
    """Map a file read-only; the map lives as long as a view of it. An object is copied."""
    if storage.is_remote(path):
        with storage.open_remote(path) as file:
            return memoryview(file.read())
    path = storage.local_path(path)
    try:
        # Asked before opening: opening a named pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError("cannot be read: it is not a regular file", where=path)
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            size = os.fstat(handle).st_size
            if not size:
                # mmap refuses a length of 0; the check of the header says that the file is empty.
                return memoryview(b"")
            return memoryview(mmap.mmap(handle, size, access=mmap.ACCESS_READ))
        finally:
            # The map outlives its descriptor.
            os.close(handle)
    except FileError:
        raise
    except ValueError as error:  # a null byte in the path; the file shrank before it was mapped
        raise FileError(f"cannot be read: {error}", where=repr(path)) from error
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", where=path) from error


# What reading raises where a file contradicts itself.
CONTRADICTIONS = (
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    OverflowError,
    # A forged count asks for more memory than there is.
    MemoryError,
    RecursionError,
)


@contextmanager
def refuse_contradictions(file: ModelFile, part: str, *passing: type[Exception]) -> Iterator[None]:
    """Turn whatever reading a part of the file raises into one error that names file and part.

    passing : errors of other things than the file, which pass as they are.
    """
    try:
        yield
    except ModelFileError:  # says already what is wrong
        raise
    except CONTRADICTIONS as error:
        if isinstance(error, passing):
            raise
        reason = f"{part} contradicts itself ({error!r})"
        raise ModelFileError(reason, where=str(file.path)) from None
