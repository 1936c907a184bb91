"""How a file is to be read: as the options say, else as the model remembers, else as it looks."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit.cli import terminal
from hardlimit.cli.errors import usage_error
from hardlimit.cli.options import LayoutSettings
from hardlimit.exceptions import InputError
from hardlimit.foundation import storage
from hardlimit.readers import Layout
from hardlimit.readers.one_file import is_mailbox
from hardlimit.readers.registry import DOCUMENTS, detect_by_extension, get_format

_OF_LABELS = ("label_from", "labels_separator", "fold_labels")  # which plain texts have none of


def layout_for(
    path: str | Sequence[str],
    remembered: LayoutSettings,
    given: LayoutSettings,
    *,
    bare: bool = False,
) -> Layout:
    """Return how to read ``path`` for a model: as its training file, unless something says else.

    path : a file, or several; how the first is read is returned, and the others are looked at.

    A file of another kind, which would be misread, is refused where its format is not named. With
    ``bare``, standard input is plain lines unless an option says what it is. A file whose name
    promises another format than the training file's keeps the names of the columns only.
    """
    if not isinstance(path, str):
        path, *others = path
        for other in others:
            _refuse_foreign(other, given)
    mail = remembered.get("mail")
    if {**remembered, **given}.get("table"):
        return _table_layout(path, remembered, given)
    if path == "-" and bare and not given.keys() - {*_OF_LABELS, "max_line", "skip_bad"}:
        plain: LayoutSettings = {"format": "eml", "mail": mail} if mail else {"format": "lines"}
        bounds = {name: value for name, value in given.items() if name not in _OF_LABELS}
        return _make_layout({**plain, **bounds})
    _refuse_foreign(path, given)
    own = remembered.get("format")
    promised = (
        own if path == "-" else "folder" if storage.is_folder(path) else detect_by_extension(path)
    )
    if promised is None and path != "-" and is_mailbox(path):
        promised = "mbox"
    if own in DOCUMENTS and bare and promised in (None, "lines"):
        # a document such as those in the folder, not one a line
        promised = "eml" if mail else own
    wanted = given.get("format", promised)
    if wanted not in (None, own):
        # Delimiter and header belong to the old format; names of columns may hold in the new one.
        names = ("text", "label") if wanted not in ("lines", *DOCUMENTS) else ()
        folding = {"fold_labels": True} if remembered.get("fold_labels") else {}
        names = (*names, "labels_separator")
        remembered = {k: v for k, v in remembered.items() if k in names and isinstance(v, str)}
        remembered |= folding
        remembered |= {"mail": mail} if mail and wanted in DOCUMENTS else {}
        remembered |= {"format": wanted} if wanted in ("eml", "mbox") else {}
    # Without a word on mail a model has learnt from files as they stand.
    if own in DOCUMENTS and wanted in DOCUMENTS and mail is None:
        remembered = {**remembered, "mail": False}
    return _make_layout({**remembered, **given})


def _table_layout(path: str, remembered: LayoutSettings, given: LayoutSettings) -> Layout:
    """Return how a mixed table is read: as it was, but for what belongs to another format."""
    from hardlimit.readers.numbers import detect_by_extension as detect_numeric

    own = remembered.get("format")
    promised = own if path == "-" else detect_by_extension(path)
    if promised is None and path != "-" and detect_numeric(path) == "arff":
        promised = "weka"
    wanted = given.get("format", promised)
    if wanted not in (None, own):
        label = remembered.get("label")
        folding = {"fold_labels": True} if remembered.get("fold_labels") else {}
        remembered = {"table": True} | ({"label": label} if isinstance(label, str) else {})
        remembered |= folding
    promise = {} if wanted is None else {"format": wanted}
    return _make_layout({**remembered, **promise, **given, "drop": None})


def _refuse_foreign(path: str, given: LayoutSettings) -> None:
    # A regular file only: a pipe could not be read a second time.
    promised = detect_by_extension(path)
    is_text = promised is None or not get_format(promised).takes_path
    if is_text and not {"format", "delimiter"} & given.keys() and storage.is_file(path):
        from hardlimit.readers import misread  # start-up: standard input does without

        misread.refuse(path, given.get("encoding"))


def _make_layout(settings: LayoutSettings) -> Layout:
    settings = dict(settings)
    if settings.pop("drop", None):
        terminal.remark("--drop: of texts only the columns of text and label are read anyway")
    try:
        return Layout.from_json(settings)
    except InputError as error:
        raise usage_error(error) from None
