"""Every format, found by itself, reads an object as it reads the file."""

import gzip
import io
import json
import tarfile

import numpy as np
import pytest

from hardlimit.exceptions import FileError, HardlimitError, mask
from hardlimit.readers import Layout, formats, load_numbers, numeric_formats, open_rows

pytest_plugins = ["tests.stores"]
ROWS = [("ham", "see you"), ("spam", "win a prize"), ("ham", "na\u00efve caf\u00e9")] * 3
MAIL = "From a@b.org Thu Aug 22 12:36:23 2002\nSubject: x\n\nHello {}\n\n"


def arrow(numbers):
    pa = pytest.importorskip("pyarrow")
    if numbers:
        return pa.table({"a": [1.0, 2, 3], "b": [0.5, 0, 1], "y": ["u", "v", "u"]})
    return pa.table({"text": [t for _, t in ROWS], "label": [y for y, _ in ROWS]})


def as_parquet(numbers):
    out = io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(arrow(numbers), out)
    return out.getvalue()


def as_arrow(numbers):
    out = io.BytesIO()
    table = arrow(numbers)
    with pytest.importorskip("pyarrow.ipc").new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def as_xlsx():
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [("label", "text"), *ROWS]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def as_tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        for number, (label, text) in enumerate(ROWS):
            entry = tarfile.TarInfo(f"mails/{label}/{number}")
            entry.size = len(text.encode())
            packed.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


def as_npz():
    out = io.BytesIO()
    np.savez(out, X=np.eye(3), y=np.array([0, 1, 0]))
    return out.getvalue()


def as_npy(found):
    out = io.BytesIO()
    np.save(out, found)
    return out.getvalue()


ARFF = "@relation r\n@attribute a numeric\n@attribute b {}\n@attribute c {{u,v}}\n@data\n1,{},u\n"
IDX3 = b"\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x02" + bytes(range(8))
IDX1 = b"\0\0\x08\x01\0\0\0\x02\x07\x09"
TEXTS = {
    "csv": ("a.csv", lambda: ("label,text\n" + "".join(f'{y},"{t}"\n' for y, t in ROWS)).encode()),
    "tsv": ("a.tsv", lambda: "".join(f"{y}\t{t}\n" for y, t in ROWS).encode("cp1252")),
    "jsonl": (
        "a.jsonl.gz",
        lambda: gzip.compress(
            "".join(json.dumps({"text": t, "label": y}) + "\n" for y, t in ROWS).encode()
        ),
    ),
    "lines": ("a.txt", lambda: "".join(f"{t}\n" for _, t in ROWS).encode("utf-16")),
    "fasttext": ("a.ft", lambda: "".join(f"__label__{y} {t}\n" for y, t in ROWS).encode()),
    "parquet": ("a.parquet", lambda: as_parquet(False)),
    "arrow": ("a.arrow", lambda: as_arrow(False)),
    "xlsx": ("a.xlsx", as_xlsx),
    "tar": ("a.tar.gz", as_tar),
    "mbox": ("a.mbox", lambda: "".join(map(MAIL.format, range(3))).encode()),
    "eml": ("a.eml", lambda: b"Subject: x\n\nHello\n"),
    "weka": ("a.arff", lambda: ARFF.format("{x,y}", "x").encode()),
}
NUMBERS = {
    "svmlight": ("a.svm", lambda: b"+1 1:0.5 3:1\n-1 2:1\n"),
    "numeric-csv": ("n.csv", lambda: b"a,b,y\n1,2,u\n3,4,v\n"),
    "numeric-parquet": ("n.parquet", lambda: as_parquet(True)),
    "numeric-arrow": ("n.arrow", lambda: as_arrow(True)),
    "npy": ("X.npy", lambda: as_npy(np.eye(3))),
    "npz": ("a.npz", as_npz),
    "vw": ("a.vw", lambda: b"1 |a x:1 y:2\n-1 |a z:1\n"),
    "idx": ("train-images-idx3-ubyte", lambda: IDX3),
    "arff": ("b.arff", lambda: ARFF.format("numeric", "1").encode()),
}  # fmt: skip
BESIDE = {"y.npy": as_npy(np.array([0, 1, 0])), "train-labels-idx1-ubyte": IDX1}


def test_each_format_is_here():
    folders = {name for name, known in formats().items() if known.takes_folder}
    assert set(TEXTS) == set(formats()) - folders
    assert set(NUMBERS) == set(numeric_formats())


@pytest.fixture
def places(tmp_path, memory, web):
    """Where a file is: on the disk, in a store, on a server with and without parts."""

    def put(name, data):
        (tmp_path / name).write_bytes(data)
        memory.pipe_file(f"/d/{name}", data)
        web.files[name] = data
        return [str(tmp_path / name), f"memory://d/{name}", web.uri(f"{name}?sig=1=")]

    return put


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("name", TEXTS)
def test_rows_of_texts(places, web, name, ranges):
    web.ranges = ranges
    disk, *others = places(TEXTS[name][0], TEXTS[name][1]())
    asked = None if name in ("csv", "jsonl", "parquet", "xlsx", "tar") else Layout(format=name)
    need = name in ("csv", "tsv", "jsonl", "fasttext", "parquet", "arrow", "xlsx")
    if name == "weka":
        asked = Layout(format=name, table=True, label="c")

    def read(path):
        with open_rows(path, asked, need_label=need) as table:
            rows = list(table)
            return (
                rows,
                table.layout,
                table.columns,
                [note.replace(mask(path), "") for note in table.notes()],
            )

    wanted = read(disk)
    assert wanted[0]
    for uri in others:
        assert read(uri) == wanted


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("name", NUMBERS)
def test_rows_of_numbers(places, web, name, ranges):
    web.ranges = ranges
    for beside, data in BESIDE.items():
        places(beside, data)
    disk, *others = places(NUMBERS[name][0], NUMBERS[name][1]())

    def read(path):
        found = load_numbers(path, format=name)
        X = found.X.toarray() if hasattr(found.X, "toarray") else found.X
        if hasattr(X, "indptr"):
            X = [X.indptr.tolist(), X.indices.tolist(), X.data.tolist()]
        return json.dumps([np.asarray(X, object).tolist(), np.asarray(found.y).tolist()])

    wanted = read(disk)
    for uri in others:
        if "?" in uri and name in ("npy", "idx"):
            uri = uri.partition("?")[0]  # what is beside has a signature of its own
        assert read(uri) == wanted


@pytest.mark.parametrize("name", [*TEXTS, *NUMBERS])
def test_a_server_that_breaks_is_no_damaged_file(places, web, name):
    file, make = (TEXTS | NUMBERS)[name]
    *_, uri = places(file, make())
    web.faults[:] = ["", *["cut"] * 30]
    with pytest.raises(FileError, match="tried 5 times"):
        if name in TEXTS:
            layout = Layout(
                format=name, **({"table": True, "label": "c"} if name == "weka" else {})
            )
            list(open_rows(uri, layout, need_label=False))
        else:
            load_numbers(uri, format=name, need_label=False)


def test_folders_are_of_the_disk(memory):
    memory.pipe_file("/d/spam/1.txt", b"win")
    memory.pipe_file("/d/ham/1.txt", b"lunch")
    for uri in ("memory://d", "memory://d/"):
        with pytest.raises(HardlimitError, match="folder|no such file"):
            open_rows(uri, need_label=True)
