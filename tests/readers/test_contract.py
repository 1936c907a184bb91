"""Every format, found by itself: what is written comes back, whatever it is packed in."""

import bz2
import gzip
import json
import lzma
import subprocess
import sys

import pytest

from hardlimit.exceptions import FileError, HardlimitError, InputError
from hardlimit.readers import Layout, formats, numeric_formats, open_rows
from hardlimit.readers.registry import DOCUMENTS, get_format

ROWS = [("ham", "see you"), ("spam", "win a prize"), ("ham", "na\u00efve caf\u00e9 \u65e5\u672c")]
PACKERS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def as_csv(rows):
    return "label,text\r\n" + "".join(f'{label},"{text}"\r\n' for label, text in rows)


def as_tsv(rows):
    return "".join(f"{label}\t{text}\n" for label, text in rows)


def as_jsonl(rows):
    objects = ({"text": text, "label": label} for label, text in rows)
    return "".join(json.dumps(found, ensure_ascii=False) + "\n" for found in objects)


def as_lines(rows):
    return "".join(f"{text}\n" for _, text in rows)


def as_fasttext(rows):
    return "".join(f"__label__{label} {text}\n" for label, text in rows)


WRITERS = {
    "csv": as_csv, "tsv": as_tsv, "jsonl": as_jsonl, "lines": as_lines, "fasttext": as_fasttext,
}  # fmt: skip
# Whole documents and files that are no text have tests of their own; so has ARFF, whose extension
# is that of tables of numbers.
OWN = {name for name, known in formats().items() if known.takes_path or known.takes_folder}
OWN |= {name for name, known in formats().items() if not known.extensions}
FILES = [name for name in formats() if name not in OWN]
LABELLED = [name for name in FILES if name != "lines"]


def store(folder, name, rows, suffix=""):
    """Write the rows in a format; return the path."""
    if formats()[name].takes_folder:
        for number, (label, text) in enumerate(rows):
            path = folder / label / f"{number}.txt{suffix}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(PACKERS[suffix](text.encode()))
        return folder
    path = folder / f"rows{formats()[name].extensions[0]}{suffix}"
    path.write_bytes(PACKERS[suffix](WRITERS[name](rows).encode()))
    return path


def test_each_format_has_a_writer_here():
    assert set(WRITERS) == set(FILES)


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", [*FILES, "folder"])
def test_rows_come_back(tmp_path, name, suffix):
    need = name != "lines"
    table = open_rows(store(tmp_path, name, ROWS, suffix), need_label=need)
    found = [(row.label, row.text) for row in table]
    if formats()[name].takes_folder:
        found = [(label, text.decode()) for label, text in found]
    wanted = ROWS if need else [(None, text) for _, text in ROWS]
    assert sorted(found) == sorted(wanted)
    assert table.layout.format == name
    assert table.notes() == []


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", FILES)
def test_compression_is_told_by_content_not_by_name(tmp_path, name, suffix):
    path = store(tmp_path, name, ROWS, suffix)
    bare = path.rename(tmp_path / "rows")
    table = open_rows(bare, Layout(format=name), need_label=False)
    assert [row.text for row in table] == [text for _, text in ROWS]


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", FILES)
def test_standard_input(stdin, name, suffix):
    stdin(PACKERS[suffix](WRITERS[name](ROWS).encode()))
    table = open_rows("-", Layout(format=name), need_label=name != "lines")
    assert [row.text for row in table] == [text for _, text in ROWS]
    assert not sys.stdin.buffer.closed


@pytest.mark.parametrize("name", LABELLED)
def test_a_labelled_stream_is_recognised(stdin, name):
    stdin(WRITERS[name](ROWS).encode())
    assert open_rows("-", need_label=True).layout.format == name


@pytest.mark.parametrize("name", [*FILES, "folder"])
def test_the_layout_reads_the_file_again(tmp_path, name):
    path = store(tmp_path, name, ROWS)
    first = open_rows(path, need_label=False)
    rows = list(first)
    again = Layout.from_json(json.loads(json.dumps(first.layout.to_json())))
    assert list(open_rows(path, again, need_label=False)) == rows


@pytest.mark.parametrize("name", LABELLED)
def test_empty_file(tmp_path, name):
    path = store(tmp_path, name, ROWS)
    path.write_bytes(b"")
    for need in (True, False):
        with pytest.raises(InputError, match="the file is empty"):
            list(open_rows(path, need_label=need))


@pytest.mark.parametrize("name", FILES)
def test_nothing_on_standard_input_is_no_rows(stdin, name):
    stdin(b"")
    assert list(open_rows("-", Layout(format=name), need_label=False)) == []


@pytest.mark.parametrize("name", [*FILES, "folder"])
def test_missing_file_suggests_the_nearest(tmp_path, name):
    store(tmp_path, name, ROWS)
    with pytest.raises(FileError, match="no such file"):
        open_rows(tmp_path / "rowz.csv", Layout(format=name), need_label=True)


@pytest.mark.parametrize("name", FILES)
def test_a_folder_where_a_file_is_wanted(tmp_path, name):
    with pytest.raises(FileError, match="is a folder; a file"):
        open_rows(tmp_path, Layout(format=name), need_label=True)


@pytest.mark.parametrize("name", LABELLED)
def test_missing_labels_name_their_lines(tmp_path, name):
    path = store(tmp_path, name, [*ROWS, (" ", "no label"), ("ham", "ok"), (" ", "none either")])
    shift = name == "csv"
    with pytest.raises(
        InputError, match=rf"2 of 6 rows have no label .*line {4 + shift}, {6 + shift}\)"
    ):
        list(open_rows(path, need_label=True))
    assert len(list(open_rows(path, need_label=False))) == 6


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(3))
def test_noise_ends_in_rows_or_in_our_error(write, name, seed):
    import random

    noise = random.Random(seed)
    data = bytes(noise.choice(b'{}",\t\n\r;:x\x00\xff\xe4 1') for _ in range(400))
    path = write("noise", data)
    try:
        list(open_rows(path, Layout(format=name), need_label=False))
    except HardlimitError as error:
        assert path in str(error)


def test_unknown_format():
    with pytest.raises(
        InputError, match="format: got 'xls', wanted one of arrow, csv, eml, fasttext, folder"
    ):
        open_rows("x", Layout(format="xls"), need_label=True)


def test_the_formats_of_documents_are_listed():
    found = {name for name, known in formats().items() if known.takes_folder or known.takes_path}
    assert found - set(DOCUMENTS) == {"arrow", "parquet", "xlsx"}  # tables, with columns
    assert found > set(DOCUMENTS)


def test_a_format_is_in_the_module_of_its_name():
    assert [get_format(name) for name in formats()] == list(formats().values())
    for name in ("numbers", "../csv", "csv.csv", ""):
        with pytest.raises(InputError, match="format: got"):
            get_format(name)


def test_one_message_from_standard_input_imports_one_format():
    code = (
        "import sys; from hardlimit.readers import open_rows, Layout; "
        "list(open_rows('-', need_label=False)); "
        "print([n for n in sys.modules if n.startswith('hardlimit.readers.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, input="hello"
    )
    for other in ("csv", "numbers", "writing", "folder"):
        assert f"'hardlimit.readers.{other}'" not in done.stdout


def test_every_format_says_what_it_is():
    for known in (*formats().values(), *numeric_formats().values()):
        assert known.line


def test_reading_text_needs_no_numpy():
    code = (
        "import sys; import hardlimit.readers, hardlimit.evaluation; "
        "hardlimit.readers.formats(); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
