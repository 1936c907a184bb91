"""One file, one folder or standard input as a table of rows: which format it is in is found out."""

from __future__ import annotations

from dataclasses import replace

from hardlimit.exceptions import FileError, Given, InputError, Setting
from hardlimit.foundation import storage
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import STANDARD_INPUT, missing_file_error
from hardlimit.readers.registry import Format, detect_by_extension, formats, get_format
from hardlimit.readers.rows import Table

_PEEKED_LINES = 20


def open_file(
    path: str, layout: Layout | None = None, *, need_label: bool, like: Layout | None = None
) -> Table:
    """Open one file, one folder or standard input, as `open_rows` does."""
    layout = Layout() if layout is None else layout
    format = None if layout.format is None else get_format(layout.format)
    if path != STANDARD_INPUT and storage.is_folder(path):
        return _open_folder(path, layout, need_label=need_label)
    # lexists: a broken link is there, and opening it says what is wrong
    if path != STANDARD_INPUT and not storage.exists(path):
        raise missing_file_error(path)
    if format is not None and format.takes_folder and path != STANDARD_INPUT and not need_label:
        return format.read(path, layout, need_label)  # one document of such a folder
    if format is not None and format.takes_folder:
        raise FileError(f"this is not a folder, as the format {format.name!r} wants", where=path)
    if format is None and path != STANDARD_INPUT:
        promised = detect_by_extension(path) or ("mbox" if is_mailbox(path) else None)
        known = None if promised is None else get_format(promised)
        format = known if known is not None and known.takes_path else None
    if format is not None and format.takes_path:
        return format.read(path, replace(layout, format=format.name), need_label)
    source = TextSource(path, layout.encoding, layout.max_line)
    source.skip_bad = layout.skip_bad
    try:
        if format is None:
            format = get_format(_detect_format(source, path, need_label=need_label))
        if like is not None and source.is_standard_input and format.name == "lines":
            layout = _recognise(source, like) or layout
            format = get_format(layout.format or format.name)
        _refuse_documents(source, layout)
        return format.read(source, replace(layout, format=format.name), need_label)
    # no table took the source over, so it is closed here
    except BaseException:
        source.close()
        raise


def _detect_format(source: TextSource, path: str, *, need_label: bool) -> str:
    name = detect_by_extension(path) or _detect_by_content(source, need_label=need_label)
    # Plain lines that begin with labels; a pipe is not held up for it.
    if name == "lines" and not source.is_standard_input and _has_fasttext_labels(source):
        return "fasttext"
    return name


def is_mailbox(path: str) -> bool:
    """Tell a mailbox without an extension, as mail programs write them."""
    # A regular file only: a pipe could not be read a second time.
    if not storage.is_file(path):
        return False
    from hardlimit.readers import misread  # start-up: standard input does without

    return misread.is_mailbox(path)


def _refuse_documents(source: TextSource, layout: Layout) -> None:
    """Refuse what is asked of whole documents where the rows of a table are read."""
    for name in ("mail", "label_from"):
        if getattr(layout, name):
            raise InputError(
                "this is of whole documents, and the file is a table or lines",
                where=source.name,
                parameter=name,
                got=Given("True") if name == "mail" else layout.label_from,
                fix=("for a file of that kind say ", Setting("format", "eml")),
            )


def _open_folder(path: str, layout: Layout, *, need_label: bool) -> Table:
    folder = _find_folder_format(path, layout.format)
    return folder.read(path, replace(layout, format=folder.name), need_label)


def _find_folder_format(path: str, name: str | None) -> Format:
    """Return the format asked for, or the one that a folder looks like."""
    if name is not None and not get_format(name).takes_folder:
        raise FileError(f"this is a folder; a file in the format {name!r} was wanted", where=path)
    if name is not None:
        return get_format(name)
    known = [format for format in formats().values() if format.takes_folder]
    found = (one for one in known if one.recognises is not None and one.recognises(path))
    return next(found, get_format("folder"))


def _detect_by_content(source: TextSource, *, need_label: bool) -> str:
    """Tell the format of an unnamed stream: plain lines, unless labels are needed."""
    if not need_label:
        # peeking at standard input would hold up a pipe that waits for an answer to each line
        return "lines" if source.is_standard_input else _guess_format(source, "lines")
    return _guess_format(source, "csv")


def _recognise(source: TextSource, like: Layout) -> Layout | None:
    """Tell a table on standard input by its first line; None for plain lines."""
    # One line and no more: whoever waits for an answer to it has sent no other.
    lines = source.peek(1)
    if not lines or not isinstance(like.text, str):
        return None
    line = lines[0].strip()
    if line.startswith("{"):
        if not _has_key(line, like.text):
            return None
        return Layout(format="jsonl", text=like.text, labels_separator=like.labels_separator)
    if like.format not in ("csv", "tsv") or like.header is False:
        return None
    for delimiter in ",;\t|":
        names = [cell.strip().strip('"') for cell in line.split(delimiter)]
        if len(names) > 1 and names.count(like.text) == 1 and all(names):
            known = replace(like, label=None, header=True, delimiter=delimiter)
            return replace(known, format="tsv" if delimiter == "\t" else "csv", encoding=None)
    return None


def _has_key(line: str, key: str) -> bool:
    import json  # start-up: classifiers know this room, and read no file

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and key in found


def _guess_format(source: TextSource, otherwise: str) -> str:
    lines = [line for line in source.peek(_PEEKED_LINES) if line.strip()]
    if lines and lines[0].lstrip().startswith("{") and _is_object(lines[0]):
        return "jsonl"
    if _has_fasttext_labels(source):
        return "fasttext"
    # every line alike: a single text may hold a tab by chance
    tabs = {line.count("\t") for line in lines}
    return "tsv" if len(tabs) == 1 and tabs != {0} else otherwise


def _has_fasttext_labels(source: TextSource) -> bool:
    # A text without a label may come first.
    return any(line.startswith("__label__") for line in source.peek(_PEEKED_LINES))


def _is_object(line: str) -> bool:
    import json  # start-up, too

    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
