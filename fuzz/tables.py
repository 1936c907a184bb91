"""Files of numbers, arrays and tables by columns, with bad rows left out or not: rows or a refusal.

The first byte chooses the format, the second whether labels are needed, bad rows are left out, and
the file is packed; the rest is the file.
"""

import io
import struct

import numpy as np

from fuzz.harness import refusals_pass, scratch

NUMERIC = ("svmlight", "vw", "arff", "npy", "npz", "idx", "numeric-parquet", "numeric-arrow")
TEXTS = ("csv", "jsonl", "xlsx", "parquet", "arrow")
FORMATS = (*NUMERIC, *TEXTS)
_PACKED = 4  # the flag of zstandard


def _saved(save, *args, **more):
    file = io.BytesIO()
    save(file, *args, **more)
    return file.getvalue()


def _sparse():
    parts = {"format": np.array(b"csr"), "shape": np.array([2, 3]), "data": np.array([1.0, 2])}
    return {**parts, "indices": np.array([0, 2]), "indptr": np.array([0, 1, 2])}


def _columns():
    try:
        import pyarrow
        from pyarrow import feather, parquet
    except ImportError:
        return
    table = pyarrow.table({"text": ["a", "b"], "n": [1, 2], "y": [0.5, 1]})
    numbers = table.select(["n", "y"])
    for name, save in (("parquet", parquet.write_table), ("arrow", feather.write_feather)):
        yield name, _saved(lambda file, save=save: save(table, file))
        yield f"numeric-{name}", _saved(lambda file, save=save: save(numbers, file))


def _sheet():
    try:
        import openpyxl
    except ImportError:
        return
    book = openpyxl.Workbook()
    for row in (["text", "label"], ["a", 1], ["b", "=1+1"]):
        book.active.append(row)
    yield "xlsx", _saved(book.save)


def _seeds():
    X = np.array([[1.0, 0, 2], [0, 3, 0]])
    head = (
        b"@relation r\n@attribute p real\n@attribute 'q r' numeric\n@attribute k {a,'b c'}\n@data\n"
    )
    found = [
        ("svmlight", b"1 1:0.5 3:2 # note\nx 1:1\n-1 qid:3 2:1e3\n"),
        ("vw", b"1 2.0 'tag |a word:0.5 b |c:2 d\n-1 |a b\nx |a\n1 1 0.5 t| e:-1e3\n"),
        ("arff", head + b"1,2,a\n3,?,'b c'\n"),
        ("arff", head + b"{0 1.5, 2 'b c'}\n{ }\n"),
        ("npy", _saved(np.save, X)),
        ("npy", _saved(np.save, np.asfortranarray(X.astype("f4")))),
        ("npz", _saved(np.savez, X=X, y=np.array([1, -1]))),
        ("npz", _saved(np.savez, **_sparse())),
        ("idx", bytes([0, 0, 8, 3]) + struct.pack(">III", 1, 2, 2) + b"abcd"),
        ("csv", b'text,label\na,x\nb\n"c"d,y\n'),
        ("jsonl", b'{"text":"a","label":1}\n{"text":\n[1]\n{"label":1}\n'),
        *_columns(),
        *_sheet(),
    ]
    for name, data in found:
        for flags in (0, 1, 3):
            yield bytes([FORMATS.index(name), flags]) + data


SEEDS = list(_seeds())


def _pack(data):
    try:
        import zstandard
    except ImportError:
        return data
    return zstandard.compress(data)


def run(data: bytes) -> None:
    """Read a file in every way that its format allows."""
    from hardlimit import readers
    from hardlimit.exceptions import MissingExtraError

    if len(data) < 2:
        return
    name = FORMATS[data[0] % len(FORMATS)]
    need_label, skip_bad = bool(data[1] & 1), bool(data[1] & 2)
    content = _pack(data[2:]) if data[1] & _PACKED else data[2:]
    path = scratch(content, f"input.{name.removeprefix('numeric-')}")
    try:
        with refusals_pass():
            if name in NUMERIC:
                found = readers.load_numbers(
                    path, format=name, need_label=need_label, skip_bad=skip_bad
                )
                _check(found)
                return
            layout = readers.Layout(format=name, skip_bad=skip_bad)
            for row in readers.open_rows(path, layout, need_label=need_label):
                assert isinstance(row.text, str)
                assert row.label is not None or not need_label
    except MissingExtraError:
        pass


def _check(found):
    """Look at the rows as the engine would."""
    X = found.X
    assert X.shape[0] == len(found.lines) > 0
    if not hasattr(X, "indptr"):
        assert np.isfinite(X).all()
        return
    assert X.indptr[0] == 0 and X.indptr[-1] == len(X.data) == len(X.indices)
    assert (np.diff(X.indptr) >= 0).all() and np.isfinite(X.data).all()
    inside = np.ones(len(X.indices), bool)
    starts = X.indptr[:-1]
    inside[starts[starts < len(inside)]] = False
    assert (np.diff(X.indices, prepend=0)[inside] > 0).all()
    assert not len(X.indices) or 0 <= X.indices.min() <= X.indices.max() < X.shape[1]
