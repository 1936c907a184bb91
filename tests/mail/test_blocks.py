"""A mail in three texts: what it says, how it is made, and who carried it."""

import random
import time

import pytest

import hardlimit as hl
from benchmarks.hostile_mail import HOSTILE
from hardlimit.mail import MailReader
from hardlimit.mail.parts import BLOCK_PARTS, PARTS

MAIL = b"""\
Return-Path: <a@bad.example.com>
Delivered-To: me@home.example.org
Received: from mx.home.example.org (mx.home.example.org [192.168.1.2]) by pop.home.example.org
 (8.1) with ESMTP id ABC12 for <me@home.example.org>; Mon, 3 Jun 2002 10:00:00 +0200
Received: from dialup12.provider.net (HELO win) (64.12.3.4) by smtp.provider.net with SMTP id XX;
 Mon, 3 Jun 2002 09:00:00 -0500
From: Win <win@shop.example.com>
Reply-To: x@other.example
Message-ID: <12@shop.example.com>
Date: Mon, 3 Jun 2002 09:00:00 -0500
X-Mailer: Outlook Express 5
X-Spam-Status: Yes
X-Account-Key: account5
Subject: FREE $$$ prize!!!
Content-Type: text/html; charset=iso-8859-1

<html><table><tr><td>Click <a href="http://u@64.1.2.3:80/order/now?x=%41">here</a>!</td></tr>
<tr><td>www.win.example.com/buy-it</td></tr></table></html>
"""


def marks_of(message, *parts):
    return MailReader(parts=parts).blocks(message)[1].split()


def with_fields(**fields):
    lines = [f"{name.replace('_', '-')}: {value}\n" for name, value in fields.items()]
    return "".join(["From: a@mail.example.org\n", *lines, "\nx"]).encode()


def test_the_words_are_those_that_people_see():
    assert MailReader(parts=BLOCK_PARTS).blocks(MAIL)[0] == (
        "FREE $$$ prize!!!\nClick here!\nwww.win.example.com/buy-it"
    )


@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ("subject-marks", "subject__FREE subject__prize"),
        ("tags", "h__html h__table h__tr h__td h__a"),  # once each, as they come
        ("type", "type__text_html charset__iso_8859_1"),
        ("reply", "refs__no"),
        ("list-bit", "list__no"),
        ("same-domain", "rt__other rp__other mi__same"),
        ("from", "from__com from__example_com from__shop_example_com"),
        (
            "urls",
            "url__user url__port url__ip url__pct url__query up__order up__now "
            "url__www url__win url__example url__com url__example_com up__buy up__it",
        ),
        (
            "origin",  # the step next to the sender first; numbers and the receiver's names are out
            "ro__from ro__provider ro__net ro__helo ro__win ro__ip ro__ip64 ro__by ro__smtp "
            "ro__provider ro__net ro__with ro__smtp "
            "ro__from ro__mx ro__mx ro__ip ro__private ro__by ro__with ro__esmtp",
        ),
    ],
)
def test_the_marks_of_one_part(part, wanted):
    assert marks_of(MAIL, part) == wanted.split()


def test_the_header_has_words_of_each_field_but_those_of_filters():
    words = MailReader(parts=["header"]).blocks(MAIL)[2].split()
    assert {"received__dialup12", "reply_to__other", "zone__m0500", "x_mailer__Outlook"} <= {*words}
    assert "message_id__shop" in words and "message_id__12" not in words
    # Dates behind the semicolon, the subject, who delivered it, and what filters wrote are out.
    assert not [w for w in words if w.startswith(("x_spam", "x_account", "subject", "delivered"))]
    assert not {"received__Jun", "received__2002", "date__Jun"} & {*words}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("!", "ex1"),
        ("a!!!!!! b?", "ex4 q1"),
        ("> quoted\n>> twice\na > b", "gt1 gt2"),
        ("-- $5 100% #1 * = _ /", "da2 dl1 pc1 ha1 st1 eq1 un1 sl1"),
        ("a,b.c;d:e", ""),
    ],
)
def test_runs_of_punctuation(text, wanted):
    found = marks_of(b"Subject: s\n\n" + text.encode(), "punctuation", "body")
    assert found == [f"pu__{run}" for run in wanted.split()]


