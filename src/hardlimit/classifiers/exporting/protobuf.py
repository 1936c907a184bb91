"""The wire format of protocol buffers, as far as ONNX needs it: numbers, bytes, messages.

A field is its number and kind as one varint, then the value; a message is its fields one after the
other. Written here, since the format is twenty lines and libraries for it promise no fixed bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

VARINT, LENGTH = 0, 2


def varint(number: int) -> bytes:
    """Return a whole number in groups of 7 bits, the lowest first; negative ones have 64 bits.

    >>> varint(300).hex(), len(varint(-1))
    ('ac02', 10)
    """
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def whole(field: int, number: int) -> bytes:
    """Return a field that is a whole number.

    >>> whole(1, 150).hex()
    '089601'
    """
    return varint(field << 3 | VARINT) + varint(number)


def nested(field: int, *parts: bytes) -> bytes:
    """Return a field that is bytes or a message, made of these parts.

    >>> nested(2, b"testing").hex()
    '120774657374696e67'
    """
    return b"".join([begun(field, sum(map(len, parts))), *parts])


def begun(field: int, length: int) -> bytes:
    """Return the beginning of a field of so many bytes."""
    return varint(field << 3 | LENGTH) + varint(length)


def text(field: int, string: str) -> bytes:
    """Return a field that is a text."""
    return nested(field, string.encode())


def each(field: int, strings: Iterable[str]) -> bytes:
    """Return a field that is given once for each text."""
    return b"".join(text(field, string) for string in strings)
