"""Find out which column is the text, which the label, and whether there is a header.

In this order: what the user asked for; obvious names in the first row (`TEXT_NAMES`,
those of `LabelKind`, the first that is there); with two columns, the label is the one whose values
repeat, else the shorter one. Anything else is refused with the names that are there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.exceptions import ColumnError, Given, Reference, Setting, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.suggesting import find_nearest
from hardlimit.readers.layout import Layout
from hardlimit.readers.rows import Item, in_batches, measure

TEXT_NAMES = (
    "text message body content comment sms email mail review tweet post document sentence "
    "question utterance description note subject title"
).split()
_NAMED = 12  # columns in a message
# The topic of the error on columns of which none is known to be the text.
NO_TEXT = "no-text-column"
LABEL_LENGTH = 64  # a value longer than this is not taken for a label without a header
Sample = Sequence[Sequence[str]]


def resolve_columns(name: str, layout: Layout, sample: Sample, *, need_label: bool) -> Layout:
    """Return the layout with ``header``, ``text`` and, where there is one, ``label`` filled in.

    Parameters
    ----------
    name
        The file, for messages.
    layout
        What the user gave.
    sample
        The first rows, the possible header included; at least one.
    need_label
        Whether rows without a label are of no use.

    Returns
    -------
    Layout
        With a header, columns by name; without, by number.

    Examples
    --------
    >>> rows = [["ham", "ok"], ["ham", "see you"]]
    >>> resolve_columns("x.tsv", Layout(), rows, need_label=True).to_json()
    {'text': 1, 'label': 0, 'header': False}
    """
    header = layout.header
    if header is None:
        header = _has_header(layout, sample)
    layout = replace(layout, header=header)
    names = (
        [cell.strip() for cell in sample[0]] if header else list(map(str, range(len(sample[0]))))
    )
    body = sample[1:] if header else sample
    text, label = _find_requested(name, layout, names, need_label=need_label)
    text, label = _wanted(layout).find(names, body, text, label, layout.labels.names)
    _refuse_duplicates(name, names, (layout.text, text), (layout.label, label))
    without = text is None and _wanted(layout).text_is_needed
    if without or (label is None and need_label):
        text = None if without else 0
        raise _ambiguous_error(name, names, header=header, text=text, label=label)

    def identify(column: int | None) -> str | int | None:
        # by name where the name is there and says which: columns may move in the next file
        by_name = column is not None and header and names.count(names[column]) == 1
        return (names[column] or column) if by_name and column is not None else column

    return replace(layout, text=identify(text), label=identify(label))


def resolve_keys(
    name: str,
    layout: Layout,
    keys: Sequence[str],
    sample: Iterable[Mapping[str, Any]],
    *,
    need_label: bool,
) -> tuple[Layout, str | None, str | None]:
    """Return the layout of records with keys, and the keys of the text and of the label."""
    # as a table with a header, so that columns are found as in a CSV
    cells = [keys, *([_as_cell(record.get(key)) for key in keys] for record in sample)]
    found = resolve_columns(name, replace(layout, header=True), cells, need_label=need_label)
    text, label = (None if k is None else keys[k] for k in locate_columns(found, keys))
    return replace(found, header=None, text=text, label=label), text, label


def _as_cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


class _OneText:
    """Rows of which one column is the text."""

    text_is_needed = True

    def find(
        self,
        names: Sequence[str],
        body: Sample,
        text: int | None,
        label: int | None,
        label_names: Sequence[str],
    ) -> tuple[int | None, int | None]:
        """Find what nobody named: by obvious names, else by the values."""
        # in the order of our list, not of the file: "text" goes before "title" wherever it stands
        if text is None:
            text = _find_obvious(names, TEXT_NAMES, label)
        if label is None:
            label = _find_obvious(names, label_names, text)
        # one column without a known name can only be the text: labels alone teach nothing
        if len(names) == 1 and text is None and label is None:
            text = 0
        # after the names: a header that says what is what is never overruled by the values
        if len(names) == 2 and (text is None or label is None):
            text, label = _choose_of_two(body, text, label)
        return text, label

    def has_header(self, layout: Layout, first: list[str], sample: Sample) -> bool:
        """Tell a header of which no name is known."""
        if layout.text is not None or layout.label is not None:
            return False
        if len(first) != 2:
            return len(first) > 2  # `_ambiguous_error` then shows the first row as names
        # Two columns without a known name: a first row whose label is nowhere below holds names.
        _, label = _choose_of_two(sample, None, None)
        return label is not None and first[label] not in {row[label].strip() for row in sample[1:]}


class _AllColumns(_OneText):
    """Rows of a table: no column has to be a text."""

    text_is_needed = False

    def find(
        self,
        names: Sequence[str],
        body: Sample,
        text: int | None,
        label: int | None,
        label_names: Sequence[str],
    ) -> tuple[int | None, int | None]:
        """Find the label by obvious names."""
        return text, _find_obvious(names, label_names) if label is None else label

    def has_header(self, layout: Layout, first: list[str], sample: Sample) -> bool:
        """Tell a header: names are no numbers, and each is there once."""
        is_named = all(first) and len(set(first)) == len(first)
        return is_named and not any(map(_is_value, first))


def _wanted(layout: Layout) -> _OneText:
    """Return what is taken of a row."""
    return _AllColumns() if layout.table else _OneText()


def locate_columns(layout: Layout, columns: Sequence[str]) -> tuple[int | None, int | None]:
    """Return the numbers of the text's and the label's column of a resolved layout."""

    def locate(column: str | int | None) -> int | None:
        return columns.index(column) if isinstance(column, str) else column

    return locate(layout.text), locate(layout.label)


def take_sample(
    records: Iterable[Item], most: int, cells: Callable[[Item], Iterable[Any]]
) -> list[Item]:
    """Return the first records, to find the columns by: so many, and a few megabytes at most.

    >>> len(take_sample([["a"], ["b"], ["c"]], 2, list))
    2
    """
    return next(in_batches(records, most, lambda record: measure(cells(record))), [])


def missing_column_error(
    name: str, wanted: str | int, role: str, names: Sequence[str]
) -> ColumnError:
    """Build the error for a column that is not there; it suggests the nearest."""
    lower = {name.lower(): name for name in reversed(names)}  # the first of equal ones
    near = find_nearest(str(wanted).lower(), lower)
    nearest = None if near is None else lower[near]
    return ColumnError(
        f"there is no column {abbreviate(wanted)} for the {role}; there are {list_names(names)}",
        where=name,
        fix="" if nearest is None else f"did you mean {nearest!r}?",
    )


def list_names(names: Sequence[str]) -> str:
    """List names of columns for a message, not too many.

    >>> list_names(["a", "b"])
    "'a', 'b'"
    """
    # 100,000 columns are common in tables of numbers, and a terminal shows about twelve names
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(abbreviate, names[:_NAMED])) + more


def _has_header(layout: Layout, sample: Sample) -> bool:
    requested = [column for column in (layout.text, layout.label) if isinstance(column, str)]
    first = [cell.strip() for cell in sample[0]]
    # a name that was asked for must stand somewhere, and only a header holds names
    if any(not is_number(column) or column in first for column in requested):
        return True
    known = {*TEXT_NAMES, *layout.labels.names}
    if not known.isdisjoint(cell.lower() for cell in first):
        return True
    return _wanted(layout).has_header(layout, first, sample)


def _refuse_duplicates(
    name: str, names: Sequence[str], *pairs: tuple[str | int | None, int | None]
) -> None:
    """Refuse a column whose name another one has too."""
    for requested, column in pairs:
        # a number says which one is meant, whatever the names are
        by_number = isinstance(requested, int) or is_number(requested or "")
        if column is None or by_number or names.count(names[column]) == 1:
            continue
        same = [str(number) for number, other in enumerate(names) if other == names[column]]
        more = ", ..." if len(same) > _NAMED else ""
        raise ColumnError(
            f"{plural(len(same), 'column')} are called {abbreviate(names[column])} "
            f"(numbers {', '.join(same[:_NAMED])}{more})",
            where=name,
            fix="rename them, or give the column by number",
        )


def _find_requested(
    name: str, layout: Layout, names: Sequence[str], *, need_label: bool
) -> tuple[int | None, int | None]:
    """Find the columns that the user (or the model) named."""
    text = _find_column(layout.text, names)
    if layout.text is not None and text is None:
        if len(names) == 1 and not need_label and not layout.header:
            text = 0  # bare texts for a model that was trained on label and text
        else:
            raise missing_column_error(name, layout.text, "text", names)
    label = _find_column(layout.label, names)
    if layout.label is not None and label is None and need_label:
        raise missing_column_error(name, layout.label, "label", names)
    if text is not None and text == label:
        # bare texts under a layout by numbers: the label's column 0 is then the text itself
        if need_label or len(names) > 1:
            raise ColumnError(
                f"column {names[text]!r} cannot be text and label at once", where=name
            )
        label = None
    return text, label


def _is_value(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell == "?"
    return True


def is_number(column: str) -> bool:
    """Whether this can be the number of a column."""
    return column.isdecimal() and len(column) < 10


def _find_column(wanted: str | int | None, names: Sequence[str]) -> int | None:
    # the name before the number: a column may well be called "2"
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    if isinstance(wanted, str) and is_number(wanted):
        wanted = int(wanted)
    if isinstance(wanted, int) and 0 <= wanted < len(names):
        return wanted
    return None


def _find_obvious(
    names: Sequence[str], obvious: Sequence[str], other: int | None = None
) -> int | None:
    """Return the column with the first of some obvious names, which is not the other one."""
    lower = [name.lower() for name in names]
    places = (lower.index(name) for name in obvious if name in lower)
    return next((place for place in places if place != other), None)


def _choose_of_two(
    body: Sample, text: int | None, label: int | None
) -> tuple[int | None, int | None]:
    """Choose text and label among two columns by their values."""
    if text is not None:
        return text, 1 - text
    if label is not None:
        return 1 - label, label
    values = [[row[column].strip() for row in body if len(row) == 2] for column in (0, 1)]
    # a header alone has no values to tell the two apart by
    if not values[0]:
        return None, None
    # A label is short and repeats: few distinct values decide, then the shorter column.
    short = [max(map(len, column)) <= LABEL_LENGTH for column in values]
    distinct = [len(set(column)) for column in values]
    length = [sum(map(len, column)) for column in values]
    label = min((0, 1), key=lambda c: (not short[c], distinct[c], length[c]))
    return 1 - label, label


def _ambiguous_error(
    name: str, names: Sequence[str], *, header: bool, text: int | None, label: int | None
) -> ColumnError:
    missing = "text" if text is None else "label"
    if len(names) == 1 and missing == "label":
        return ColumnError(
            f"there is only one column ({list_names(names)}), so there are no labels", where=name
        )
    given = Given("NAME" if header else "NUMBER")
    fix: tuple[str | Reference, ...] = ("say ", Setting(missing, given))
    if label is None and text is None:  # or of a mixed table the label alone
        fix += (" and ", Setting("label", given))
    if header:
        fix += (", or ", Setting("header", False), " if the first row is data")
    else:
        fix += (" (from 0)",)
    return ColumnError(
        f"which column is the {missing}? There are {list_names(names)}",
        where=name,
        fix=fix,
        topic=NO_TEXT if missing == "text" else "",
    )
