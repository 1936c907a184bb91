"""Mails that are made to cost a reader more than linear time, each of about n bytes."""

from __future__ import annotations

from collections.abc import Callable

HEAD = b"From: a@b\nMIME-Version: 1.0\n"
MULTI = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
HTML = HEAD + b"Content-Type: text/html\n\n"


def nested(n: int) -> bytes:
    """Return a message of parts in parts."""
    parts = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n))
    return HEAD + b"".join(parts)


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "deep nesting": lambda n: nested(n // 60),
    "many parts": lambda n: MULTI + b"--b\n\nx\n" * (n // 7),
    "empty parts": lambda n: MULTI + b"--b\n" * (n // 4),
    "boundary prefixes": lambda n: MULTI + b"--bb\n--b-\n--b --\n--a\n" * (n // 20),
    "long boundary": lambda n: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary="
        + b"b" * 900
        + b"\n\n"
        + (b"--" + b"b" * 899 + b"c\n") * (n // 902)
    ),
    "header folds": lambda n: HEAD + b"Subject: x\n" + b" \n y\n" * (n // 5),
    "header fields": lambda n: HEAD + b"Subject: x\n" * (n // 11),
    "one header line": lambda n: HEAD + b"Subject: " + b"x" * n,
    "encoded words": lambda n: HEAD + b"Subject: " + b"=?koi8-r?b?89DBzQ==?= " * (n // 22),
    "half encoded words": lambda n: HEAD + b"Subject: " + b"=?a?q?" * (n // 6),
    "continuations": lambda n: (
        HEAD + b"Content-Type: text/plain" + b"".join(b";\n name*%d*=a" % i for i in range(n // 15))
    ),
    "parameters": lambda n: HEAD + b"Content-Type: text/plain" + b';a="b' * (n // 5),
    "nested messages": lambda n: b"From: a@b\nContent-Type: message/rfc822\n\n" * (n // 41),
    "open tags": lambda n: HTML + b"<a" * (n // 2),
    "open comments": lambda n: HTML + b"<!-" * (n // 3) + b"<!--" * (n // 4),
    "open scripts": lambda n: HTML + b"<script>" * (n // 8),
    "open quotes": lambda n: HTML + b"<a href=\"x <b title='" * (n // 20),
    "attributes": lambda n: HTML + b"<a" + b" style=a:b" * (n // 10) + b">",
    "open hidden": lambda n: HTML + b"<p style=display:none>x" * (n // 23),
    "open references": lambda n: HTML + b"&#" * (n // 2),
    "references": lambda n: HTML + b"&notareference" * (n // 14),
    "closing tags": lambda n: HTML + b"</" * (n // 2),
    "links": lambda n: HEAD + b"\n" + b"http://" * (n // 7),
    "links of no scheme": lambda n: HEAD + b"\n" + b"1://" * (n // 4),
    "one line": lambda n: HEAD + b"\n" + b"x" * n,
    "rules of lists": lambda n: HEAD + b"\n" + b"__________\n" * (n // 11) + b"mailing list",
    "line ends": lambda n: HEAD + b"\n" * n,
    "blanks after an equals sign": lambda n: (
        HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=   " * (n // 4)
    ),
    "uuencoded files": lambda n: HEAD + b"\n" + b"begin 644 a.txt\n#86)C\nend\n" * (n // 26),
    "uuencoded files without an end": lambda n: (
        HEAD + b"\n" + b"begin 644 a.txt\n" + b"M" + b"!" * 60 + b"\n" + b"!\n" * (n // 2)
    ),
    "begins of files": lambda n: HEAD + b"\n" + b"begin 644 a\n" * (n // 12),
    "begins in a line": lambda n: HEAD + b"\n" + b"begin 644 a " * (n // 12),
    "digest": lambda n: (
        HEAD + b"Content-Type: multipart/digest; boundary=b\n\n" + b"--b\n\n" * (n // 5)
    ),
    "zero bytes": lambda n: HEAD + b"\n" + b"\0" * n,
    "bytes of no charset": lambda n: (
        HEAD + b"Content-Type: text/plain; charset=euc-kr\n\n" + b"\xff" * n
    ),
    "broken utf-16": lambda n: (
        HEAD + b"Content-Type: text/plain; charset=utf-16\n\n" + b"\x00\xd8" * (n // 2)
    ),
}
