"""Parquet and Arrow, texts and numbers; the tests need pyarrow, which is optional."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.exceptions import ColumnError, DataFormatError, MissingExtraError
from hardlimit.readers import Layout, load_numbers, open_rows

ROWS = {"text": ["win a prize", "at noon", "cash now"], "label": ["spam", "ham", "spam"]}


@pytest.fixture(params=["parquet", "arrow", "arrows", "feather"])
def write_table(request, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, ipc, parquet

    def write(columns, name="t"):
        table = columns if hasattr(columns, "schema") else arrow.table(columns)
        path = str(tmp_path / f"{name}.{request.param}")
        if request.param == "parquet":
            parquet.write_table(table, path, row_group_size=2)
        elif request.param == "feather":
            feather.write_feather(table, path)
        else:
            maker = ipc.new_file if request.param == "arrow" else ipc.new_stream
            with maker(path, table.schema) as writer:
                writer.write_table(table, max_chunksize=2)
        return path

    write.arrow = arrow
    return write


def test_texts_with_their_labels(write_table):
    table = open_rows(write_table({"n": [1, 2, 3], **ROWS}), need_label=True)
    rows = list(table)
    assert [(row.line, row.text, row.label) for row in rows] == [
        (1, "win a prize", "spam"),
        (2, "at noon", "ham"),
        (3, "cash now", "spam"),
    ]
    assert rows[0].fields == {"n": 1, "text": "win a prize", "label": "spam"}
    assert table.layout.text == "text" and table.notes() == []
    again = Layout.from_json(json.loads(json.dumps(table.layout.to_json())))
    assert list(open_rows(table.source.path, again, need_label=False)) == rows


def test_labels_keep_their_kind(write_table):
    arrow = write_table.arrow
    for kinds in ([1, 2, 1], [True, False, True], [0.5, 1.5, 0.5]):
        path = write_table({"text": ROWS["text"], "y": kinds})
        assert [row.label for row in open_rows(path, need_label=True)] == kinds
    coded = arrow.array(["a", "b", "a"]).dictionary_encode()
    path = write_table({"text": ROWS["text"], "y": coded})
    assert [row.label for row in open_rows(path, need_label=True)] == ["a", "b", "a"]


def test_other_types_are_left_out_with_a_note(write_table):
    table = open_rows(write_table({**ROWS, "ids": [[1], [2], []]}), need_label=True)
    assert all("ids" not in row.fields for row in table)
    assert "left out: 'ids'" in table.notes()[0]


def test_bad_rows_are_named_by_their_number(write_table):
    path = write_table({"text": ["a", None, "c", "d"], "label": ["x", "y", None, "y"]})
    with pytest.raises(DataFormatError, match="row 2, column 'text': got null"):
        list(open_rows(path, need_label=True))
    table = open_rows(path, Layout(skip_bad=True), need_label=True)
    assert [row.text for row in table] == ["a", "d"]
    assert "2 bad rows were left out" in table.notes()[0]
    with pytest.raises(ColumnError, match="'label' holds no texts|no column 'wrds'"):
        open_rows(path, Layout(text="wrds"), need_label=True)


def test_numbers(write_table):
    path = write_table({"p": [1, 2, 3], "kind": ["u", "v", "u"], "q": [0.5, 0.25, 1.0]})
    found = load_numbers(path)
    assert found.X.tolist() == [[1, 0.5], [2, 0.25], [3, 1]] and found.y.tolist() == ["u", "v", "u"]
    assert found.columns == ("p", "q") and found.label == "kind" and list(found.lines) == [1, 2, 3]
    other = write_table({"q": [1.0], "p": [2]}, "other")
    asked = load_numbers(other, columns=["p", "q"], label="kind", need_label=False)
    assert asked.X.tolist() == [[2, 1]] and asked.y is None
    with pytest.raises(ColumnError, match="'kind' holds no numbers"):
        load_numbers(path, label="p")


def test_cells_that_are_empty_or_not_finite(write_table):
    nan = float("nan")
    path = write_table({"p": [1, None, 3], "q": [0.5, 1, nan], "y": [0, 1, 1]})
    with pytest.raises(DataFormatError, match="row 2, column 'p': got an empty cell"):
        load_numbers(path)
    assert load_numbers(path, skip_bad=True).X.tolist() == [[1, 0.5]]


def test_cut_off_or_damaged(write_table):
    path = write_table(ROWS)
    data = Path(path).read_bytes()
    for broken in (data[: len(data) // 2], data[:8], b"", b"\xff" * 200, data[::-1]):
        Path(path).write_bytes(broken)
        for read in (lambda: list(open_rows(path, need_label=True)), lambda: load_numbers(path)):
            with pytest.raises((DataFormatError, ColumnError)):
                read()


def test_commands(write_table, tmp_path, capsys):
    texts, model = write_table({**ROWS, "n": [1, 2, 3]}), str(tmp_path / "m")
    assert main(["train", texts, "-o", model]) == 0
    assert main(["predict", model, texts, "-o", str(tmp_path / "o.csv")]) == 0
    assert "win a prize,spam,1,spam" in (tmp_path / "o.csv").read_text()
    assert main(["evaluate", model, texts]) == 0
    numbers = write_table({"p": [1, 0, 2], "q": [0, 1, 0], "y": ["a", "b", "a"]}, "n")
    assert main(["train", numbers, "-o", model]) == 0
    capsys.readouterr()
    (tmp_path / "n.csv").write_text("q,p\n0,5\n7,0\n")
    assert main(["predict", model, numbers, str(tmp_path / "n.csv")]) == 0
    answers = [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()]
    assert answers == ["a", "b", "a", "a", "b"]
    assert main(["predict", model, numbers, "-o", str(tmp_path / "o.csv")]) == 2
    assert "-o keeps" in capsys.readouterr().err


def test_the_error_says_what_to_install(tmp_path, monkeypatch):
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    for read in (lambda p: open_rows(p, need_label=True), load_numbers):
        with pytest.raises(MissingExtraError, match=r"pip install 'hardlimit\[arrow\]'"):
            read(tmp_path / "a.parquet")


def test_formats_are_listed_without_their_packages():
    code = (
        "import sys; from hardlimit import readers; readers.formats(); readers.numeric_formats(); "
        "print([n for n in ('pyarrow', 'openpyxl', 'zstandard') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
