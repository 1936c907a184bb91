"""Charsets of mail: the names that are sent, and Python's codecs that read them.

Only these codecs are used. Others take quadratic time for hostile bytes (punycode, idna), run code
paths that are no charsets (``unicode_escape``), or read the bytes of this machine (``mbcs``).
"""

from __future__ import annotations

from functools import cache

# UTF-8, ASCII, Latin-1 and windows-1252 are read by the compiled part.
_CODECS = {
    # of several names the widest codec: what is sent as GB2312 is GBK, and so on
    "gb18030": "gb2312 gb-2312 gb-2312-80 gbk cp936 gb18030 x-gbk chinese csgb2312 euc-cn hz936",
    "big5hkscs": "big5 big-5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "cp949": "euc-kr ks-c-5601-1987 ks-c-5601-1989 ksc-5601 ks-c-5601 ksc5601 cp949 uhc korean "
    "windows-949 cseuckr x-windows-949",
    "cp932": "shift-jis sjis x-sjis ms-kanji csshiftjis windows-31j cp932 shiftjis",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp_2": "iso-2022-jp csiso2022jp iso-2022-jp-2",
    "iso2022_jp_ext": "iso-2022-jp-ext iso-2022-jp-1 iso-2022-jp-3",
    "iso2022_kr": "iso-2022-kr csiso2022kr",
    "hz": "hz-gb-2312 hz",
    "utf-16": "utf-16 ucs-2 iso-10646-ucs-2 utf16",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "utf-32": "utf-32 ucs-4 utf32",
    "utf-7": "utf-7 unicode-1-1-utf-7 utf7",
    "koi8-r": "koi8-r koi8 cskoi8r koi",
    "koi8-u": "koi8-u koi8-ru",
    "cp866": "cp866 ibm866 866",
    "cp874": "windows-874 iso-8859-11 tis-620 cp874",
    "cp437": "cp437 ibm437 cp-437",
    "cp850": "cp850 ibm850 cp-850",
    "cp1254": "iso-8859-9 latin5 windows-1254 cp1254 turkish",
    "mac-roman": "macintosh mac x-mac-roman macroman",
    "mac-cyrillic": "x-mac-cyrillic maccyrillic",
}
_WINDOWS = ("1250", "1251", "1253", "1255", "1256", "1257", "1258")
_ISO = (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)


@cache
def _names() -> dict[str, str]:
    found = {name: codec for codec, names in _CODECS.items() for name in names.split()}
    for number in _WINDOWS:
        found |= dict.fromkeys((f"windows-{number}", f"cp{number}", f"cp-{number}"), f"cp{number}")
    for part in _ISO:
        names = (f"iso-8859-{part}", f"iso8859-{part}", f"iso-8859-{part}-i")
        found |= dict.fromkeys(names, f"iso8859-{part}")
    return found | {"latin2": "iso8859-2", "greek": "iso8859-7", "hebrew": "iso8859-8"}


def decode(charset: str, data: bytes) -> tuple[bytes, int] | None:
    r"""Decode to UTF-8, with how many characters were replaced; None of an unknown charset.

    >>> decode("koi8-r", b"\xf3\xd0\xc1\xcd")[0].decode(), decode("x-unknown", b"?")
    ('Спам', None)
    """
    codec = _names().get(charset)
    if codec is None:
        return None
    text = data.decode(codec, "replace")
    # Half of a pair of surrogates, which some codecs let pass, is no text.
    found = text.encode("utf-8", "replace")
    return found, text.count("\ufffd")
