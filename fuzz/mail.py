"""Raw mail: any bytes are a message, no word of a text becomes a mark, and the text is valid.

The first two bytes choose what is read, and within which limits; the rest is the message.
"""

from __future__ import annotations

from benchmarks.hostile_mail import HOSTILE

MESSAGE = b"""From: A <a@mail.example.org>
Subject: =?utf-8?q?Caf=C3=A9?= =?koi8-r?b?89DBzQ==?= prize
List-Id: <list.example.org>
Content-Type: multipart/mixed; boundary="one"

--one
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p style=3D"display:none">unseen</p><a href=3D"http://u@10.0.0.1/x">a</a> &amp; &#233;
--one
Content-Type: application/pdf; name*0*=utf-8''a%20; name*1=b.pdf
Content-Transfer-Encoding: base64

b25l
--one
Content-Type: message/rfc822

Subject: inside

www.example.com a__b
--
me
--one--
"""
SEEDS = [
    options + message
    for options in (b"\0\0", b"\xff\xff", b"\x05\x30")
    for message in (MESSAGE, *(make(800) for make in HOSTILE.values()))
]


def run(data: bytes) -> None:
    """Read a message in the chosen way."""
    from hardlimit.mail import MailReader
    from hardlimit.mail.parts import PARTS

    if len(data) < 2:
        return
    bits = data[0] | data[1] << 8
    names = list(PARTS)
    small = {"max_bytes": 2000, "max_header": 200, "max_parts": 5, "max_depth": 2, "max_text": 300}
    reader = MailReader(
        parts=[name for place, name in enumerate(names) if bits >> place & 1],
        headers="*" if data[1] & 64 else (),
        keep_labels=bool(data[1] & 32),
        **(small if data[1] & 128 else {}),
    )
    text = reader.read(data[2:])
    text.encode()  # no half of a surrogate pair
    assert "\0" not in text
    reader.field(data[2:], "Subject").encode()
    words = MailReader(parts=["subject", "body", "addresses", "signature"]).read(data[2:])
    assert "__" not in words
