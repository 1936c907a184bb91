"""What a model remembers of the rows that it was trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.readers.label_sets import ONE, SEVERAL, LabelKind
from hardlimit.readers.opening import MAX_LINE

_TYPES: dict[str, tuple[type, ...]] = {
    "format": (str,),
    "text": (str, int),
    "label": (str, int),
    "header": (bool,),
    "delimiter": (str,),
    "quoting": (bool,),
    "encoding": (str,),
    "mail": (dict, bool),
    "label_from": (str,),
    "labels_separator": (str,),
    "max_line": (int,),
    "skip_bad": (bool,),
    "table": (bool,),
    "fold_labels": (bool,),
}
_OF_ONE_READING = ("label_from", "max_line", "skip_bad")  # no model remembers them
_KINDS = {
    "str": "a text",
    "str or int": "a column's name or number",
    "bool": "True or False",
    "int": "a number of bytes",
    "dict or bool": "True, False, or the settings of a mail reader",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a file are to be read; ``None`` means: find out.

    Parameters
    ----------
    format
        Name of a format, one of ``formats()``.
    text, label
        Name of a column, or its number from 0.
    header
        Whether the first row holds the names of the columns.
    delimiter
        One character between the fields.
    quoting
        Whether ``"`` encloses fields (default: yes in CSV, no in TSV).
    encoding
        Name of a Python codec.
    mail
        Of documents: whether they are raw mail, which is read by a
        :class:`~hardlimit.mail.MailReader`; or its settings, as its ``to_json`` gives them.
    label_from
        Of documents: where their labels come from, ``folder``, ``name:REGEX``, ``header:NAME`` or
        ``index:FILE``; see `hardlimit.readers.labelling`. Not part of what a model remembers.
    labels_separator
        What stands between the labels of a row that has several; each row's label is then a tuple,
        empty where its cell is. Lists of JSON Lines and of Arrow need none between them, but no
        label may hold it.
    max_line
        The longest line that is read, in bytes; of a CSV the longest row, of a folder the longest
        document. A longer one is refused. Not part of what a model remembers.
    skip_bad
        Whether rows that break the format, or lack the label, are left out; ``Table.notes()`` has
        their count and the first ten reasons. What cannot be resumed, such as a quote that is never
        closed or a damaged gzip, ends the reading all the same. Not remembered either.
    fold_labels
        Whether labels that differ only in case, blanks or Unicode form are one, called by the most
        frequent spelling. A table gives labels as they stand: who has read them all, or knows the
        classes, makes them one by `hardlimit.readers.Spellings`.
    table
        Whether all columns are wanted, and none of them has to be a text; ``Row.fields`` has them.

    Examples
    --------
    >>> Layout(format="csv", text="message").to_json()
    {'format': 'csv', 'text': 'message'}
    """

    format: str | None = None
    text: str | int | None = None
    label: str | int | None = None
    header: bool | None = None
    delimiter: str | None = None
    quoting: bool | None = None
    encoding: str | None = None
    mail: dict[str, Any] | bool | None = None
    label_from: str | None = None
    labels_separator: str | None = None
    max_line: int = MAX_LINE
    skip_bad: bool = False
    table: bool | None = None
    fold_labels: bool | None = None

    def __post_init__(self) -> None:
        for name, wanted in _TYPES.items():
            value = getattr(self, name)
            if value is None:
                continue
            # a bool is an int to Python: text=True would be column 1
            is_bool = isinstance(value, bool)
            if not isinstance(value, wanted) or (is_bool and bool not in wanted):
                kinds = " or ".join(kind.__name__ for kind in wanted)
                raise InputError(who="Layout", parameter=name, got=value, wanted=_KINDS[kinds])
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise InputError(
                who="Layout", parameter="delimiter", got=self.delimiter, wanted="one character"
            )
        separator = self.labels_separator
        if separator is not None and (not separator or not {"\r", "\n"}.isdisjoint(separator)):
            raise InputError(
                who="Layout",
                parameter="labels_separator",
                got=separator,
                wanted="one character or more, and no line break",
            )
        if self.max_line < 1:
            raise InputError(
                who="Layout", parameter="max_line", got=self.max_line, wanted="1 or more"
            )
        for name in ("text", "label"):
            value = getattr(self, name)
            if isinstance(value, int) and value < 0:
                raise InputError(
                    who="Layout", parameter=name, got=value, wanted="a column number from 0"
                )

    @property
    def labels(self) -> LabelKind:
        """How many labels a row has."""
        return ONE if self.labels_separator is None else SEVERAL

    def to_json(self) -> dict[str, Any]:
        """Return what is known, as plain JSON."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {
            name: value
            for name, value in pairs
            if value is not None and name not in _OF_ONE_READING
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Layout:
        """Undo `to_json`; `InputError` for anything that is not a layout."""
        # named here, since `cls(**plain)` would raise a TypeError that no face shows well
        unknown = sorted(set(plain) - set(_TYPES))
        if unknown:
            known = ", ".join(sorted(_TYPES))
            raise InputError(f"unknown entries {unknown}; known are {known}", who="Layout")
        return cls(**plain)
