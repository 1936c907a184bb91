"""Mailboxes and archives: mbox, Maildir, tar; what is quoted, left out, damaged or hostile."""

import bz2
import gzip
import io
import lzma
import tarfile

import pytest

from hardlimit.exceptions import DataFormatError, HardlimitError, InputError
from hardlimit.readers import Layout, open_rows
from hardlimit.readers.mbox import split_messages
from hardlimit.readers.tar import list_members

LINE = "From a@b.org Thu Aug 22 12:36:23 2002\n"
MAIL = "Received: from x by y\nFrom: a@b.org\nX-Label: {label}\nSubject: {word}\n\n{word}\n"
BODY = {"parts": ["body"]}
PACKERS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def mail(word, label="none"):
    return MAIL.format(word=word, label=label)


def rows(path, need_label=True, **layout):
    given = {"mail": BODY, **layout}
    table = open_rows(path, Layout(**given), need_label=need_label)
    return [(row.fields[0], row.label, row.text) for row in table], table


# mbox


def mailbox(*bodies):
    return "".join(LINE + mail("x") + body + "\n\n" for body in bodies)


@pytest.mark.parametrize("suffix", PACKERS)
def test_the_messages_of_a_mailbox(write, suffix):
    data = "".join(LINE + mail(word) + "\n" for word in ("one", "two", "three"))
    path = write(f"spam.mbox{suffix}", PACKERS[suffix](data.encode()))
    found, table = rows(path)
    assert found == [
        (f"spam.mbox{suffix}:1", "spam", "one"),
        (f"spam.mbox{suffix}:2", "spam", "two"),
        (f"spam.mbox{suffix}:3", "spam", "three"),
    ]
    assert table.layout.format == "mbox"


def test_a_mailbox_without_extension_is_recognised(write):
    found, table = rows(write("inbox", mailbox("a", "b")))
    assert len(found) == 2 and table.layout.format == "mbox"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (">From here on", "x\nFrom here on"),
        (">>From here on", "x\n>From here on"),
        ("a\nFrom here on", "x\na\nFrom here on"),
        ("\nFrom here on", "x\nFrom here on"),
        ("a\n" + LINE.strip(), "x\na\n" + LINE.strip()),
        ("> From", "x\n> From"),
    ],
)
def test_lines_that_begin_with_from(write, body, wanted):
    parts = {"parts": ["body", "addresses"]}
    found, _ = rows(write("a.mbox", mailbox(body, "last")), mail=parts)
    assert [text for _, _, text in found] == [wanted, "x\nlast"]


def measured(body, length=None):
    length = len(body) if length is None else length
    return f"{LINE}From: a@b.org\nContent-Length: {length}\n\n{body}\n"


PARTS = {"parts": ["body", "addresses"]}
INSIDE = "x\n\n" + LINE + "yes\n"


def test_a_length_keeps_lines_that_separate_nothing(write):
    data = measured(INSIDE) + measured(">From here\n") + measured(INSIDE).rstrip("\n") + "\n"
    found, _ = rows(write("a.mbox", data), mail=PARTS)
    assert [text for _, _, text in found] == [
        INSIDE.strip().replace("\n\n", "\n"),
        "From here",
        INSIDE.strip().replace("\n\n", "\n"),
    ]
    # Nothing is taken off where lines are not quoted.
    body = INSIDE + ">From here\n"
    found, _ = rows(write("b.mbox", measured(body) + measured("z\n")), mail=PARTS)
    assert found[0][2].endswith("\n>From here") and found[1][2] == "z"


@pytest.mark.parametrize("length", [0, 1, 5, len(INSIDE) - 2, len(INSIDE) + 2, 10**6, 10**9, "x"])
def test_a_wrong_length_changes_nothing(write, length):
    data = measured(INSIDE, length) + measured("z\n") + mailbox("last")
    found, _ = rows(write("a.mbox", data), mail=PARTS)
    assert [text for _, _, text in found] == ["x", "yes", "z", "x\nlast"]


def test_the_first_wrong_length_ends_the_belief(write):
    cut = measured("a\n", 2).partition("\n\n")[0]  # a header that never ends: nothing is measured
    found, _ = rows(write("cut.mbox", cut + "\n\n" + measured("b\n")), mail=PARTS)
    assert [text for _, _, text in found] == ["", "b"]
    data = measured("a\n", 99) + measured(INSIDE) + mailbox("last")
    assert [text for _, _, text in rows(write("a.mbox", data), mail=PARTS)[0]] == [
        "a", "x", "yes", "x\nlast"
    ]  # fmt: skip


