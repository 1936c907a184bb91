"""Every format that has columns is read as a mixed table: the same model, whatever the file."""

import csv
import gzip
import io
import json

import pytest
from tests.tables.table_data import ROWS

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.readers import Layout, formats, open_rows
from hardlimit.readers.registry import DOCUMENTS

TABLE = [{name: row[name] for name in ("age", "city", "plan", "notes", "churned")} for row in ROWS]


def delimited(delimiter):
    def write(path, rows):
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode())

    return write


def as_jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def as_arff(path, rows):
    kinds = {"age": "numeric", "notes": "string"}
    names = {name: sorted({str(row[name]) for row in rows}) for name in rows[0]}
    lines = ["% a comment", "@relation r"]
    for name, values in names.items():
        lines.append(f"@attribute '{name}' {kinds.get(name, '{' + ','.join(values) + '}')}")
    lines += ["@data", *(",".join(f"'{v}'" if " " in str(v) else str(v) for v in row.values())
                         for row in rows)]  # fmt: skip
    path.write_text("\n".join(lines) + "\n")


def as_parquet(path, rows):
    pytest.importorskip("pyarrow.parquet").write_table(as_arrow_table(rows), path)


def as_arrow(path, rows):
    table = as_arrow_table(rows)
    with pytest.importorskip("pyarrow.ipc").new_file(path, table.schema) as file:
        file.write_table(table)


def as_arrow_table(rows):
    return pytest.importorskip("pyarrow").Table.from_pylist(rows)


def as_xlsx(path, rows):
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [list(rows[0]), *(list(row.values()) for row in rows)]:
        book.active.append(row)
    book.save(path)


WRITERS = {
    "csv": (delimited(","), ".csv"),
    "tsv": (delimited("\t"), ".tsv"),
    "jsonl": (as_jsonl, ".jsonl"),
    "weka": (as_arff, ".arff"),
    "parquet": (as_parquet, ".parquet"),
    "arrow": (as_arrow, ".arrow"),
    "xlsx": (as_xlsx, ".xlsx"),
}


def test_each_format_with_columns_has_a_writer_here():
    assert set(WRITERS) == set(formats()) - {"lines", "fasttext", *DOCUMENTS}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_model(name, tmp_path, capsys):
    write, extension = WRITERS[name]
    path, model = tmp_path / f"a{extension}", tmp_path / "m"
    write(path, TABLE)
    words = ["--label", "churned", "--category", "city", "-q"]
    assert main(["train", str(path), "-o", str(model), *words]) == 0
    labels = [row["churned"] for row in TABLE]
    features = [{k: v for k, v in row.items() if k != "churned"} for row in TABLE]
    clf = hl.TableClassifier().fit(features, labels)
    loaded = hl.load(model)
    assert loaded.kinds_ == clf.kinds_
    assert (loaded.decision_function(features) == clf.decision_function(features)).all()
    capsys.readouterr()
    assert main(["predict", str(model), str(path)]) == 0
    assert capsys.readouterr().out.split()[::2] == clf.predict(features).tolist()


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl"])
def test_standard_input_and_compressed_files(name, tmp_path, stdin, capsys):
    write, extension = WRITERS[name]
    path, model = tmp_path / f"a{extension}", str(tmp_path / "m")
    write(path, TABLE)
    packed = tmp_path / f"b{extension}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    words = ["--label", "churned", "--number", "age", "-q"]
    assert main(["train", str(packed), "-o", model, *words]) == 0
    capsys.readouterr()
    assert main(["predict", model, str(path)]) == 0
    out = capsys.readouterr().out
    stdin(path.read_bytes())
    assert main(["predict", model, "-"]) == 0
    assert capsys.readouterr().out == out


def test_several_files_with_their_columns_in_another_order(tmp_path, capsys):
    write = WRITERS["csv"][0]
    write(tmp_path / "a.csv", TABLE[:60])
    write(tmp_path / "b.csv", [dict(reversed(row.items())) for row in TABLE[60:]])
    write(tmp_path / "c.csv", TABLE)
    words = ["--label", "churned", "--number", "age", "-q"]
    found = []
    for names in (["c.csv"], ["a.csv", "b.csv"]):
        paths = [str(tmp_path / name) for name in names]
        assert main(["train", *paths, "-o", str(tmp_path / "m"), *words]) == 0
        found.append(hl.load(tmp_path / "m").decision_function(TABLE).tolist())
    assert found[0] == found[1]
    words = ["--label", "churned", "--text", "notes", "--text", "city", "-q"]
    assert main(["train", *paths, "-o", str(tmp_path / "m"), *words]) == 0
    assert any("city: ghent" in term for term, _ in hl.load(tmp_path / "m").telling_terms(50)["no"])


def test_columns_without_names_are_known_by_number(tmp_path, capsys):
    lines = [",".join(map(str, row.values())) for row in TABLE]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    words = ["train", str(tmp_path / "a.csv"), "-o", str(tmp_path / "m"), "--label", "4", "-q"]
    assert main([*words, "--number", "0"]) == 0
    assert list(hl.load(tmp_path / "m").kinds_) == ["0", "1", "2", "3"]
    assert main(["evaluate", str(tmp_path / "m"), str(tmp_path / "a.csv")]) == 0


def test_names_with_odd_characters(tmp_path, capsys):
    names = ["a = b", "a: b", "Größe", 'q"uote', "a,b", "4"]
    rows = [{name: (k * n) % 7 for n, name in enumerate(names, 1)} for k in range(40)]
    for k, row in enumerate(rows):
        row |= {"a: b": ["x", "y"][k % 2], "label": ["p", "q"][k % 2]}
    WRITERS["csv"][0](tmp_path / "a.csv", rows)
    words = ["--label", "label", "--category", "a: b", "-o", str(tmp_path / "m"), "-q"]
    assert main(["train", str(tmp_path / "a.csv"), *words]) == 0
    assert list(hl.load(tmp_path / "m").kinds_) == names
    assert main(["explain", str(tmp_path / "m"), str(tmp_path / "a.csv"), "--row", "2"]) == 0
    assert "a: b = y" in capsys.readouterr().out


def test_an_arff_with_sparse_rows(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(
        "@relation r\n@attribute n numeric\n@attribute c {x,'y z'}\n@attribute k {u,v}\n@data\n"
        "{0 3, 1 'y z'}\n{2 v}\n{1 ?, 2 v}\n"
    )
    table = open_rows(path, Layout(format="weka", table=True, label="k"), need_label=True)
    found = [(row.fields, row.label) for row in table]
    assert found == [(("3", "y z", "u"), "u"), (("0", "x", "v"), "v"), (("0", "?", "v"), "v")]
