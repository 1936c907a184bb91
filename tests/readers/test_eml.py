"""Raw mail in files and folders, and on standard input."""

import gzip

import pytest

from hardlimit.exceptions import DataFormatError, FileError, InputError
from hardlimit.mail import MailReader
from hardlimit.readers import Layout, open_rows

MAIL = (
    b"Return-Path: <a@b.org>\nReceived: from x by y\nFrom: a@b.org\nX-Label: %s\n"
    b"Subject: %s\n\nbody of %s\n"
)


def mail(word, label=b"none"):
    return MAIL % (label, word, word)


@pytest.fixture
def folder(tmp_path):
    for name, word in (("ham/1", b"lunch"), ("ham/sub/2", b"noon"), ("spam/1.eml", b"prize")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(mail(word, b"l-" + word))
    return tmp_path


def rows(path, need_label=True, **layout):
    table = open_rows(path, Layout(**layout), need_label=need_label)
    return [(row.fields[0], row.label, row.text) for row in table], table


def test_one_message(write):
    found, table = rows(write("x.eml", mail(b"hello")), need_label=False)
    assert found == [("x.eml", None, "subject__hello\nhello\nbody of hello")]
    assert table.layout.format == "eml"
    assert MailReader.from_json(table.layout.mail).to_json() == table.layout.mail


def test_a_message_on_standard_input(stdin):
    stdin(mail(b"hello"))
    found, _ = rows("-", need_label=False, format="eml")
    assert found[0][2].endswith("body of hello")


LINE = b"From a@b.org Thu Aug 22 12:36:23 2002\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_mailbox_on_standard_input_gives_all_its_messages(stdin, pack):
    stdin(pack(LINE + mail(b"one") + b">From here\n\n" + LINE + mail(b"two")))
    found, table = rows("-", need_label=False, format="eml")
    assert [(path.rpartition(":")[2], text.split("\n")[-1]) for path, _, text in found] == [
        ("1", "From here"), ("2", "body of two")
    ]  # fmt: skip
    assert table.layout.format == "eml"


@pytest.mark.parametrize("first", [LINE, b"From here on\n", b""])
def test_one_message_with_or_without_the_line_of_a_mailbox(stdin, first):
    stdin(first + mail(b"one"))
    found, _ = rows("-", need_label=False, format="eml")
    assert len(found) == 1 and found[0][2].endswith("body of one")


def test_a_folder_of_raw_mail_is_recognised_and_said(folder):
    found, table = rows(folder)
    assert [(path, label) for path, label, _ in found] == [
        ("ham/1", "ham"), ("ham/sub/2", "ham"), ("spam/1.eml", "spam")
    ]  # fmt: skip
    assert found[2][2] == "subject__prize\nprize\nbody of prize"
    assert "raw mail" in table.notes()[0]


def test_a_folder_of_mail_as_texts(folder):
    found, table = rows(folder, mail=False)
    assert found[0][2] == mail(b"lunch", b"l-lunch")
    assert not table.layout.mail and "mail" not in table.layout.to_json()


def test_labels_by_name_header_and_index(folder):
    assert [label for _, label, _ in rows(folder, label_from="name:ham|spam")[0]] == [
        "ham", "ham", "spam"
    ]  # fmt: skip
    assert [label for _, label, _ in rows(folder, label_from="name:/(.)")[0]] == ["1", "s", "1"]
    labels = [label for _, label, _ in rows(folder, label_from="header:x-label")[0]]
    assert labels == ["l-lunch", "l-noon", "l-prize"]
    index = folder.parent / "index" / "full"
    index.parent.mkdir(exist_ok=True)
    index.write_text(f"good ../{folder.name}/ham/1\nbad ../{folder.name}/spam/1.eml\n\n")
    found, table = rows(folder, label_from=f"index:{index}")
    assert [label for _, label, _ in found] == ["good", "bad"]
    assert any("1 document not in the index" in note for note in table.notes())


def test_label_from_is_not_remembered(folder):
    assert "label_from" not in rows(folder, label_from="name:ham|spam")[1].layout.to_json()


def test_a_document_without_a_label_is_named(folder):
    with pytest.raises(DataFormatError, match="spam/1.eml.*no label by 'name:ham'"):
        rows(folder, label_from="name:ham")
    (folder / "beside").write_bytes(mail(b"x"))
    with pytest.raises(DataFormatError, match="beside the class folders"):
        rows(folder)


@pytest.mark.parametrize("wrong", ["nope", "name:", "name:(", "header:", "index:", "folder:x"])
def test_wrong_places_of_labels(folder, wrong):
    with pytest.raises(InputError, match="label_from"):
        rows(folder, label_from=wrong)


def test_a_missing_or_broken_index(folder, tmp_path):
    with pytest.raises(FileError):
        rows(folder, label_from=f"index:{tmp_path}/none")
    (tmp_path / "index").write_text("spam\n")
    with pytest.raises(DataFormatError, match="index:1: expected a label and a path"):
        rows(folder, label_from=f"index:{tmp_path}/index")


@pytest.mark.parametrize("layout", [{"mail": True}, {"label_from": "folder"}])
def test_a_table_has_no_documents(write, layout):
    with pytest.raises(InputError, match=next(iter(layout))):
        rows(write("x.csv", "text,label\na,b\n"), **layout)


def test_what_was_mended_is_said(folder):
    (folder / "ham" / "1").write_bytes(mail(b"caf\xe9"))
    notes = rows(folder)[1]
    for _ in notes:
        pass
    assert any("1 of 3 messages not as the standards want it" in note for note in notes.notes())