def test_wrong_lengths_cost_linear_time():
    read = []

    class Counting(io.BytesIO):
        def readline(self, size=-1):
            line = super().readline(size)
            read.append(len(line))
            return line

    data = measured("a\n", 10**6).encode() * 2000
    assert len(list(split_messages(Counting(data), 1 << 24))) == 2000
    assert sum(read) == len(data)


def test_line_ends_of_windows_and_what_a_server_keeps(write):
    internal = "X-IMAP: 1 2\nSubject: FOLDER INTERNAL DATA\n\nDON'T DELETE\n\n"
    data = (LINE + internal + mailbox("a", "b")).replace("\n", "\r\n")
    assert [text for _, _, text in rows(write("a.mbox", data))[0]] == ["x\na", "x\nb"]


def test_a_long_message_does_not_end_the_next(write):
    data = LINE + mail("one") + "y" * 300_000 + "\n\n" + LINE + mail("two")
    found, _ = rows(write("a.mbox", data), mail={"parts": ["body"], "max_bytes": 200})
    assert found[1][2] == "two" and len(found[0][2]) < 200


def test_several_mailboxes_are_several_classes(write):
    paths = [write("spam.mbox", mailbox("a")), write("ham.mbox", mailbox("b"))]
    assert [label for _, label, _ in rows(paths)[0]] == ["spam", "ham"]


def test_mailboxes_in_a_folder(tmp_path, write):
    write("spam.mbox", mailbox("a", "b"))
    (tmp_path / "ham").mkdir()
    (tmp_path / "ham" / "old").write_text(mailbox("c", "d"))
    (tmp_path / "ham" / "1.eml").write_text(mail("e"))
    found, _ = rows(tmp_path)
    assert [(path, label) for path, label, _ in found] == [
        ("ham/1.eml", "ham"), ("ham/old:1", "ham"), ("ham/old:2", "ham"),
        ("spam.mbox:1", "spam"), ("spam.mbox:2", "spam"),
    ]  # fmt: skip


def test_documents_without_a_label_are_named_or_left_out(write):
    path = write("a.tar", archive([("spam/1", b"x"), ("summary", b"y")]))
    found, table = rows(path, label_from="name:^spam", skip_bad=True, mail=False)
    assert len(found) == 1 and "1 bad row was left out" in table.notes()[0]
    with pytest.raises(DataFormatError, match=r"a\.tar/summary: no label by"):
        rows(path, label_from="name:^spam", mail=False)
    box = write("box.mbox", mailbox("a"))
    with pytest.raises(DataFormatError, match=rf"{box}:1: no label by"):
        rows(box, label_from="name:^spam")


# Maildir


@pytest.fixture
def maildir(tmp_path):
    root = tmp_path / "Maildir"
    for path, word in (
        ("cur/1:2,S", "inbox"), ("new/2", "fresh"), ("tmp/3", "unfinished"), ("cur/4:2,ST", "gone"),
        ("cur/5:2,D", "draft"), (".Spam/cur/6:2,", "spam"), (".Spam/new/7", "more"),
        ("dovecot.index", "no mail"),
    ):  # fmt: skip
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(mail(word, "label-" + word))
    (root / ".Spam" / "tmp").mkdir()
    return root


def test_a_maildir_and_its_folders(maildir):
    found, table = rows(maildir)
    assert sorted(found) == [
        (".Spam/cur/6:2,", "Spam", "spam"), (".Spam/new/7", "Spam", "more"),
        ("cur/1:2,S", "INBOX", "inbox"), ("new/2", "INBOX", "fresh"),
    ]  # fmt: skip
    assert table.layout.format == "maildir"
    assert "2 drafts and deleted messages left out" in table.notes()[0]


def test_labels_of_a_maildir_from_elsewhere(maildir):
    assert {label for _, label, _ in rows(maildir, label_from="header:X-Label")[0]} == {
        "label-inbox", "label-fresh", "label-spam", "label-more"
    }  # fmt: skip
    assert {label for _, label, _ in rows(maildir, label_from="name:cur|new")[0]} == {"cur", "new"}


def test_a_folder_of_maildirs(tmp_path, maildir):
    (maildir / ".Spam").rename(tmp_path / "both")
    (maildir / "dovecot.index").unlink()
    maildir.rename(tmp_path / "ham")
    (tmp_path / "both").rename(tmp_path / "spam")
    found, table = rows(tmp_path)
    assert table.layout.format == "maildir"
    assert {(label, text) for _, label, text in found} == {
        ("ham", "inbox"), ("ham", "fresh"), ("spam", "spam"), ("spam", "more")
    }  # fmt: skip


