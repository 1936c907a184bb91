"""Mails that still have their headers: whether a model's telling terms come from there.

A header tells where a mail came from (a host, a mailing list, the month in which the collection was
made) rather than what it says. In a random split of one collection such terms look excellent; on
mails from elsewhere they are worth nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

LOOKED_AT = 200  # texts, evenly spread
FEWEST_LINES = 3
LEAST_SHARE = 0.1  # of the telling terms
_FIRST = 100  # characters in which the first line begins
_LONGEST = 1 << 14  # characters of a text that are looked at
_LINE = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(?: |\t|$)")
_WORDS = re.compile(r"\w\w+")
# Of which a mail or a news post has several; words of other lists with colons have none.
KNOWN = frozenset(
    "received return-path delivered-to message-id date from to subject mime-version content-type "
    "x-mailer reply-to sender newsgroups organization references in-reply-to".split()
)


class MailHeaders(NamedTuple):
    """How many of the texts that were looked at have headers, and the terms from there."""

    with_headers: int
    looked_at: int
    names: tuple[str, ...]
    terms: tuple[str, ...]


def split_header(text: str) -> tuple[str, str]:
    r"""Split a text into its mail header, which may be empty, and the rest.

    >>> split_header("From: a@b.org\nDate: Mon, 1 Jul 2002\nSubject: hello\n\nHow are you?")
    ('From: a@b.org\nDate: Mon, 1 Jul 2002\nSubject: hello', 'How are you?')
    >>> split_header("Note: a list\nof things")
    ('', 'Note: a list\nof things')
    """
    text = text.replace("\r\n", "\n")
    head, _, rest = text.partition("\n\n")
    lines = head.split("\n")
    # The line by which an mbox tells its mails apart.
    if lines[0].startswith("From "):
        del lines[0]
    # A line that begins with a space goes on with the one before.
    starts = [line for line in lines if line[:1] not in (" ", "\t")]
    names = [found[1].lower() for line in starts if (found := _LINE.match(line))]
    if len(starts) < FEWEST_LINES or len(names) < len(starts) or len(KNOWN & set(names)) < 2:
        return "", text
    return head, rest


def sample(texts: Sequence[str | bytes]) -> list[str | bytes]:
    """Return some of the texts, evenly spread."""
    step = max(1, -(-len(texts) // LOOKED_AT))
    return [texts[i] for i in range(0, len(texts), step)]


def _begins_like_mail(text: str | bytes) -> bool:
    line = _read(text[:_FIRST])
    return line.startswith("From ") or _LINE.match(line) is not None


def _read(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def find(
    texts: Sequence[str | bytes], telling_terms: Callable[[], Iterable[str]]
) -> MailHeaders | None:
    """Find telling terms that come from mail headers.

    None where most texts have no header, or fewer than a tenth of the terms come from there.

    Parameters
    ----------
    texts
        What the model learnt from, or is judged by; at most `LOOKED_AT` of them are looked at.
    telling_terms
        Gives the terms of the largest weights, words and n-grams of words; asked of mails only.

    Notes
    -----
    A term comes from headers if it stands in more of them than of the texts below them.
    """
    looked_at = sample(texts)
    # First a look at the first lines, since nearly no collection of texts is one of mails.
    if 2 * sum(map(_begins_like_mail, looked_at)) <= len(looked_at):
        return None
    parts = [split_header(_read(text[:_LONGEST])) for text in looked_at]
    headers = [head for head, _ in parts if head]
    if 2 * len(headers) <= len(parts):
        return None
    terms = list(dict.fromkeys(telling_terms()))
    above = [_fold(head) for head in headers]
    below = [_fold(rest) for _, rest in parts]
    from_headers = tuple(term for term in terms if _is_from(term, above, below))
    if len(from_headers) < LEAST_SHARE * len(terms) or not from_headers:
        return None
    names: dict[str, None] = {}
    for head in headers[:20]:
        names |= dict.fromkeys(m[1] for line in head.split("\n") if (m := _LINE.match(line)))
    shown = [name for name in names if name.lower() in KNOWN]
    return MailHeaders(len(headers), len(parts), tuple(shown), from_headers)


def _fold(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def _is_from(term: str, above: Sequence[str], below: Sequence[str]) -> bool:
    word = f" {term} "
    in_headers = sum(word in one for one in above)
    # Of a term in one or two headers nothing can be said.
    return in_headers > 2 and in_headers > sum(word in one for one in below)
