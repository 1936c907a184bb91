"""The parts of a message that become text, and the header fields that are left out."""

from __future__ import annotations

from collections.abc import Iterable

from hardlimit.exceptions import InputError

# In the order of the bits in native/mail/settings.hpp.
PARTS = {
    "subject": "words of the subject, as other words",
    "subject-marks": "words of the subject, marked: subject__free",
    "from": "the domain of the sender: from__example_com, from__com",
    "list": "a mailing list: list__ilug_linux_ie, list__unsubscribe, precedence__bulk",
    "type": "types and charsets of the parts: type__text_html, charset__koi8_r",
    "links": "hosts of links: link__example_com, link__com, link__number, link__user",
    "images": "hosts of images: image__remote, image__example_com, image__inside",
    "hidden": "hidden text of HTML: hidden__text, in place of its words",
    "attachments": "types and extensions of attached files: attachment__image_gif, extension__pdf",
    "body": "words of all text parts",
    "addresses": "words of web and mail addresses in the subject and in texts",
    "signature": "words of plain text below a line '-- '",
    "markup": "HTML as it stands, instead of its visible text",
    "tags": "elements of HTML, each once: h__table",
    "punctuation": "runs of punctuation: pu__ex3 for three exclamation marks",
    "reply": "whether the mail refers to another: refs__yes",
    "list-bit": "whether a list sent it, by any of its fields: list__yes",
    "same-domain": "where answers go, seen from the sender's domain: rt__other, rp__same, mi__none",
    "urls": "pieces of web addresses, those of HTML too: url__example_com, url__port, up__order",
    "origin": "words of the two steps of its way next to the sender: ro__dialup",
    "header": "words of all other header fields, marked: received__example, zone__p0200",
}
DEFAULT = ("subject", "subject-marks", "links", "hidden", "attachments", "body")
# Of a mail in three blocks.
BLOCK_PARTS = (
    *("subject", "subject-marks", "from", "type", "body", "addresses", "tags", "punctuation"),
    *("reply", "list-bit", "same-domain", "urls", "origin", "header"),
)
BLOCKS = ("text", "marks", "header")


def check_parts(parts: Iterable[str], who: str) -> tuple[str, ...]:
    """Return the parts in the order of `PARTS`; `InputError` for an unknown one."""
    given = [parts] if isinstance(parts, str) or not isinstance(parts, Iterable) else list(parts)
    for name in given:
        if not isinstance(name, str) or name not in PARTS:
            raise InputError(who=who, parameter="parts", got=name, wanted=", ".join(PARTS))
    return tuple(name for name in PARTS if name in given)


def to_bits(parts: Iterable[str]) -> int:
    """Return the bits that the compiled part knows them by.

    >>> to_bits(("subject", "body"))
    513
    """
    return sum(1 << place for place, name in enumerate(PARTS) if name in parts)


# What a filter, a mail program or a person has decided: the label, or something made from it.
LABELS = tuple(
    "x-spam* x-bogosity* x-dspam* x-crm114* x-spambayes* x-spamprobe* x-sa-* x-ham* x-junk*"
    " x-virus* x-amavis* x-antispam* x-anti-spam* x-barracuda* x-brightmail* x-pmx* x-mailscanner*"
    " x-ironport* x-proofpoint* x-microsoft-antispam* x-forefront* x-ms-exchange* x-rspamd*"
    " x-gmail-labels x-label x-labels x-folder x-category x-class x-keywords x-status status"
    " x-mozilla-status* x-mozilla-keys x-uid x-uidl x-imap* x-evolution* x-kmail* x-gnus*"
    " authentication-results* arc-* received-spf x-original-to delivered-to x-delivered-to"
    " envelope-to x-asg* x-account-key xstatus xchecker* xlevel x-policyd* x-greylist* x-pyzor"
    " content-length lines".split()
)
# Where and when a message was sent; each is another in the next collection.
TRACES = tuple(
    "received date message-id return-path references in-reply-to resent-* x-received x-trace"
    " x-originating-ip x-originalarrivaltime x-sender-ip nntp-posting-* x-complaints-to"
    " dkim-signature domainkey-signature x-google-* thread-index x-mid x-message-info".split()
)
# Read in their own way.
READ = ("subject", "from", "list-id", "content-type", "content-transfer-encoding")
