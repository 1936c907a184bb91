"""Parquet and Arrow whose insides are changed: rows or a refusal, in little memory.

The first byte chooses a small file that is valid, or says that the rest is a file; the second how
it is read. Then come changes of four bytes each: a place (of 65,536 parts of the file), what is
done there, and a value. Most changes hit a header, where sizes stand that may lie.
"""

import io
import struct

from fuzz.harness import refusals_pass, scratch

_WHOLE = 255  # the rest is a file as it is
_MOST = 100_000  # bytes of a row: all bounds are small
_KINDS = ("parquet", "arrow", "arrows")


def _files():
    try:
        import pyarrow
        from pyarrow import ipc, parquet
    except ImportError:
        return []
    long = "a b " * 500
    lists = pyarrow.array([["x", "y"], [], ["y"], None, [long]])
    coded = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 0, 0, 1]), ["a b", long])
    texts = pyarrow.table({"text": coded, "labels": lists, "n": [1, 2, None, 4, 5]})
    plain = pyarrow.table({"text": ["a", "b", "c d", "", long], "label": ["x", "y", "x", "y", "x"]})
    numbers = pyarrow.table(
        {"p": [0.5, 1, 2, 3, 4], "q": [1, 2, 3, 4, 5], "y": ["u", "v"] * 2 + ["u"]}
    )
    made = []
    for table in (texts, plain, numbers):
        for more in (
            {"compression": "zstd"},
            {"compression": "none", "use_dictionary": False, "data_page_version": "2.0"},
            {"compression": "snappy", "row_group_size": 2, "write_page_checksum": True},
        ):
            file = io.BytesIO()
            parquet.write_table(table, file, store_schema=False, **more)
            made.append((0, file.getvalue()))
        for kind, make in ((1, ipc.new_file), (2, ipc.new_stream)):
            for packed in ("zstd", None):
                file, options = io.BytesIO(), ipc.IpcWriteOptions(compression=packed)
                with make(file, table.schema, options=options) as writer:
                    writer.write_table(table, max_chunksize=3)
                made.append((kind, file.getvalue()))
    return made


FILES = _files()
SEEDS = [
    bytes([number, flags]) + edit
    for number in range(len(FILES))
    for flags in (0, 5)
    for edit in (b"", struct.pack(">HBB", 60_000, 1, 255))
]


def change(data: bytes, edits: bytes) -> bytes:
    """Return a file with some of its bytes changed."""
    made = bytearray(data)
    for place, what, value in struct.iter_unpack(">HBB", edits[: len(edits) // 4 * 4]):
        at = place * len(made) >> 16
        if what % 5 == 0:
            made[at : at + 1] = bytes([value])
        elif what % 5 == 1:
            made[at : at + 1] = bytes([made[at] ^ value]) if at < len(made) else b""
        elif what % 5 == 2:
            made[at : at + 8] = struct.pack("<q", (value - 128) << (what >> 3))
        elif what % 5 == 3:
            del made[at : at + value]
        else:
            made[at:at] = made[at : at + value]
    return bytes(made)


def run(data: bytes) -> None:
    """Read a file as texts, with lists of labels or without, and as numbers."""
    from hardlimit import readers
    from hardlimit.exceptions import MissingExtraError

    if len(data) < 2 or not FILES:
        return
    flags = data[1]
    if data[0] == _WHOLE:
        kind, content = flags % 3, data[2:]
    else:
        kind, base = FILES[data[0] % len(FILES)]
        content = change(base, data[2:])
    path = scratch(content, f"input.{_KINDS[kind]}")
    try:
        with refusals_pass():
            separator = "," if flags & 4 else None
            layout = readers.Layout(max_line=_MOST, skip_bad=True, labels_separator=separator)
            for row in readers.open_rows(path, layout, need_label=bool(flags & 8)):
                assert isinstance(row.text, str) and len(row.text) <= _MOST
        with refusals_pass():
            found = readers.load_numbers(path, max_line=_MOST, need_label=bool(flags & 8))
            assert found.X.shape[0] == len(found.lines) > 0
    except MissingExtraError:
        pass
