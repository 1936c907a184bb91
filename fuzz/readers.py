"""Files of every format, plain and compressed: rows or a refusal.

The first byte chooses the format and whether labels are needed; the rest is the file.
"""

import bz2
import gzip
import lzma

from fuzz.harness import TESTS, refusals_pass, scratch

FORMATS = ("csv", "tsv", "jsonl", "lines", "svmlight", "numeric-csv", None, "folder")
PACKERS = (bytes, gzip.compress, bz2.compress, lzma.compress)
ENDINGS = {".csv": 0, ".tsv": 1, ".jsonl": 2, ".txt": 3, ".svm": 4, ".data": 5}


def _seeds():
    for path in sorted((TESTS / "hostile" / "readers").iterdir()):
        if path.stat().st_size < 4000:
            kind = ENDINGS.get(path.suffix, 6)
            yield bytes([kind]) + path.read_bytes()
    for kind, text in enumerate(
        (
            b'label,text\nham,"see ""you"""\nspam,win\n',
            b"ham\tsee you\nspam\twin\n",
            b'{"text":"a","label":1}\n{"text":"b","label":2.5}\n',
            b"one\ntwo\n",
            b"1 1:0.5 3:2 # note\n-1 qid:3 2:1e3\n",
            b"a,b,label\n1,2,x\n3,4,y\n",
        )
    ):
        yield bytes([kind]) + text
        yield bytes([kind | 8]) + b"\xff\xfe" + text.decode().encode("utf-16-le")
        yield bytes([kind | 8 | 16]) + text


SEEDS = list(_seeds())


def run(data: bytes) -> None:
    """Read a file in every way that its format allows."""
    from hardlimit import readers

    if not data:
        return
    format = FORMATS[data[0] & 7]
    need_label = bool(data[0] & 8)
    packed = PACKERS[data[0] >> 4 & 3](data[1:])
    path = scratch(packed, "input" if format is None else f"input.{format.partition('-')[0]}")
    if format in ("svmlight", "numeric-csv"):
        with refusals_pass():
            readers.load_numbers(path, need_label=need_label, format=format)
        return
    with refusals_pass():
        layout = readers.Layout(format=format)
        for row in readers.open_rows(path, layout, need_label=need_label):
            assert isinstance(row.text, str | bytes)
            assert row.label is not None or not need_label
