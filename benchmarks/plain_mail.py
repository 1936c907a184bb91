"""Raw mail as text, by Python's ``email`` with its default policy (compat32).

What most people write who give raw mail to a classifier of texts: the subject, and every part that
is text, decoded by its charset; tags of HTML are cut out.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterable
from email.header import decode_header, make_header
from email.message import Message

_UNSEEN = re.compile(r"(?is)<(script|style)\b.*?</\1>")
_TAG = re.compile(r"<[^<>]*>")


def read_mails(messages: Iterable[bytes]) -> list[str]:
    r"""Return the texts of raw messages.

    >>> read_mails([b"Subject: =?utf-8?q?Caf=C3=A9?=\nContent-Type: text/html\n\n<p>Open at 9"])
    ['Café Open at 9']
    """
    return [" ".join(read_mail(message).split()) for message in messages]


def read_mail(message: bytes) -> str:
    """Return subject and text of one message."""
    mail = email.message_from_bytes(message)
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([_subject(mail), *map(_text, parts)])


def _subject(mail: Message) -> str:
    raw = str(mail["subject"] or "")
    try:
        return str(make_header(decode_header(raw)))
    except (ValueError, LookupError):  # words that are said to be encoded and are not
        return raw


def _text(part: Message) -> str:
    raw = part.get_payload(decode=True) or b""
    try:
        text = raw.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        text = raw.decode("latin-1")
    return _TAG.sub(" ", _UNSEEN.sub(" ", text)) if part.get_content_subtype() == "html" else text
