"""What a model remembers of the rows that it was trained on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from hardlimit.exceptions import InputError

_TYPES: dict[str, tuple[type, ...]] = {
    "format": (str,),
    "text": (str, int),
    "label": (str, int),
    "header": (bool,),
    "delimiter": (str,),
    "quoting": (bool,),
    "encoding": (str,),
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

    def __post_init__(self) -> None:
        for name, wanted in _TYPES.items():
            value = getattr(self, name)
            if value is None:
                continue
            is_bool = isinstance(value, bool)
            if not isinstance(value, wanted) or (is_bool and bool not in wanted):
                kinds = " or ".join(kind.__name__ for kind in wanted)
                raise InputError(f"Layout: {name} must be {kinds}, got {value!r}")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise InputError(f"Layout: delimiter must be one character, got {self.delimiter!r}")
        for name in ("text", "label"):
            value = getattr(self, name)
            if isinstance(value, int) and value < 0:
                raise InputError(f"Layout: {name} is a column number from 0, got {value}")

    def to_json(self) -> dict[str, str | int | bool]:
        """Return what is known, as plain JSON."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value is not None}

    def for_file(self, path: str) -> Layout:
        """Adapt what a model remembers to another file: its extension, if known, goes first.

        Columns are kept; where the format differs, header, delimiter and quoting are found out
        anew (unless the columns are numbers, which only mean something without a header).

        >>> Layout("tsv", "body", "tag", header=True).for_file("new.jsonl")
        Layout(format='jsonl', text='body', label='tag', header=None, delimiter=None, \
quoting=None, encoding=None)
        """
        from hardlimit.readers.registry import by_extension

        found = "folder" if os.path.isdir(path) else by_extension(path)
        if found in (None, self.format):
            return self
        numbered = isinstance(self.text, int) and self.header is False
        return Layout(
            found, self.text, self.label, False if numbered else None, encoding=self.encoding
        )

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Layout:
        """Undo `to_json`; `InputError` for anything that is not a layout."""
        unknown = sorted(set(plain) - set(_TYPES))
        if unknown:
            raise InputError(f"Layout: unknown entries {unknown}; known are {sorted(_TYPES)}")
        return cls(**plain)
