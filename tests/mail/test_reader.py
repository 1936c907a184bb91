"""A message in, its text out: headers, parts, encodings, HTML, marks; and what is mended."""

import base64
import binascii
import pickle
import re

import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError, KindError
from hardlimit.mail import MailReader, read
from hardlimit.mail.parts import PARTS

MULTIPART = b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n"


def text_of(body, kind="text/plain", encoding="", parts=("body",), **settings):
    head = f"Subject: s\nContent-Type: {kind}\n"
    head += f"Content-Transfer-Encoding: {encoding}\n" if encoding else ""
    data = body.encode() if isinstance(body, str) else body
    return read(head.encode() + b"\n" + data, parts=parts, **settings)


def marks_of(message, *parts, **settings):
    return read(message, parts=parts, **settings).split()


def test_a_message_becomes_words_and_marks():
    message = (
        b"Subject: Free prize\nFrom: A <a@mail.example.org>\n\nSee http://win.example.com/x now"
    )
    assert read(message).split("\n") == [
        "subject__Free subject__prize",
        "Free prize",
        "See now",
        "link__com link__example_com link__win_example_com",
    ]


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        ("=?utf-8?q?Caf=C3=A9_noir?=", "Café noir"),
        ("=?UTF-8?B?Q2Fmw6k=?= =?UTF-8?B?IG5vaXI=?=", "Café noir"),
        ("=?utf-8?b?ww==?= =?utf-8?b?qQ==?= x", "é x"),
        ("=?koi8-r?B?89DBzQ==?=", "Спам"),
        ("=?utf-8*en?q?a=20b?= c", "a b c"),
        ("folded\n  over lines", "folded over lines"),
        ("=?unknown", "=?unknown"),
        ("a =?x?y?z?= b", "a =?x?y?z?= b"),
        ("caf\xe9", "café"),
    ],
)
def test_subjects_are_decoded(field, wanted):
    data = b"From: a@b\nSubject: " + field.encode("latin-1") + b"\n\n"
    assert read(data, parts=["subject"]) == wanted


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("utf-8", "utf-8"), ("UTF8", "utf-8"), ("iso-8859-1", "cp1252"), ("windows-1251", "cp1251"),
        ("KOI8-R", "koi8-r"), ("gb2312", "gb2312"), ("big5", "big5"), ("euc-kr", "euc-kr"),
        ("shift_jis", "shift_jis"), ("iso-2022-jp", "iso2022_jp"), ("utf-16", "utf-16"),
        ("iso-8859-2", "iso8859-2"), ('"windows-1252"', "cp1252"),
    ],
)  # fmt: skip
def test_charsets(charset, codec):
    wanted = {"cp1251": "Спам", "koi8-r": "Спам", "gb2312": "中文", "big5": "中文"}
    wanted |= {"euc-kr": "한국", "shift_jis": "日本", "iso2022_jp": "日本", "iso8859-2": "łódź"}
    text = wanted.get(codec, "café déjà")
    data = base64.b64encode(text.encode(codec))
    assert text_of(data, f"text/plain; charset={charset}", "base64") == text


@pytest.mark.parametrize(
    ("encoding", "body", "wanted"),
    [
        ("quoted-printable", "caf=C3=A9 a=\nb =\n c =3D", "café ab c ="),
        ("quoted-printable", "bad =ZZ and = ", "bad =ZZ and"),
        ("base64", base64.b64encode(b"one two").decode(), "one two"),
        ("base64", "b25l\n*IHR3 bw==", "one two"),
        ("base64", "b25l==\nIHR3bw", "one two"),
        ("7bit", "as it is", "as it is"),
        ("x-own", "as it is", "as it is"),
    ],
)
def test_transfer_encodings(encoding, body, wanted):
    assert text_of(body, encoding=encoding) == wanted


