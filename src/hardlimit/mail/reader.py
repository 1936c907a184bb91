"""One message in, its text out: settings, limits and what was mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from hardlimit import _native
from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.parameters import Parameterised
from hardlimit.mail import charsets
from hardlimit.mail.parts import DEFAULT, LABELS, READ, TRACES, check_parts, to_bits

# In the order of native/mail/settings.hpp.
MENDED = {
    "no_header": "no header: all of it was read as text",
    "header_without_end": "a header that ends without an empty line",
    "long_header": "a header longer than the limit: the rest of its fields was left out",
    "missing_boundary": "several parts announced without a boundary: read as one",
    "unclosed_multipart": "several parts whose end is missing",
    "bad_transfer_encoding": "invalid or unknown base64, quoted-printable and uuencode",
    "guessed_charset": "no charset: read as UTF-8, or else as windows-1252",
    "unknown_charset": "an unknown charset: read as UTF-8, or else as windows-1252",
    "replaced_characters": "characters that the charset does not have, replaced by U+FFFD",
    "null_bytes": "zero bytes, left out",
    "unclosed_html": "HTML with a comment, script, tag or quote that is never closed",
    "cut_message": "a message longer than the limit: the rest was left out",
    "too_many_parts": "a message of more parts than the limit: the rest was left out",
    "too_deep": "parts nested deeper than the limit, left out",
    "long_text": "text beyond the limit, left out",
}


class Tally:
    """How many messages were read, and how often each thing was mended.

    A mapping of names to counts, of those that occurred; `sentences` are for people.

    Examples
    --------
    >>> from hardlimit.mail import MailReader
    >>> reader = MailReader()
    >>> _ = reader.read(b"no mail at all")
    >>> reader.tally_.messages, dict(reader.tally_)
    (1, {'no_header': 1})
    """

    def __init__(self) -> None:
        self.messages = 0
        self.mended_messages = 0
        self._counts = [0] * len(MENDED)

    def add(self, counts: Sequence[int]) -> None:
        """Count one message."""
        self.messages += 1
        if any(counts):
            self.mended_messages += 1
            self._counts = [a + b for a, b in zip(self._counts, counts, strict=True)]

    def __getitem__(self, name: str) -> int:
        return self._counts[list(MENDED).index(name)]

    def keys(self) -> Iterator[str]:
        """Return the names of what was mended."""
        return (name for name, n in zip(MENDED, self._counts, strict=True) if n)

    def __iter__(self) -> Iterator[str]:
        return self.keys()

    def __len__(self) -> int:
        return sum(map(bool, self._counts))

    def sentences(self) -> list[str]:
        """Return what was mended, the most frequent first: ``"12 x ..."``."""
        found = sorted(self.keys(), key=lambda name: -self[name])
        return [f"{self[name]:,} x {MENDED[name]}" for name in found]

    def __repr__(self) -> str:
        return f"Tally({self.messages} messages, {dict(self)})"


ALL = "*"
# Of a message: attached files count too, and seldom does text stand behind so much.
MAX_BYTES = 1 << 24
MAX_HEADER = 1 << 16  # bytes of one header
MAX_PARTS = 1000
MAX_DEPTH = 20  # of parts within parts
_MOST_DEPTH = 100  # each level takes a frame of the stack
MAX_TEXT = 1 << 20  # bytes of decoded text
_LIMITS = ("max_bytes", "max_header", "max_parts", "max_depth", "max_text")


class MailReader(Parameterised):
    r"""Turns raw messages into texts; a transformer to stand before a classifier of texts.

    Parameters
    ----------
    parts : names of `hardlimit.mail.parts.PARTS`
        What becomes text: ``subject``, ``subject-marks``, ``from``, ``list``, ``type``, ``links``,
        ``images``, ``hidden``, ``attachments``, ``body``, ``addresses``, ``signature``, ``markup``,
        ``tags``, ``punctuation``, ``reply``, ``list-bit``, ``same-domain``, ``urls``, ``origin``,
        ``header``. Those that suit :meth:`blocks` are `hardlimit.mail.parts.BLOCK_PARTS`.
        The default leaves out what tells where a message comes from rather than what it says, as
        measured on collections from elsewhere: ``from``, ``list``, ``type``, ``images``,
        ``addresses``, ``signature``.
    headers : names of header fields
        Of which the words are marked too: ``x_mailer__outlook``. ``"*"`` is all but those of
        `hardlimit.mail.parts`.
    keep_labels : bool
        Keep what a filter or a mailing list has written into the message: its own header fields
        (``X-Spam-*``, ...), ``[SPAM]`` and the list's tag before the subject, the list's footer.
    max_bytes, max_header, max_parts, max_depth, max_text : int
        Limits of a message: its bytes (16 MiB), bytes of a header (64 KiB), parts (1,000), parts
        within parts (20, at most 100), bytes of decoded text (1 MiB). What lies beyond is left out,
        and counted.

    Attributes
    ----------
    tally_ : Tally
        How many messages were read since the reader was made, and what was mended.

    Notes
    -----
    Never fails for bytes. Time is O(bytes), times ``max_depth`` at worst.

    Examples
    --------
    >>> import hardlimit as hl
    >>> reader = hl.mail.MailReader(parts=["subject", "body"])
    >>> reader.read(b"Subject: =?utf-8?q?Caf=C3=A9?=\n\nOpen at <b>9</b>")
    'Café\nOpen at <b>9</b>'
    >>> reader
    MailReader(parts=['subject', 'body'])
    >>> reader.transform([b"Subject: one\n\n", b"Subject: two\n\n"])
    ['one', 'two']
    """

    def __init__(
        self,
        parts: Iterable[str] = DEFAULT,
        headers: Iterable[str] = (),
        keep_labels: bool = False,
        *,
        max_bytes: int = MAX_BYTES,
        max_header: int = MAX_HEADER,
        max_parts: int = MAX_PARTS,
        max_depth: int = MAX_DEPTH,
        max_text: int = MAX_TEXT,
    ) -> None:
        self.parts = parts
        self.headers = headers
        self.keep_labels = keep_labels
        self.max_bytes = max_bytes
        self.max_header = max_header
        self.max_parts = max_parts
        self.max_depth = max_depth
        self.max_text = max_text

    def read(self, message: bytes | str) -> str:
        """Return the text of one message.

        Parameters
        ----------
        message : bytes, or str, which is read as its UTF-8

        Raises
        ------
        KindError
            For anything else.
        """
        text, counts = self._ready().read(_to_bytes(message), charsets.decode)
        self.tally_.add(counts)
        return text

    def blocks(self, message: bytes | str) -> tuple[str, str, str]:
        r"""Return a message in three texts: what it says, how it is made, and who carried it.

        The first has its words, the second the marks of its parts, the third the words of its
        header, if ``parts`` has them. So a classifier of three columns gives each the weight that
        it deserves: in one text a long body leaves nothing to the marks.

        Raises
        ------
        KindError
            As :meth:`read`.

        Examples
        --------
        >>> from hardlimit.mail.parts import BLOCK_PARTS
        >>> raw = b"Subject: Hi\nReply-To: a@b.org\n\nSee you!!"
        >>> words, marks, header = MailReader(BLOCK_PARTS).blocks(raw)
        >>> print(marks)
        subject__Hi pu__ex2 refs__no list__no rt__other rp__none mi__none
        >>> print(header)
        reply_to__org
        """
        blocks, counts = self._ready().blocks(_to_bytes(message), charsets.decode)
        self.tally_.add(counts)
        return blocks

    def field(self, message: bytes | str, name: str) -> str:
        """Return the first header field of a name, unfolded and decoded; "" if there is none."""
        found: str = self._ready().field(_to_bytes(message), name.lower(), charsets.decode)
        return found.strip()

    def fit(self, messages: object, y: object = None) -> Self:
        """Check the parameters; there is nothing to learn."""
        self._make()
        return self

    def transform(self, messages: Iterable[bytes | str]) -> list[str]:
        """Return the texts of messages."""
        return [self.read(message) for message in messages]

    def fit_transform(self, messages: Iterable[bytes | str], y: object = None) -> list[str]:
        """Return the texts of messages."""
        return self.fit(messages).transform(messages)

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        self.__dict__.pop("_settings", None)
        return super().set_params(**params)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON: all of them, so that new defaults change no model."""
        self._ready()
        return {**self.get_params(), "parts": list(self._parts), "headers": list(self._headers)}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Undo `to_json`; `InputError` for anything else."""
        return cls().set_params(**plain).fit(())

    @property
    def tally_(self) -> Tally:
        """What was read and mended so far."""
        tally: Tally = self.__dict__.setdefault("_tally", Tally())
        return tally

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __getstate__(self) -> dict[str, Any]:
        return self.get_params()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _ready(self) -> _native.MailSettings:
        settings = self.__dict__.get("_settings")
        return self._make() if settings is None else settings

    def _make(self) -> _native.MailSettings:
        self._parts = check_parts(self.parts, "MailReader")
        self._headers = _check_headers(self.headers, keep_labels=self.keep_labels)
        if not isinstance(self.keep_labels, bool):
            raise self._error("keep_labels", "True or False")
        for name in _LIMITS:
            value = getattr(self, name)
            most = _MOST_DEPTH if name == "max_depth" else 1 << 40
            if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
                raise self._error(name, f"a whole number from 1 to {most}")
        not_kept = TRACES if self.keep_labels else TRACES + LABELS
        self._settings = _native.MailSettings(
            to_bits(self._parts),
            [getattr(self, name) for name in _LIMITS],
            self.keep_labels,
            ALL in self._headers,
            [name for name in self._headers if name != ALL],
            list(not_kept + READ),
            [] if self.keep_labels else list(LABELS),
        )
        return self._settings

    def _error(self, name: str, wanted: str) -> InputError:
        return InputError(who="MailReader", parameter=name, got=getattr(self, name), wanted=wanted)


def read(message: bytes | str, **settings: Any) -> str:
    r"""Return the text of one message.

    Parameters
    ----------
    message : bytes, or str, which is read as its UTF-8
    settings : of :class:`MailReader`

    Examples
    --------
    >>> read(b"Subject: Hi\nContent-Type: text/html\n\n<p>Hello <b>you</b>", parts=["body"])
    'Hello you'
    """
    return MailReader(**settings).read(message)


def _to_bytes(message: object) -> bytes:
    if isinstance(message, bytes):
        return message
    if isinstance(message, str):
        return message.encode("utf-8", "replace")
    if isinstance(message, bytearray | memoryview):
        return bytes(message)
    raise KindError(parameter="message", got=type(message).__name__, wanted="bytes or str")


def _check_headers(headers: Iterable[str], *, keep_labels: bool) -> tuple[str, ...]:
    is_list = isinstance(headers, Iterable) and not isinstance(headers, str)
    given: list[Any] = list(headers) if is_list else [headers]
    for name in given:
        if not isinstance(name, str) or not name.isascii() or not name or ":" in name:
            raise InputError(
                who="MailReader", parameter="headers", got=name, wanted="names of header fields"
            )
    names = tuple(dict.fromkeys(name.lower() for name in given))
    for name in names:
        if not keep_labels and _is_one_of(name, LABELS):
            raise InputError(
                "this field gives the label away",
                who="MailReader",
                parameter="headers",
                got=name,
                fix="leave it out, or say keep_labels=True if that is meant",
            )
    return names


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(name == one or one[-1] == "*" and name.startswith(one[:-1]) for one in patterns)
