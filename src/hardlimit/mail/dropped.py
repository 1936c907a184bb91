"""Header fields that are never read as text unless they are asked for, and why."""

from __future__ import annotations

# What a filter, a mail program or a person has decided: the label, or something made from it.
LABELS = tuple(
    "x-spam* x-bogosity* x-dspam* x-crm114* x-spambayes* x-spamprobe* x-sa-* x-ham* x-junk*"
    " x-virus* x-amavis* x-antispam* x-anti-spam* x-barracuda* x-brightmail* x-pmx* x-mailscanner*"
    " x-ironport* x-proofpoint* x-microsoft-antispam* x-forefront* x-ms-exchange* x-rspamd*"
    " x-gmail-labels x-label x-labels x-folder x-category x-class x-keywords x-status status"
    " x-mozilla-status* x-mozilla-keys x-uid x-uidl x-imap* x-evolution* x-kmail* x-gnus*"
    " authentication-results* arc-* received-spf x-original-to delivered-to x-delivered-to"
    " envelope-to".split()
)
# Where and when a message was sent; each is another in the next collection.
TRACES = tuple(
    "received date message-id return-path references in-reply-to resent-* x-received x-trace"
    " x-originating-ip x-originalarrivaltime x-sender-ip nntp-posting-* x-complaints-to"
    " dkim-signature domainkey-signature x-google-* thread-index x-mid x-message-info".split()
)
# Read in their own way.
READ = ("subject", "from", "list-id", "content-type", "content-transfer-encoding")
