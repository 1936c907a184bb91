"""Recipes read what the whole files hold, whatever their number, and refuse files that changed."""

import csv
import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from tests.distributed.conftest import messages, rows_of

from hardlimit import readers
from hardlimit.exceptions import DataFormatError, FileError, InputError
from hardlimit.readers import Layout
from hardlimit.sources.cutting import cut_files


def of_shards(shards):
    return [row for shard in shards for row in rows_of(shard)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 50])
def test_shards_are_the_rows_in_their_order(files, n):
    shards, layout = cut_files(files, None, n)
    assert len(shards) == n and all(shard.pieces for shard in shards)
    assert of_shards(shards) == [(t, label) for t, label in messages(400)]
    assert (layout.format, layout.text, layout.label) == ("csv", "text", "label")
    sizes = [sum(1 for _ in rows_of(shard)) for shard in shards]
    assert min(sizes) > 0 and max(sizes) < 3 * 400 / n


def write(path, rows, **more):
    with path.open("w", newline="", encoding=more.pop("encoding", "utf-8")) as file:
        csv.writer(file, **more).writerows(rows)


def test_every_kind_of_file_gives_the_rows_of_its_reader(tmp_path: Path):
    rows = [(t.replace("\t", " "), label) for t, label in messages(60)]
    flat = [(t.replace("\n", " ").replace('"', ""), label) for t, label in rows]
    write(tmp_path / "semicolons.csv", rows, delimiter=";")
    write(tmp_path / "old.csv", [("text", "label"), *flat], encoding="cp1252")
    write(tmp_path / "marked.csv", [("text", "label"), *rows], encoding="utf-8-sig")
    (tmp_path / "tabs.tsv").write_text("".join(f"{label}\t{t}\n" for t, label in flat))
    (tmp_path / "excel.csv").write_text("sep=;\ntext;label\n" + "a b;ham\nc d;spam\n" * 9)
    (tmp_path / "fast.txt").write_text("".join(f"__label__{y} {t}\n" for t, y in flat))
    lines = "".join(json.dumps({"text": t, "label": y}) + "\n" for t, y in rows)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "windows.jsonl").write_text(lines.replace("\n", "\r\n"), newline="")
    for path in sorted(map(str, tmp_path.iterdir())):
        with readers.open_rows(path, None, need_label=True) as table:
            wanted = [(row.text, row.label) for row in table]
        assert of_shards(cut_files([path], None, 1)[0]) == wanted, path
        if "old" not in path and "packed" not in path and "excel" not in path:
            assert of_shards(cut_files([path], None, 5)[0]) == wanted, path


def test_parquet_is_cut_by_row_groups(tmp_path: Path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = messages(90)
    table = arrow.table({"label": [y for _, y in rows], "text": [t for t, _ in rows]})
    path = str(tmp_path / "a.parquet")
    parquet.write_table(table, path, row_group_size=10)
    for n in (1, 2, 5, 9):
        shards, layout = cut_files([path], None, n)
        assert len(shards) == n and of_shards(shards) == rows
        assert layout.format == "parquet"
    assert {piece.group for shard in shards for piece in shard.pieces} == set(range(9))
    with pytest.raises(InputError, match="wanted at most 9"):
        cut_files([path], None, 12)
    assert len({piece.compute_digest() for shard in shards for piece in shard.pieces}) == 9


def test_what_cannot_be_cut_stays_whole(tmp_path: Path):
    paths = []
    for number in range(3):
        path = tmp_path / f"{number}.csv.gz"
        path.write_bytes(gzip.compress(b"text,label\n" + b"a b,ham\nc d,spam\n" * 20))
        paths.append(str(path))
    shards, _ = cut_files(paths, None, 3)
    assert [len(shard.pieces) for shard in shards] == [1, 1, 1]
    with pytest.raises(InputError, match="shards: got 4, wanted at most 3 for these files"):
        cut_files(paths, None, 4)


def test_standard_input_and_missing_files_are_refused(tmp_path: Path):
    with pytest.raises(InputError, match="standard input comes once"):
        cut_files(["-"], None, 2)
    with pytest.raises(Exception, match="no such file"):
        cut_files([str(tmp_path / "none.csv")], None, 2)


def test_a_file_that_changed_is_refused_by_its_bytes(files):
    from dataclasses import replace

    shards, _ = cut_files(files, None, 4)
    piece = shards[1].pieces[0]
    counted = replace(piece, digest=piece.compute_digest())
    assert list(rows_of(counted))
    path = Path(piece.path)
    data = bytearray(path.read_bytes())
    data[piece.begin + 3] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"a.csv, bytes {piece.begin} to .*: .*other bytes"):
        list(rows_of(counted))
    path.write_bytes(data + b"more,ham\n")
    with pytest.raises(InputError, match="changed while it was learnt from"):
        list(rows_of(counted))