def test_an_empty_maildir(tmp_path):
    for box in ("cur", "new"):
        (tmp_path / box).mkdir()
    with pytest.raises(DataFormatError, match="no messages"):
        rows(tmp_path)


# tar


def archive(members, format=tarfile.PAX_FORMAT):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=format) as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return data.getvalue()


LONG = "/".join(["ham", "x" * 90, "y" * 90, "z" * 120])


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_the_members_of_an_archive(write, suffix, format):
    names = ["ham/1", LONG, "./spam/caf\u00e9", "/spam/../2", "ham/.hidden"]
    data = archive([(name, mail(str(n)).encode()) for n, name in enumerate(names)], format)
    found, table = rows(write(f"mails.tar{suffix}", PACKERS[suffix](data)))
    assert found == [
        ("ham/1", "ham", "0"), (LONG, "ham", "1"), ("spam/caf\u00e9", "spam", "2"),
        ("spam/2", "spam", "3"),
    ]  # fmt: skip
    assert table.layout.format == "tar"


def test_mail_and_texts_in_archives_are_told_apart(write):
    path = write("a.tgz", gzip.compress(archive([("ham/1", mail("x").encode())])))
    assert rows(path, mail=None)[0][0][2] == "x\nx"
    assert rows(path, mail=False)[0][0][2] == mail("x").encode()
    found, table = rows(write("b.tar", archive([("ham/1", b"text")] * 30)), mail=None)
    assert len(found) == 30 and found[0][2] == b"text" and table.layout.mail is None


def test_links_are_left_out(write):
    path = write("a.tar", archive([("ham/1", b"x"), ("ham/2", None)]))
    found, table = rows(path, mail=False)
    assert len(found) == 1 and "(first 'ham/2')" in table.notes()[0]


def test_an_index_finds_members_by_their_ends(write):
    data = archive([("trec/data/1", b"x"), ("trec/data/2", b"y"), ("trec/full/index", b"")])
    index = write("index", "spam ../data/1\nham ../data/2\n")
    found, table = rows(write("a.tar", data), mail=False, label_from=f"index:{index}")
    assert [label for _, label, _ in found] == ["spam", "ham"]
    assert "1 document not in the index" in table.notes()[-1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x" * 600, "not a tar archive"),
        (archive([("ham/1", b"x" * 5000)])[:3000], "cut off"),
        (archive([("ham/1", b"x")])[:300], "cut off"),
        (archive([]), "no files"),
    ],
)
def test_damaged_archives(write, data, said):
    with pytest.raises(DataFormatError, match=said):
        rows(write("a.tar", data), mail=False)


def huge(kind, size=1 << 40):
    """A header that claims terabytes."""
    header = bytearray(archive([("ham/1", b"")])[:512])
    header[124:136] = b"\x80" + size.to_bytes(11, "big")
    header[156:157] = kind
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    return bytes(header)


@pytest.mark.parametrize("kind", [b"0", b"L", b"x", b"g", b"K", b"S", b"5"])
def test_a_member_that_claims_terabytes_takes_no_memory(kind):
    with pytest.raises(DataFormatError, match="cut off"):
        list(list_members(io.BytesIO(huge(kind) + b"x" * 1024), "a.tar", 100))


def test_many_long_names_before_a_member():
    name = archive([(LONG, b"x")], tarfile.GNU_FORMAT)
    data = name[:1024] * 5000 + name
    assert [member.name for member in list_members(io.BytesIO(data), "a", 10)] == [LONG]


@pytest.mark.parametrize("seed", range(30))
def test_changed_archives_end_in_rows_or_in_our_error(write, seed):
    import random

    noise = random.Random(seed)
    data = bytearray(archive([(LONG, b"x" * 700), ("ham/2", b"y"), ("ham/3", None)]))
    for _ in range(20):
        data[noise.randrange(len(data))] = noise.randrange(256)
    try:
        rows(write("a.tar", bytes(data)), mail=False)
    except HardlimitError as error:
        assert "a.tar" in str(error)


def test_a_mailbox_on_standard_input_has_no_name_for_a_label(monkeypatch):
    given = b"From a@b.org Thu Aug 22 12:36:23 2002\nFrom: a@b\nX-Label: ham\n\nhello\n"
    for words, labels in (({"label_from": "header:X-Label"}, ["ham"]), ({}, None)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        layout = Layout(format="mbox", mail={"keep_labels": True}, **words)
        if labels is not None:
            with open_rows("-", layout, need_label=True) as table:
                assert [row.label for row in table] == labels
        else:
            with pytest.raises(InputError, match="standard input has none"):
                open_rows("-", layout, need_label=True)
            with open_rows("-", layout, need_label=False) as table:
                assert len([*table]) == 1
