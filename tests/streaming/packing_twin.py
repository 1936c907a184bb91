"""The packing of a cache of rows once more, for reading: docs/cache-format.md line by line."""

import math
import struct


class Bits:
    """A stream of bits as a list of zeros and ones."""

    def __init__(self):
        self.bits = []

    def fixed(self, v, n):
        self.bits += [v >> i & 1 for i in range(n)]

    def gamma(self, v):
        z = v.bit_length() - 1
        self.bits += [0] * z + [1]
        self.fixed(v - 2**z, z)

    def rice(self, v, k):
        if v < 32 * 2**k:
            self.bits += [0] * (v // 2**k) + [1]
            self.fixed(v % 2**k, k)
        else:
            self.bits += [0] * 32 + [1]
            self.fixed(v.bit_length() - 1, 6)
            self.fixed(v, v.bit_length())

    def finish(self):
        bits = self.bits + [0] * (-len(self.bits) % 64) + [0] * 64
        octets = [bits[i : i + 8] for i in range(0, len(bits), 8)]
        return bytes(sum(bit << i for i, bit in enumerate(octet)) for octet in octets)


def parameter(total, n):
    if not n or total < n:
        return 0
    return min(24, math.floor(math.log2(total // n)))


def pack_columns(rows):
    """Pack rows, each a dict of column to count: the two sections."""
    stream, n_rows = Bits(), len(rows)
    k = parameter(sum(map(len, rows)), n_rows)
    stream.fixed(k, 6)
    for row in rows:
        stream.rice(len(row), k)
    columns = sorted({column for row in rows for column in row})
    k = parameter(columns[-1] + 1 - len(columns), len(columns)) if columns else 0
    stream.fixed(k, 6)
    cells, before = [], -1
    for column in columns:
        stream.rice(column - before - 1, k)
        before = column
        having = [number for number, row in enumerate(rows) if column in row]
        stream.gamma(len(having))
        if len(having) == 1:
            stream.fixed(having[0], (n_rows - 1).bit_length())
        else:
            gaps(having, parameter(n_rows - len(having), len(having)), stream)
        cells += [rows[number][column] for number in having]
    return stream.finish(), pack_counts(cells)


def gaps(numbers, k, stream):
    for number, before in zip(numbers, [-1, *numbers], strict=False):
        stream.rice(number - before - 1, k)


def pack_counts(cells):
    stream = Bits()
    larger = [place for place, count in enumerate(cells) if count > 1]
    k = parameter(len(cells) - len(larger), len(larger))
    stream.fixed(k, 6)
    stream.gamma(len(larger) + 1)
    for place, before in zip(larger, [-1, *larger], strict=False):
        stream.rice(place - before - 1, k)
        stream.gamma(cells[place] - 1)
    return stream.finish()


def pack_numbers(numbers, item, floats):
    """Pack whole numbers that stand for bits of ``item`` bytes."""
    if floats and item == 8 and all(as_single(number) is not None for number in numbers):
        stored, numbers = 4, [as_single(number) for number in numbers]
    else:
        stored = item
    entries = list(dict.fromkeys(numbers))
    plain = section(255, stored, 0, b"", b"".join(n.to_bytes(stored, "little") for n in numbers))
    if not numbers or len(entries) > 65536:
        return plain
    bits = next(bits for bits in (0, 1, 2, 4, 8, 16) if len(entries) <= 2**bits)
    whole = sum(entries.index(number) << i * bits for i, number in enumerate(numbers))
    listed = section(
        bits,
        stored,
        len(entries),
        b"".join(entry.to_bytes(stored, "little") for entry in entries),
        whole.to_bytes((len(numbers) * bits + 7) // 8, "little"),
    )
    return listed if len(listed) < len(plain) else plain


def as_single(number):
    """Return the bits of the single number that is this double, or None."""
    value = struct.unpack("<d", struct.pack("<Q", number))[0]
    try:
        single = struct.pack("<f", value)
    except OverflowError:
        return None
    same = struct.pack("<d", struct.unpack("<f", single)[0]) == struct.pack("<Q", number)
    return int.from_bytes(single, "little") if same else None


def section(bits, stored, n_entries, dictionary, rest):
    header = struct.pack("<BBHI", bits, stored, 0, n_entries)
    return header + padded(dictionary) + padded(rest)


def padded(octets):
    return octets + bytes(-len(octets) % 8)