def test_all_text_parts_are_read_and_others_are_marked():
    message = b"""From: a@b
Content-Type: multipart/mixed; boundary="one"

ignored
--one
Content-Type: multipart/alternative; boundary=two

--two

plain text
--two
Content-Type: text/html

<p>rich <b>te</b>xt</p>
--two--
--one
Content-Type: image/gif; name="x.gif"
Content-Transfer-Encoding: base64

AAAA
--one
Content-Type: application/octet-stream
Content-Disposition: attachment; filename*0*=utf-8''report%2e; filename*1="PDF"

xx
--one
Content-Type: message/rfc822

Subject: inside
From: c@d

nested text
--one--
ignored too
"""
    assert read(message, parts=["body"]).split("\n") == ["plain text", "rich text", "nested text"]
    assert marks_of(message, "attachments") == [
        "attachment__image_gif", "extension__gif",
        "attachment__application_octet_stream", "extension__pdf",
    ]  # fmt: skip
    assert "type__multipart_alternative" in marks_of(message, "type")
    assert marks_of(message, "subject") == ["inside"]


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p>one</p><p>two", "one two"),
        ("V<b></b>ia<!-- x -->gra <br>now", "Viagra now"),
        ("a &amp; b &lt;c&gt; &#233;&#xe9; &eacute; &nope; &", "a & b <c> éé é &nope; &"),
        ("<script>if (a<b) x()</script>seen<style>p {}</style>", "seen"),
        ("<title>Title</title><body>text", "Title text"),
        ("3 < 4 and <5", "3 < 4 and <5"),
        ("<a href='x>y'>link</a>", "link"),
        ('<a href="never closed>seen</a>', "seen"),
        ("before <!-- never closed", "before"),
        ("<span style='display: none'>unseen <span>x</span> y</span>seen", "seen"),
        ("<font size=0>unseen</font>seen", "seen"),
        ("<p style='FONT-SIZE: 0px;'>unseen</p>seen", "seen"),
        ("<font color=#FFFFFF>unseen</font>seen", "seen"),
        ("<td bgcolor=navy><font color=white>seen</font>", "seen"),
        ("<p style='background-color:#fff;color:red'>seen", "seen"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
    ],
)
def test_html_is_what_is_seen(html, wanted):
    assert text_of(html, "text/html; charset=utf-8") == wanted


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("see http://a.b/c?d=e#f, now", "see , now"),
        ("www.example.com/x and WWW.x", "and"),
        ("write to <some.body+x@example.org>.", "write to < >."),
        ("mailto:a@b.c ftp://x", ""),
        ("3 @ home, a: b, w3 wwww.x 12:30", "3 @ home, a: b, w3 wwww.x 12:30"),
        ("http://example.com/中文", "中文"),
        ("a\n-- \nSome Body", "a"),
        ("a\n--\nSome Body", "a"),
        ("a\n---\nb\n--c\n", "a\n---\nb\n--c"),
    ],
)
def test_addresses_and_signatures_are_no_words(body, wanted):
    assert text_of(body, "text/plain; charset=utf-8") == wanted
    whole = text_of(body, "text/plain; charset=utf-8", parts=["body", "addresses", "signature"])
    assert whole.split() == body.split()


def test_html_that_is_sent_as_plain_text_is_html():
    assert text_of("\n<HTML><body><p>seen") == "seen"


def test_html_marks():
    html = (
        '<a href="http://www.ebay.com@10.0.0.1/x">a</a> <a href=mailto:x@shop.example.org>b</a>'
        '<img src="cid:1"><img src=https://img.example.net:80/a.gif>'
        "<div style=display:none>words</div>"
    )
    assert text_of(html, "text/html", parts=["links"]).split() == [
        "link__user", "link__number", "link__mailto", "link__org", "link__example_org",
        "link__shop_example_org",
    ]  # fmt: skip
    assert text_of(html, "text/html", parts=["images"]).split() == [
        "image__inside", "image__remote", "image__net", "image__example_net",
        "image__img_example_net",
    ]  # fmt: skip
    assert text_of(html, "text/html", parts=["hidden"]) == "hidden__text"
    assert "display" in text_of(html, "text/html", parts=["body", "markup"])


def test_marks_are_one_word_each_and_no_word_of_a_text_is_one():
    message = (
        "Subject: a__b subject__free ________\uff3f\uff3f x\uff3f_y\nFrom: x@a__b.example.org\n\n"
        "link__example_com _ __init__ ___ \u200b_\u200b_ http://x_y--z.example.com/"
    ).encode()
    marks = {m for m in read(message, parts=list(PARTS)).split() if "__" in m}
    assert marks
    assert all(re.fullmatch(r"(?u)\b\w\w+\b", mark) for mark in marks)
    words = read(message, parts=["subject", "body", "addresses", "signature"])
    assert "__" not in words and " init " in words
    for form in ("NFKD", "NFKC"):
        assert "__" not in __import__("unicodedata").normalize(form, words)


