"""Writing a model file: digests, document, container; whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import FileError, Given, InputError
from hardlimit.foundation import progress
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.file_lock import holding
from hardlimit.foundation.formatting import format_bytes, plural
from hardlimit.model_file import document, reading, table
from hardlimit.model_file.container import write_container

if TYPE_CHECKING:
    import numpy as np

CODES = {numpy_name: code for code, (_, numpy_name) in table.ELEMENTS.items()}


def write(
    path: str | os.PathLike[str], header: Mapping[str, Any], tensors: Mapping[str, Any]
) -> str:
    """Write a model file, replacing what was at ``path``, or leave that as it was.

    Return the digest of the new file. The same header and tensors give the same bytes. Two writers
    of one file come one after the other. The cost is that of writing the bytes to the
    disk and of one copy of the tensors that are not contiguous.

    Parameters
    ----------
    path
        The target. Symbolic links are followed; an existing file keeps its permissions.
    header
        Plain JSON values; ``header["kind"]`` is the kind of model, a text.
    tensors
        Named ``answer.*`` (what predicts) or ``state.*`` (what training continues from). Numpy
        arrays of the types listed in ``docs/model-format.md``, or ``bytes`` and other buffers of
        bytes, which are stored as ``U8``.

    Raises
    ------
    InputError
        If the header is not plain JSON, or a name, type or size cannot be stored.
    FileError
        If the target cannot be written; the old file is intact.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "tiny.hardlimit")
    >>> digest = write(path, {"kind": "example"}, {"answer.terms": b"win prize"})
    >>> bytes(reading.open(path).memory("answer.terms"))
    b'win prize'
    >>> folder.cleanup()
    """
    arrays = {name: _array(name, value) for name, value in tensors.items()}
    if not arrays:
        raise InputError(who="model file: tensors", got=Given("none"), wanted="one at least")
    size = sum(array.nbytes for array in arrays.values())
    progress.report(f"writing {os.fsdecode(path)}, {format_bytes(size)}")
    entries = {
        name: document.entry_of(CODES[array.dtype.name], array.shape, _digests(array))
        for name, array in arrays.items()
    }
    text = document.compose(header, entries)
    # The container repeats the table of tensors and escapes quotes: well under twice the text.
    if 2 * len(text) > table.MAX_HEADER:
        raise InputError(
            f"the header needs {plural(len(text), 'byte')}, at most {table.MAX_HEADER // 2:,} "
            "are allowed",
            who="model file",
            fix="store long lists as tensors",
        )
    with holding(path), replacing(path) as temporary:
        _save(temporary, arrays, text)
        # What this release would not read must not take the place of a model that it does.
        try:
            digest = reading.open(temporary).digest
        except FileError as error:
            # `replacing` gives an OSError the path and the fix.
            raise OSError(f"it cannot be read back: {error.reason}") from error
    return digest


def _save(path: str, arrays: dict[str, np.ndarray], text: str) -> None:
    tensors = {name: (CODES[array.dtype.name], array) for name, array in arrays.items()}
    write_container(path, tensors, {document.ENTRY: text})


def _array(name: str, given: object) -> np.ndarray:
    import numpy as np

    value: Any = given
    if not table.NAME.fullmatch(name):
        raise InputError(
            f"tensor {name!r}: names begin with 'answer.' or 'state.' and consist of letters, "
            "digits, '.', '_' and '-'",
            who="model file",
        )
    if isinstance(value, np.generic):
        value = np.asarray(value)
    elif not isinstance(value, np.ndarray):
        value = np.frombuffer(value, dtype=np.uint8)
    if value.dtype.name not in CODES or value.ndim > table.MAX_DIMENSIONS:
        raise InputError(
            who=f"model file: tensor {name!r}",
            got=Given(f"{value.dtype} with {plural(value.ndim, 'dimension')}"),
            wanted=f"one of {', '.join(CODES)} with at most {table.MAX_DIMENSIONS}",
        )
    # The bytes of a file do not depend on the machine or on how the array lay in memory.
    return np.require(value, dtype=value.dtype.newbyteorder("<"), requirements="C")


def _digests(array: np.ndarray) -> list[int]:
    return _native.block_digests(array.reshape(-1).view("uint8"))
