"""The messages of mailboxes, archives and folders, one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from hardlimit.mail.reader import MailReader
from hardlimit.readers import Layout, open_rows


class Message(NamedTuple):
    """A message as text, where it lies (``file``, or ``file:message``), and its label, if any."""

    path: str
    text: str
    label: str | None


def open_mailbox(
    path: str | os.PathLike[str],
    reader: MailReader | None = None,
    *,
    label_from: str | None = None,
) -> Iterator[Message]:
    r"""Give the messages of a mailbox (mbox, Maildir), a tar archive or a folder of raw mail.

    Parameters
    ----------
    path : what is read; the name or the content tells what it is
    reader : how messages become text; the default reader, unless given
    label_from : ``folder`` (default), ``name:REGEX``, ``header:NAME`` or ``index:FILE``, see
        `hardlimit.readers.labelling`. With it, a message without a label is an error.

    Raises
    ------
    FileError, DataFormatError
        What cannot be read, or breaks its format; bytes of a message never do.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "spam.mbox")
    >>> line = "From a@b.org Thu Aug 22 12:36:23 2002\nSubject: prize\n\n"
    >>> _ = file.write_text(line + "one\n\n" + line + "two\n")
    >>> [(m.path, m.label, m.text.split()[-1]) for m in open_mailbox(file)]
    [('spam.mbox:1', 'spam', 'one'), ('spam.mbox:2', 'spam', 'two')]
    """
    settings = (MailReader() if reader is None else reader).to_json()
    layout = Layout(mail=settings, label_from=label_from)
    need_label = label_from is not None
    with open_rows(path, layout, need_label=need_label) as table:
        for row in table:
            assert isinstance(row.text, str) and isinstance(row.fields, tuple)
            label = None if row.label is None else str(row.label)
            yield Message(row.fields[0], row.text, label)
