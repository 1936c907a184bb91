"""Files whose digests are right and whose contents contradict themselves: forged, or of a fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardlimit.exceptions import ModelFileError
from hardlimit.model_file.reading import ModelFile

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