def test_a_bad_row_is_named(tmp_path: Path):
    path = tmp_path / "bad.csv"
    path.write_text("text,label\n" + "a b,ham\n" * 50 + "c d,spam,9\n" + "e f,spam\n" * 50)
    with pytest.raises(Exception, match="fields, but"):
        of_shards(cut_files([str(path)], None, 4)[0])


def test_columns_that_are_asked_for(tmp_path: Path):
    path = tmp_path / "named.csv"
    write(path, [("id", "body", "folder"), *((i, t, y) for i, (t, y) in enumerate(messages(40)))])
    shards, _ = cut_files([str(path)], Layout(text="body", label="folder"), 3)
    assert of_shards(shards) == messages(40)


def test_columns_keep_their_names_in_every_part(tmp_path: Path):
    rows = [
        (t.replace("\t", " ").replace("\n", " "), y, str(n))
        for n, (t, y) in enumerate(messages(60))
    ]
    write(tmp_path / "a.csv", [("text", "label", "id"), *rows])
    write(tmp_path / "b.tsv", [("text", "label", "id"), *rows], delimiter="\t")
    for name in ("a.csv", "b.tsv"):
        shards, _ = cut_files([str(tmp_path / name)], None, 4)
        for shard in shards:
            for piece in shard.pieces:
                with piece.open() as table:
                    assert table.columns == ("text", "label", "id")


def test_rows_without_labels_are_rows_where_none_are_needed(tmp_path: Path):
    (tmp_path / "a.csv").write_text("id,text\n" + "".join(f"{n},a b\n" for n in range(20)))
    shards, _ = cut_files([str(tmp_path / "a.csv")], Layout(text="text"), 3, need_label=False)
    assert [row[0] for shard in shards for row in rows_of(shard)] == ["a b"] * 20
    (tmp_path / "none.csv").write_text("id,text\n")
    shards, _ = cut_files([str(tmp_path / "none.csv")], None, 1, need_label=False)
    assert [row for shard in shards for row in rows_of(shard)] == []


def test_errors_of_a_part_name_the_line_of_the_file(tmp_path):
    path = tmp_path / "bad.csv"
    rows = [f'"some\ntext {number}",ham\n' for number in range(300)]
    path.write_text("text,label\n" + "".join(rows) + "a,b,c\n" + "".join(rows[:20]))
    whole = pytest.raises(DataFormatError, lambda: list(readers.open_rows(path, need_label=True)))
    shards, _ = cut_files([path], None, 4)
    found = pytest.raises(DataFormatError, lambda: [list(rows_of(shard)) for shard in shards])
    assert found.value.where == whole.value.where == f"{path}:602:4"


def test_an_empty_file_is_said_as_ever(tmp_path):
    full, empty = tmp_path / "a.csv", tmp_path / "b.csv"
    full.write_text("text,label\n" + "win,spam\nlunch,ham\n" * 20)
    for text in ("", "text,label\n"):
        empty.write_text(text)
        for paths in ([empty], [full, empty]):

            def read(paths=paths):
                return list(readers.open_rows(paths, need_label=True))

            def cut(paths=paths):
                return of_shards(cut_files(paths, None, 2, at_most=True)[0])

            try:
                wanted = [(row.text, row.label) for row in read()]
            except InputError as error:
                with pytest.raises(type(error)) as caught:
                    cut()
                assert str(caught.value) == str(error)
            else:
                assert cut() == wanted


def test_a_file_that_is_gone_is_said(files):
    shards, _ = cut_files(files, None, 2)
    piece = replace(shards[0].pieces[0], digest="0" * 64)
    Path(files[0]).unlink()
    with pytest.raises(FileError, match="no such file"):
        list(rows_of(piece))


def test_names_are_those_of_the_drivers_folder(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shards, _ = cut_files([Path(path).name for path in files], None, 2)
    packed = pickle.dumps(shards)
    assert pickle.loads(packed) == shards
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found = pickle.loads(packed)
    assert of_shards(found) == [(t, label) for t, label in messages(400)]
    assert found[0].pieces[0].path == files[0]
