r"""Raw mail: bytes of a message (RFC 822, MIME) in, text out.

The text has the words of the subject and of all text parts, HTML reduced to what is seen, and
**marked tokens** for the rest: ``subject__free``, ``link__example_com``, ``attachment__image_gif``.
The tokenizer takes each for one word, and no word of a message is one of them: two underscores in
a row stand in marks only. Any bytes are a message; what had to be mended is counted. Time is linear
in the size of the message, and every size has a limit.

>>> from hardlimit import mail
>>> print(mail.read(b"Subject: Free prize\nFrom: a@b.org\n\nSee http://win.example.com/now!"))
subject__Free subject__prize
Free prize
See
link__com link__example_com link__win_example_com
"""

from __future__ import annotations

import importlib
from typing import Any

from hardlimit.foundation.package import list_only_public

_HOMES = {
    "MailReader": "reader",
    "Message": "mailboxes",
    "Tally": "reader",
    "open_mailbox": "mailboxes",
    "read": "reader",
}

__all__ = [*_HOMES]  # noqa: PLE0604

list_only_public(globals())


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.mail' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