@pytest.mark.parametrize(
    ("fields", "part", "wanted"),
    [
        ({"References": "<1@x>"}, "reply", "refs__yes"),
        ({"In_Reply_To": "<1@x>"}, "reply", "refs__yes"),
        ({"List_Id": "<x>"}, "list-bit", "list__yes"),
        ({"Precedence": "bulk"}, "list-bit", "list__yes"),
        ({}, "same-domain", "rt__none rp__none mi__none"),
        ({"Reply_To": "b@example.org"}, "same-domain", "rt__same rp__none mi__none"),
        ({"Reply_To": "b@badexample.org"}, "same-domain", "rt__other rp__none mi__none"),
        ({"Return_Path": "<>"}, "same-domain", "rt__none rp__none mi__none"),
    ],
)
def test_how_a_mail_came(fields, part, wanted):
    assert marks_of(with_fields(**fields), part) == wanted.split()


def test_blocks_differ_from_one_text_in_their_places_only():
    reader = MailReader(parts=["subject", "subject-marks", "from", "type", "links", "body"])
    text, marks, header = reader.blocks(MAIL)
    assert sorted(reader.read(MAIL).split()) == sorted(f"{text} {marks} {header}".split())


def test_a_classifier_learns_from_three_columns():
    reader = MailReader(parts=BLOCK_PARTS)
    good = b"Subject: Re: lunch\nReferences: <1@example.org>\nFrom: b@example.org\n\nAt noon?"
    rows = [reader.blocks(mail) for mail in (MAIL, good, MAIL + b"!", good + b"!")]
    model = hl.TextClassifier(text_columns=["text", "marks", "header"])
    model.fit(rows, ["spam", "ham", "spam", "ham"])
    assert model.predict([reader.blocks(good.replace(b"lunch", b"dinner"))])[0] == "ham"


@pytest.mark.parametrize("seed", range(20))
def test_words_of_ascii_are_those_of_any_text(seed):
    """ASCII without two underscores takes a way of its own; another character leads off it."""
    noise = random.Random(seed)
    text = "".join(noise.choices("ab1_-. \t\x01\x7f@", k=60)).replace("__", "_")
    reader = MailReader(parts=["subject-marks"], keep_labels=True)
    fast, slow = (reader.blocks(f"Subject: x{text}{end}\n\n".encode())[1] for end in (" ", " é"))
    assert fast == slow


@pytest.mark.parametrize(
    "message",
    [b"", b"\n", b"no mail at all", b"From: a@b", b"From: a@b\n\n", b"\xff\xfe: \xff\n\n\xff"],
)
def test_mails_of_a_header_and_of_none(message):
    blocks = MailReader(parts=BLOCK_PARTS).blocks(message)
    assert len(blocks) == 3 and all(isinstance(block, str) for block in blocks)


def test_every_kind_of_mark_has_a_limit():
    body = "".join(f"<x{i}> http://h{i}.example/a/b/c?d " for i in range(20_000)) + "! " * 9000
    marks = marks_of(b"Subject: s\nContent-Type: text/html\n\n" + body.encode(), *BLOCK_PARTS)
    for kind, most in {"h__": 100, "pu__": 300, "u": 400}.items():
        found = [one for one in marks if one.startswith(("url__", "up__") if kind == "u" else kind)]
        assert 0 < len(found) <= most
    steps = b"Received: from " + b"a.b " * 9000 + b"\n"
    found = marks_of(b"From: a@b\n" + steps * 50 + b"\n", "origin")
    assert 0 < len(found) <= 2 * 2 * 60


def _seconds(reader, message):
    found = []
    for _ in range(3):
        began = time.process_time()
        reader.blocks(message)
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_no_faster_than_the_message(name):
    reader = MailReader(parts=BLOCK_PARTS)
    small, large = HOSTILE[name](1 << 16), HOSTILE[name](1 << 20)
    assert _seconds(reader, large) < 60 * _seconds(reader, small) + 0.02


@pytest.mark.parametrize("seed", range(10))
def test_noise_never_fails(seed):
    noise = random.Random(seed)
    pieces = [*(make(200) for make in HOSTILE.values()), MAIL]
    reader = MailReader(parts=list(PARTS), headers="*")
    for _ in range(50):
        data = bytearray(noise.choice(pieces) + noise.choice(pieces))
        for _ in range(noise.randrange(8)):
            at = noise.randrange(len(data))
            data[at : at + noise.randrange(4)] = noise.randbytes(noise.randrange(4))
        for block in reader.blocks(bytes(data)):
            block.encode()