def test_what_tells_where_a_mail_comes_from_is_left_out_unless_asked_for():
    message = (
        b"Received: from host\nX-Spam-Status: Yes\nList-Id: <ilug.linux.ie>\nX-Mailer: Outlook\n"
        b"From: a@host.example.org\nPrecedence: bulk\nSubject: Re: [ILUG] *****SPAM***** hello\n\n"
        b"body\n_______________________________\nIlug mailing list\nhttp://x.y/listinfo/ilug\n"
    )
    plain = read(message)
    assert plain.split() == ["subject__hello", "hello", "body"]
    assert marks_of(message, "from") == ["from__org", "from__example_org", "from__host_example_org"]
    assert marks_of(message, "list") == ["list__ilug_linux_ie", "precedence__bulk"]
    assert marks_of(message, headers=["X-Mailer"]) == ["x_mailer__Outlook"]
    everything = marks_of(message, headers="*")
    assert "x_mailer__Outlook" in everything
    assert not [m for m in everything if m.startswith(("x_spam", "received"))]
    kept = read(message, keep_labels=True, headers=["x-spam-status"])
    for word in ("ILUG", "SPAM", "Ilug mailing list", "x_spam_status__Yes"):
        assert word in kept
    with pytest.raises(InputError, match="gives the label away"):
        read(message, headers=["x-spam-status"])


@pytest.mark.parametrize(
    ("message", "mended"),
    [
        (b"", {"no_header": 1}),
        (b"no mail at all", {"no_header": 1}),
        (b"Note: a list\nof things", {"no_header": 1}),
        (b"From: a@b\nSubject: x\nno empty line", {"header_without_end": 1}),
        (b"From: a@b\nContent-Type: multipart/mixed\n\nx", {"missing_boundary": 1}),
        (MULTIPART + b"--b\n\nx", {"unclosed_multipart": 1}),
        (b"From: a@b\nContent-Transfer-Encoding: base64\n\n!!!", {"bad_transfer_encoding": 1}),
        (b"From: a@b\n\n\xe9t\xe9", {"guessed_charset": 1}),
        (
            b"From: a@b\nContent-Type: text/plain; charset=x\n\n\xe9",
            {"unknown_charset": 1, "guessed_charset": 1},
        ),
        (b"From: a@b\nContent-Type: text/plain; charset=utf-8\n\n\xe9", {"replaced_characters": 1}),
        (b"From: a@b\n\n\0\0x", {"null_bytes": 2}),
        (b"From: a@b\nContent-Type: text/html\n\n<!-- x", {"unclosed_html": 1}),
        (b"From: a@b\n\nfine", {}),
        (b"From: a@b\nSubject: header only", {}),
    ],
)  # fmt: skip
def test_what_is_mended_is_counted(message, mended):
    reader = MailReader()
    reader.read(message)
    assert dict(reader.tally_) == mended
    assert reader.tally_.messages == 1
    assert len(reader.tally_.sentences()) == len(mended)


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        ("cut_message", {"max_bytes": 30}, b"From: a@b\n\n" + b"x" * 100),
        ("long_header", {"max_header": 30}, b"From: a@b\nSubject: " + b"x" * 100 + b"\n\nbody"),
        ("long_text", {"max_text": 30}, b"From: a@b\n\n" + b"x" * 100),
        (
            "too_many_parts",
            {"max_parts": 3},
            b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 9,
        ),
        (
            "too_deep",
            {"max_depth": 2},
            b"From: a@b\nContent-Type: message/rfc822\n\n" * 9,
        ),
    ],
)
def test_every_limit_is_kept_and_counted(name, limit, message):
    reader = MailReader(**limit)
    reader.read(message)
    assert reader.tally_[name] == 1
    assert len(reader.read(message)) < 100


