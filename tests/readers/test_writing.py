import bz2
import codecs
import gzip
import io
import json
import lzma
import os
import stat

import pytest

from hardlimit.exceptions import FileError, InputError
from hardlimit.readers import Layout, open_rows, write_rows
from hardlimit.readers.writing import find_free_names

CSV = 'id,text,label\n1,"a, ""b""\nc",x\n2,d,y\n'


def scored(path, target, extra=("label", "score"), values=("spam", 0.5), layout=None):
    with open_rows(path, layout, need_label=False) as table:
        return write_rows(target, table, extra, ((row, values) for row in table))


def test_csv_keeps_the_other_columns(write, tmp_path):
    out = tmp_path / "scored.csv"
    assert scored(write("x.csv", CSV), out) == ("predicted_label", "score")
    assert out.read_text() == (
        'id,text,label,predicted_label,score\n1,"a, ""b""\nc",x,spam,0.5\n2,d,y,spam,0.5\n'
    )
    assert os.listdir(tmp_path).count("scored.csv") == 1
    assert sorted(os.listdir(tmp_path)) == ["scored.csv", "x.csv"]


def test_excels_csv_stays_excels(write, tmp_path):
    data = codecs.BOM_UTF8 + "text;label\r\na,\u00e9;x\r\n".encode()
    scored(write("x.csv", data), tmp_path / "out.csv")
    wanted = "\ufefftext;label;predicted_label;score\r\na,\u00e9;x;spam;0.5\r\n"
    assert (tmp_path / "out.csv").read_bytes() == wanted.encode()


def test_cp1252_becomes_marked_utf_8(write, tmp_path):
    scored(write("x.csv", "text;label\r\n\u20ac;x\r\n".encode("cp1252")), tmp_path / "out.csv")
    with open_rows(tmp_path / "out.csv", need_label=True) as table:
        assert [row.text for row in table] == ["\u20ac"]
        assert table.source.marked


def test_without_a_header_there_is_none(write, tmp_path):
    scored(write("x.tsv", "ham\ta\nham\tb\nspam\tc\n"), tmp_path / "out.tsv", values=("s", 1.0))
    assert (tmp_path / "out.tsv").read_text() == "ham\ta\ts\t1.0\nham\tb\ts\t1.0\nspam\tc\ts\t1.0\n"


def test_tsv_refuses_what_it_cannot_hold(write, tmp_path):
    out = tmp_path / "out.tsv"
    out.write_text("old")
    with pytest.raises(
        InputError, match=r"x\.csv:2: a TSV cannot hold a field with a tab or a line break"
    ):
        scored(write("x.csv", CSV), out)
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["out.tsv", "x.csv"]


def test_tsv_with_quoting_stays_so(write, tmp_path):
    path = write("x.tsv", 'text\tlabel\n"a\tb"\tx\n')
    scored(path, tmp_path / "out.tsv", layout=Layout(quoting=True))
    assert (tmp_path / "out.tsv").read_text().splitlines()[1] == '"a\tb"\tx\tspam\t0.5'


def test_csv_without_quoting_stays_so(write, tmp_path):
    path = write("x.csv", 'text,label\n"a,x\n')
    scored(path, tmp_path / "out.csv", layout=Layout(quoting=False))
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == '"a,x,spam,0.5'


def test_jsonl_keeps_kinds_and_late_keys(write, tmp_path):
    lines = ['{"text": "a\\ud800", "label": true}', '{"text": "\u00e9", "score": [1]}']
    out = tmp_path / "out.jsonl"
    with open_rows(write("x.jsonl", "\n".join(lines)), need_label=False) as table:
        write_rows(out, table, ["label", "score"], ((row, [False, 0.1]) for row in table))
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert found == [
        {"text": "a\ud800", "label": True, "predicted_label": False, "predicted_score": 0.1},
        {"text": "\u00e9", "score": [1], "predicted_label": False, "predicted_score": 0.1},
    ]


