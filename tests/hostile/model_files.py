"""The hostile model files: what each one is, and the sentence that refuses it.

Run as a script, it writes them into the folder ``model_files`` beside it. They are forged by hand,
without the code under test, except for digests, which must be right to reach the later checks.
"""

import json
import pickle
from pathlib import Path

from hardlimit import _native

FOLDER = Path(__file__).parent / "model_files"


def compact(value, **options):
    return json.dumps(value, separators=(",", ":"), **options)


def hexadecimal(data):
    return "".join(f"{digest:016x}" for digest in _native.block_digests(data))


def forge(change_document=None, change_table=None, change_bytes=None, data=None, spaces=0):
    """Make a model file of two tensors, changed on the way, with a matching document digest."""
    data = bytes(range(32)) + b"win prize" if data is None else data
    entries = {
        "answer.weights": {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]},
        "answer.terms": {"dtype": "U8", "shape": [9], "data_offsets": [32, 41]},
    }
    document = {
        "format": "hardlimit model",
        "version": 1,
        "kind": "example",
        "header": {"kind": "example", "labels": ["ham", "spam"]},
        "tensors": {
            name: {
                "dtype": entry["dtype"],
                "shape": entry["shape"],
                "digests": hexadecimal(data[slice(*entry["data_offsets"])]),
            }
            for name, entry in entries.items()
        },
    }
    if change_document:
        change_document(document)
    digest = _native.digest(compact(document, sort_keys=True).encode())
    document.setdefault("digest", f"{digest:016x}")
    table = {"__metadata__": {"hardlimit": compact(document, sort_keys=True)}, **entries}
    if change_table:
        change_table(table)
    header = compact(table).encode()
    header += b" " * (-len(header) % 8 + spaces)
    made = len(header).to_bytes(8, "little") + header + data
    return change_bytes(made) if change_bytes else made


def changed(*path, to):
    """A function that sets one entry of nested dicts; the last name of ``path`` is its key."""

    def change(target):
        for key in path[:-1]:
            target = target[key]
        if to is None:
            del target[path[-1]]
        else:
            target[path[-1]] = to

    return change


def both(*path, to):
    """The same change to the table and to what the document states, so that they agree."""
    in_document = changed("tensors", *path, to=to)
    return {"change_document": in_document, "change_table": changed(*path, to=to)}


def text_replaced(old, new):
    def change(table):
        table["__metadata__"]["hardlimit"] = table["__metadata__"]["hardlimit"].replace(old, new)

    return change


def bytes_replaced(old, new):
    return lambda made: made.replace(old, new, 1)


WEIGHTS = ("answer.weights",)
HUGE = [1 << 31, 1 << 31, 1 << 31]
EMPTY = [*HUGE, 0]