@pytest.mark.parametrize(
    "wrong",
    [
        {"parts": ["nope"]}, {"parts": 3}, {"headers": [3]}, {"headers": ["a:b"]},
        {"keep_labels": 1}, {"max_text": 0}, {"max_parts": True}, {"max_bytes": "9"},
        {"max_depth": 101},
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        MailReader(**wrong).fit([])


def test_a_message_is_bytes_or_text():
    assert read("Subject: caf\u00e9\n\n", parts=["subject"]) == "café"
    with pytest.raises(KindError):
        read(3)


def test_a_reader_is_a_transformer_and_comes_back_from_its_json():
    reader = MailReader(parts=["body", "subject"], headers=["X-Mailer"], max_text=1000)
    again = MailReader.from_json(reader.to_json())
    assert again.to_json() == reader.to_json() == pickle.loads(pickle.dumps(reader)).to_json()
    assert again.to_json()["parts"] == ["subject", "body"]
    with pytest.raises(InputError, match="nope"):
        reader.set_params(nope=1)
    messages = [b"Subject: win a prize\n\n", b"Subject: lunch at noon\n\n"] * 3
    texts = MailReader().fit_transform(messages)
    model = hl.TextClassifier().fit(texts, ["spam", "ham"] * 3)
    assert model.predict([read(b"Subject: a prize to win\n\n")])[0] == "spam"


def uuencoded(name, data):
    lines = (binascii.b2a_uu(data[i : i + 45], backtick=True) for i in range(0, len(data), 45))
    return b"begin 644 " + name + b"\n" + b"".join(lines) + b"`\nend\n"


def test_files_uuencoded_within_a_text_are_attachments():
    note = "café offer ".encode() * 30
    body = b"before\n" + uuencoded(b"note.txt", note) + b"between\n"
    body += uuencoded(b"run.EXE", bytes(range(256)) * 20) + b"after\n"
    assert text_of(body).split("\n") == ["before", "between", "after", note.decode().strip()]
    assert marks_of(b"Subject: s\n\n" + body, "attachments") == [
        "attachment__text_plain", "extension__txt",
        "attachment__application_octet_stream", "extension__exe",
    ]  # fmt: skip
    page = uuencoded(b"a.html", b"<p>seen<script>x</script></p>" * 3)
    assert text_of(page) == "seen seen seen"
    assert text_of(base64.b64encode(b"x\n" + page), encoding="base64").split()[0] == "x"
    # Blanks at the end of a line may be lost on the way: they stand for zeros.
    assert text_of(uuencoded(b"a.txt", b"abc def\0\0").replace(b"`", b"")) == "abc def"


@pytest.mark.parametrize("encoding", ["x-uuencode", "uuencode", "X-UUE"])
def test_a_text_that_is_uuencoded_as_a_whole(encoding):
    reader = MailReader(parts=["body", "attachments"])
    head = b"Subject: s\nContent-Transfer-Encoding: " + encoding.encode() + b"\n\n"
    assert reader.read(head + uuencoded(b"x", b"all of it " * 20)) == ("all of it " * 20).strip()
    assert reader.read(head + b"as it is") == "as it is"
    assert dict(reader.tally_) == {"bad_transfer_encoding": 1}


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 of the day\nWORDS IN CAPITALS\nend",
        "begin 644 x",
        "begin 644 x\n",
        "begin 6 x\n#86)C\nend",
        "begin 64444 x\n#86)C\nend",
        "begin abc x\n#86)C\nend",
        "to begin 644 x\n#86)C\nend",
        "begin 644\n#86)C\nend",
    ],
)
def test_words_that_look_like_uuencode_stay_words(text):
    assert text_of(text) == text.strip()


def test_uuencode_without_an_end_goes_as_far_as_it_goes():
    reader = MailReader(parts=["body", "attachments"])
    body = uuencoded(b"a.txt", b"x y z " * 20).removesuffix(b"`\nend\n")
    found = reader.read(b"Subject: s\n\n" + body + b"Words again\n")
    assert found.split("\n")[:2] == ["Words again", ("x y z " * 20).strip()]
    assert dict(reader.tally_) == {"bad_transfer_encoding": 1}


def test_a_text_behind_a_long_uuencoded_file_is_read():
    body = b"before\n" + uuencoded(b"a.zip", bytes(range(256)) * 8000) + b"after\n"
    reader = MailReader(parts=["body"])
    assert reader.read(b"Subject: s\n\n" + body) == "before\nafter"
    assert not dict(reader.tally_)
    text = uuencoded(b"a.txt", b"word " * 300_000)
    assert len(reader.read(b"Subject: s\n\n" + text)) <= reader.max_text
    assert dict(reader.tally_) == {"long_text": 1}


def test_parts_of_a_digest_are_messages_unless_they_say_otherwise():
    message = b"""From: a@b
Content-Type: multipart/digest; boundary=b

--b

From: c@d
Subject: one

first
--b
From: e@f
Subject: two

second
--b
Content-Type: text/plain

Subject: no header
--b--
"""
    assert read(message, parts=["subject", "body"]).split("\n") == [
        "one", "first", "two", "second", "Subject: no header"
    ]  # fmt: skip
    assert read(message.replace(b"digest", b"mixed"), parts=["subject"]) == ""