def test_a_key_that_comes_late_is_not_overwritten(write, tmp_path):
    lines = ['{"text": "a"}'] * 60 + ['{"text": "b", "score": 1}']
    scored(write("x.jsonl", "\n".join(lines)), tmp_path / "out.jsonl")
    last = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[-1])
    assert last == {"text": "b", "score": 1, "label": "spam", "predicted_score": 0.5}
    with pytest.raises(InputError, match=r"x\.jsonl:61: the key 'score' was not in the first rows"):
        scored(write("x.jsonl", "\n".join(lines)), tmp_path / "out.csv", extra=("label", "s"))


@pytest.mark.parametrize(("name", "header"), [("x.csv", True), ("x.jsonl", None), ("x.txt", None)])
@pytest.mark.parametrize("out", ["out.csv", "out.tsv", "out.jsonl"])
def test_from_every_format_into_every_other(write, tmp_path, name, header, out):
    data = {"x.csv": "text\na\n", "x.jsonl": '{"text": "a"}\n', "x.txt": "a\n"}[name]
    scored(write(name, data), tmp_path / out)
    with open_rows(tmp_path / out, need_label=True) as table:
        (row,) = table
    assert (row.text, row.label) == ("a", "spam")


def test_folder_gives_paths(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.txt").write_text("a")
    scored(tmp_path / "in", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "path,label,score\n1.txt,spam,0.5\n"


def test_to_a_stream(write):
    out = io.StringIO()
    scored(write("x.csv", CSV), out)
    assert out.getvalue().startswith("id,text,label,predicted_label,score\n1,")


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)],
)
def test_packed_by_extension(write, tmp_path, suffix, unpack):
    out = tmp_path / f"out.csv{suffix}"
    scored(write("x.csv", CSV), out)
    assert unpack(out.read_bytes()).startswith(b"id,text,label,predicted_label")


def test_in_place(write):
    path = write("x.csv", "text,label\na,x\n")
    scored(path, path)
    with open(path) as file:
        assert file.read() == "text,label,predicted_label,score\na,x,spam,0.5\n"


def test_a_failure_leaves_the_old_file(write, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old")
    path = write("x.csv", "text,label\na,x\n" * 300 + '"')
    with pytest.raises(InputError, match="opened and never closed"):
        scored(path, out)
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "x.csv"]


def test_mode_and_link_are_kept(write, tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    scored(write("x.csv", CSV), link)
    assert link.is_symlink() and real.read_text().startswith("id,")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("/nowhere/out.csv", "'/nowhere' does not exist"),
        ("{}", "cannot be written: it is a folder"),
    ],
)
def test_unwritable(write, tmp_path, target, wanted):
    (tmp_path / "dir.csv").mkdir()
    target = target.format(tmp_path / "dir.csv")
    with pytest.raises(FileError, match=wanted):
        scored(write("x.csv", CSV), target)
    assert sorted(os.listdir(tmp_path)) == ["dir.csv", "x.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_full_disk(write):
    with pytest.raises(FileError, match=r"cannot be written: No space left"):
        scored(write("x.csv", CSV), "/dev/full", extra=(), values=())


def test_an_extension_that_is_none_of_ours(write):
    with pytest.raises(
        InputError, match=r"out\.ods: got '\.ods', wanted one of \.csv, \.tsv, \.jsonl, \.xlsx"
    ):
        scored(write("x.csv", CSV), "out.ods")


def test_free_names():
    assert find_free_names(["label", "predicted_label"], ["label", "label"]) == (
        "predicted_label_2",
        "predicted_label_3",
    )


def test_interrupted(write, tmp_path):
    def rows(table):
        yield next(iter(table)), ["x"]
        raise KeyboardInterrupt

    with open_rows(write("x.csv", CSV), need_label=False) as table:
        with pytest.raises(KeyboardInterrupt):
            write_rows(tmp_path / "out.csv", table, ["n"], rows(table))
    assert os.listdir(tmp_path) == ["x.csv"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_into_a_pipe(write, tmp_path):
    """What is no regular file is written as it is, not replaced."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    scored(write("x.csv", CSV), pipe)
    assert os.read(reading, 1000).startswith(b"id,text,label,predicted_label,score")
    os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
