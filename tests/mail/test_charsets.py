"""Charsets that Python reads: the text, and how many characters of it were replaced."""

import pytest

from hardlimit.mail.charsets import decode


@pytest.mark.parametrize(
    ("charset", "data", "text", "replaced"),
    [
        ("koi8-r", b"\xff\xff", "\u042a\u042a", 0),  # a letter there
        ("windows-1253", b"\xaa\xd2a", "\ufffd\ufffda", 2),  # no bytes 255, and no letters
        ("windows-1253", b"\xff", "\ufffd", 1),
        ("cp932", b"\x82\xa0\x82", "\u3042\ufffd", 1),
    ],
)
def test_replaced_characters_are_counted(charset, data, text, replaced):
    assert decode(charset, data) == (text.encode(), replaced)