# name: (bytes, a part of the sentence that refuses it)
FILES = {
    "empty": (b"", "not a hardlimit model: the file is empty"),
    "three-bytes": (b"abc", "it looks like text"),
    "messages.csv": (b"label,message\nspam,win a prize\n", "it looks like text (a CSV file?)"),
    "latin-1.txt": ("größer,Ärger".encode("latin-1"), "it looks like text"),
    "random": (bytes([7, 250, 3, 99, 0, 18, 5, 77, 1, 200]), "does not begin with a safetensors"),
    "model.pickle": (pickle.dumps({"w": [1.0]}, protocol=4), "a Python pickle, which is never"),
    "archive.zip": (b"PK\x03\x04" + bytes(30), "it looks like a zip archive"),
    "compressed.gz": (b"\x1f\x8b\x08" + bytes(30), "gzip-compressed data: decompress it first"),
    "claims-2-to-62": (
        (1 << 62).to_bytes(8, "little") + b'{"a":1}',
        "the header claims 4,611,686,018,427,387,904 bytes",
    ),
    "claims-17-MiB": ((17 << 20).to_bytes(8, "little") + b'{"a":1}', "the header claims 17,825,79"),
    "cut-in-header": (forge()[:100], "truncated: in its header, at least"),
    "cut-in-data": (forge()[:-5], "truncated: at its end 5 bytes are missing"),
    "cut-by-one": (forge()[:-1], "truncated: at its end 1 byte is missing"),
    "appended": (forge() + b"!", "1 byte after the last tensor"),
    "not-json": (forge(change_bytes=bytes_replaced(b'"shape":', b'"shape"=')), "header is damaged"),
    "deep-json": (
        (96_000).to_bytes(8, "little") + b'{"a":' + b"[" * 95_995,
        "the header is damaged: not JSON",
    ),
    "double-key": (
        forge(change_bytes=bytes_replaced(b'"answer.weights":', b'"answer.terms"  :')),
        "the header is damaged",
    ),
    "odd-spaces": (forge(change_bytes=bytes_replaced(b"[0,32]", b"[0 ,3]")), "header is damaged"),
    "padded": (forge(spaces=8), "the header is damaged"),
    "odd-length": (forge(spaces=-4), "the header is damaged"),
    "other-program": (
        forge(change_table=changed("__metadata__", to={"format": "pt"})),
        "no 'hardlimit' entry in its metadata",
    ),
    "no-metadata": (forge(change_table=changed("__metadata__", to=None)), "no 'hardlimit' entry"),
    "more-metadata": (
        forge(change_table=changed("__metadata__", "other", to="x")),
        "the header is damaged",
    ),
    "document-no-json": (
        forge(change_table=changed("__metadata__", "hardlimit", to="{")),
        "its 'hardlimit' entry is no document",
    ),
    "document-other-format": (
        forge(changed("format", to="softlimit model")),
        "its 'hardlimit' entry is no document",
    ),
    "newer": (
        forge(changed("version", to=4)),
        "written by a newer hardlimit (format 4); this one reads up to 3; pip install --upgrade",
    ),
    "version-text": (forge(changed("version", to="1")), "'1' is no version"),
    "unknown-key": (forge(changed("extra", to=1)), "the header is damaged"),
    "no-digest": (forge(changed("digest", to="")), "the header is damaged"),
    "kind-twice": (forge(changed("kind", to="other")), "the header is damaged"),
    "not-canonical": (
        forge(change_table=text_replaced('"version":1', '"version": 1')),
        "the header is damaged: it does not have the digest",
    ),
    "infinite": (
        forge(change_table=text_replaced('["ham","spam"]', "[1e999]")),
        "the header is damaged: it does not have the digest",
    ),
    "changed-label": (forge(change_bytes=bytes_replaced(b"spam", b"span")), "the digest that it"),
    "undigested": (
        forge(changed("tensors", *WEIGHTS, to=None)),
        "tensor 'answer.weights' has no digest",
    ),
    "too-few-digests": (
        forge(changed("tensors", *WEIGHTS, "digests", to="")),
        "tensor 'answer.weights' differs in type, shape or number of digests",
    ),
    "digest-no-hex": (
        forge(changed("tensors", *WEIGHTS, "digests", to="+123456789abcde_")),
        "tensor 'answer.weights' differs in type, shape or number of digests",
    ),
    "other-type": (
        forge(change_table=changed(*WEIGHTS, "dtype", to="I32")),
        "tensor 'answer.weights' differs in type",
    ),
    "unknown-type": (forge(**both(*WEIGHTS, "dtype", to="Q32")), "unknown element type 'Q32'"),
    "negative-shape": (
        forge(**both(*WEIGHTS, "shape", to=[-2, -4])),
        "impossible shape ([-2, -4])",
    ),
    "boolean-shape": (forge(**both(*WEIGHTS, "shape", to=[True, 8])), "impossible shape"),
    "fraction-shape": (forge(**both(*WEIGHTS, "shape", to=[8.0])), "impossible shape"),
    "nine-dimensions": (forge(**both(*WEIGHTS, "shape", to=[8] + [1] * 8)), "impossible shape"),
    "overflowing-shape": (
        forge(**both(*WEIGHTS, "shape", to=HUGE)),
        "impossible shape ([2147483648, 2147",
    ),
    "huge-empty-shape": (
        forge(
            changed("tensors", "answer.huge", to={"dtype": "F32", "shape": EMPTY, "digests": ""}),
            changed("answer.huge", to={"dtype": "F32", "shape": EMPTY, "data_offsets": [0, 0]}),
        ),
        "tensor 'answer.huge' has an impossible shape",
    ),
    "wrong-product": (
        forge(**both(*WEIGHTS, "shape", to=[9])),
        "has 32 bytes, its shape claims 36",
    ),
    "backward-offsets": (
        forge(change_table=changed(*WEIGHTS, "data_offsets", to=[32, 0])),
        "impossible offsets ([32, 0])",
    ),
    "offsets-2-to-62": (
        forge(change_table=changed(*WEIGHTS, "data_offsets", to=[1 << 62, (1 << 62) + 32])),
        "impossible offsets",
    ),
    "overlapping": (
        forge(change_table=changed("answer.terms", "data_offsets", to=[23, 32])),
        "tensor 'answer.terms' begins at byte",
    ),
    "gap": (
        forge(change_table=changed("answer.terms", "data_offsets", to=[33, 42]), data=bytes(42)),
        "tensor 'answer.terms' begins at byte",
    ),
    "unaligned": (
        forge(
            change_table=lambda table: (
                changed("answer.terms", "data_offsets", to=[0, 9])(table),
                changed(*WEIGHTS, "data_offsets", to=[9, 41])(table),
            )
        ),
        "tensor 'answer.weights' begins at byte 9, which is not aligned",
    ),
    "no-offsets": (
        forge(change_table=changed(*WEIGHTS, "data_offsets", to=None)),
        "tensor 'answer.weights' lacks its type, shape or offsets",
    ),
    "bad-name": (
        forge(change_table=changed("../../etc", to={"dtype": "U8", "shape": []})),
        "has a name that does not begin with 'answer.' or 'state.'",
    ),
    "changed-tensor": (
        forge(change_bytes=bytes_replaced(b"win prize", b"win price")),
        "tensor 'answer.terms' is damaged in block 0 of 1 (bytes 0 to 8 of the tensor)",
    ),
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (made, _) in FILES.items():
        if len(made) < 10_000:
            (FOLDER / name).write_bytes(made)
