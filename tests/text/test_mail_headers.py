"""Mail headers among the texts, and a model that rests on them."""

from __future__ import annotations

import random
import warnings

import pytest

from hardlimit import TextClassifier, reports
from hardlimit.cli import main
from hardlimit.exceptions import DataWarning
from hardlimit.text.mail_headers import find, split_header

WORDS = "meeting lunch report price offer free click team money home train week".split()


def mails(n: int = 80, headed: bool = True) -> tuple[list[str], list[str]]:
    """Mails whose source tells the class, and whose words do not."""
    draw = random.Random(3)
    texts, labels = [], []
    for number in range(n):
        label = ("ham", "spam")[number % 2]
        month, host = (("Oct", "lists"), ("May", "zzzz"))[number % 2]
        body = " ".join(draw.choices(WORDS, k=20))
        header = (
            f"Return-Path: <{number}@{host}.example.org>\n"
            f"Received: from localhost ({host}.example.org\n\t[127.0.0.1]) by mail\n"
            f"Date: {number % 28 + 1} {month} 2002 10:00:00\nSubject: {body[:10]}\n\n"
        )
        texts.append((header if headed else "") + body)
        labels.append(label)
    return texts, labels


@pytest.mark.parametrize("kind", [str, str.encode])
def test_a_model_that_rests_on_headers_is_warned_of(kind) -> None:
    texts, labels = mails()
    with pytest.warns(DataWarning) as caught:
        TextClassifier(chars=None).fit([kind(text) for text in texts], labels)
    (said,) = [one.message for one in caught]
    assert said.parameter == "texts" and "another source" in said.fix
    assert "Return-Path, Received, Date, Subject" in said.reason and "'zzzz" in said.reason
    assert caught[0].filename == __file__


def test_without_headers_there_is_nothing_to_say() -> None:
    texts, labels = mails(headed=False)
    # Lists with colons, one header line, and few mails among many texts.
    others = ["To do: a\nNote: b\nMore: c\n\nd"] * 60, ["Subject: a\n\nb c"] * 60
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TextClassifier(chars=None).fit(texts, labels)
        for more in others:
            TextClassifier(chars=None).fit([*texts, *more], [*labels, *["ham"] * 60])
        few, their = mails(20)
        TextClassifier(chars=None).fit([*texts, *few], [*labels, *their])


def test_headers_that_tell_nothing_are_no_fault() -> None:
    texts, labels = mails()
    assert find(texts, lambda: ["meeting", "lunch", "price"]) is None
    assert find(texts, lambda: ["zzzz", "lunch"]).terms == ("zzzz",)
    assert find([], lambda: ["zzzz"]) is None


def test_the_terms_are_asked_of_mails_only() -> None:
    def never() -> list[str]:
        raise AssertionError("these are no mails")

    assert find(mails(headed=False)[0], never) is None


def test_an_mbox_line_and_folded_lines_are_headers() -> None:
    head, rest = split_header("From a@b Mon\r\nDate: x\r\nTo: y,\r\n z\r\nFrom: w\r\n\r\nHi")
    assert rest == "Hi" and head.startswith("From a@b")


def test_the_report_and_the_command_line_say_it(tmp_path, capsys) -> None:
    texts, labels = mails()
    for number, (text, label) in enumerate(zip(texts, labels, strict=True)):
        path = tmp_path / "mails" / label / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # as plain texts: read as mails they have no such headers
    words = ["train", str(tmp_path / "mails"), "--no-mail", "-o", str(tmp_path / "m")]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main([*words, "--features", "chars=none"]) == 0
    said = capsys.readouterr().err
    assert "the texts begin with mail headers" in said
    assert "mail headers" in said and "strip the headers before training" in said
    page = reports.report(str(tmp_path / "m"), texts, labels)
    assert "begin with mail headers" in page and "another source" in page
