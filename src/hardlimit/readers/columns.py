"""Find out which column is the text, which the label, and whether there is a header.

In this order: what the user asked for; obvious names in the first row (`TEXT_NAMES`,
`LABEL_NAMES`, the first that is there); with two columns, the label is the one whose values
repeat, else the shorter one. Anything else is refused with the names that are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardlimit.exceptions import ColumnError
from hardlimit.readers.layout import Layout

TEXT_NAMES = (
    "text message body content comment sms email mail review tweet post document sentence "
    "question utterance description note subject title"
).split()
LABEL_NAMES = (
    "label category class target folder intent topic sentiment tag spam is_spam y"
).split()
LABEL_LENGTH = 64  # a value longer than this is not taken for a label without a header
Sample = Sequence[Sequence[str]]


def resolve(name: str, layout: Layout, sample: Sample, *, need_label: bool) -> Layout:
    """Return the layout with ``header``, ``text`` and, where there is one, ``label`` filled in.

    Parameters
    ----------
    name
        The file, for messages.
    layout
        What is asked for.
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
    >>> resolve("x.tsv", Layout(), [["ham", "ok"], ["ham", "see you"]], need_label=True)
    Layout(format=None, text=1, label=0, header=False, delimiter=None, quoting=None, encoding=None)
    """
    header = layout.header
    if header is None:
        header = _has_header(layout, sample)
    layout = replace(layout, header=header)
    names = (
        [cell.strip() for cell in sample[0]] if header else list(map(str, range(len(sample[0]))))
    )
    body = sample[1:] if header else sample
    text, label = _asked(name, layout, names, need_label=need_label)
    text, label = _by_name(names, text, label)
    _refuse_twins(name, names, (layout.text, text), (layout.label, label))
    if len(names) == 1 and text is None and label is None:
        text = 0
    if len(names) == 2 and (text is None or label is None):
        text, label = _of_two(body, text, label)
    if text is None or (label is None and need_label):
        raise _undecided(name, names, header=header, text=text, label=label)

    def shown(column: int) -> str | int:
        by_name = header and names[column] and names.count(names[column]) == 1
        return names[column] if by_name else column

    return replace(layout, text=shown(text), label=None if label is None else shown(label))


def place(layout: Layout, columns: Sequence[str]) -> tuple[int, int | None]:
    """Return the numbers of the text's and the label's column of a resolved layout."""

    def number(column: str | int) -> int:
        return column if isinstance(column, int) else columns.index(column)

    if layout.text is None:
        raise ColumnError("the layout names no text column")
    return number(layout.text), None if layout.label is None else number(layout.label)


def no_column(name: str, wanted: str | int, role: str, names: Sequence[str]) -> ColumnError:
    """Build the error for a column that is not there; it suggests the nearest."""
    import difflib

    near = difflib.get_close_matches(str(wanted).lower(), [n.lower() for n in names], n=1)
    nearest = next((n for n in names if near and n.lower() == near[0]), None)
    hint = "" if nearest is None else f"; did you mean {nearest!r}?"
    shown = ", ".join(map(repr, names))
    return ColumnError(f"{name}: no column {wanted!r} for the {role}; there are {shown}{hint}")


def _has_header(layout: Layout, sample: Sample) -> bool:
    asked = [column for column in (layout.text, layout.label) if isinstance(column, str)]
    first = [cell.strip() for cell in sample[0]]
    if any(not column.isdecimal() or column in first for column in asked):
        return True
    if any(cell.lower() in TEXT_NAMES or cell.lower() in LABEL_NAMES for cell in first):
        return True
    if asked or isinstance(layout.text, int) or isinstance(layout.label, int):
        return False
    if len(first) != 2:
        return len(first) > 2  # `_undecided` then shows the first row as names
    _, label = _of_two(sample, None, None)
    return label is not None and first[label] not in {row[label].strip() for row in sample[1:]}


def _refuse_twins(
    name: str, names: Sequence[str], *pairs: tuple[str | int | None, int | None]
) -> None:
    """Refuse a column that was found by a name that two have."""
    for asked, found in pairs:
        by_number = isinstance(asked, int) or (asked or "").isdecimal()
        if found is None or by_number or names.count(names[found]) == 1:
            continue
        twins = [str(number) for number, other in enumerate(names) if other == names[found]]
        raise ColumnError(
            f"{name}: {len(twins)} columns are called {names[found]!r} "
            f"(numbers {', '.join(twins)}); rename them, or give the column by number"
        )


def _asked(
    name: str, layout: Layout, names: Sequence[str], *, need_label: bool
) -> tuple[int | None, int | None]:
    """Find the columns that the user (or the model) named."""
    text = _find(layout.text, names)
    if layout.text is not None and text is None:
        if len(names) == 1 and not need_label and not layout.header:
            text = 0  # bare texts for a model that was trained on label and text
        else:
            raise no_column(name, layout.text, "text", names)
    label = _find(layout.label, names)
    if layout.label is not None and label is None and need_label:
        raise no_column(name, layout.label, "label", names)
    if text is not None and text == label:
        if need_label or len(names) > 1:
            raise ColumnError(f"{name}: column {names[text]!r} cannot be text and label at once")
        label = None
    return text, label


def _find(wanted: str | int | None, names: Sequence[str]) -> int | None:
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    if isinstance(wanted, str) and wanted.isdecimal():
        wanted = int(wanted)
    if isinstance(wanted, int) and wanted < len(names):
        return wanted
    return None


def _by_name(
    names: Sequence[str], text: int | None, label: int | None
) -> tuple[int | None, int | None]:
    """Take the first obvious name for what is still open."""
    lower = [name.lower() for name in names]
    if text is None:
        text = next(
            (lower.index(n) for n in TEXT_NAMES if n in lower and lower.index(n) != label), None
        )
    if label is None:
        label = next(
            (lower.index(n) for n in LABEL_NAMES if n in lower and lower.index(n) != text), None
        )
    return text, label


def _of_two(body: Sample, text: int | None, label: int | None) -> tuple[int | None, int | None]:
    """Of two columns, one known or none: tell the other by its values."""
    if text is not None:
        return text, 1 - text
    if label is not None:
        return 1 - label, label
    values = [[row[column].strip() for row in body if len(row) == 2] for column in (0, 1)]
    if not values[0]:
        return None, None
    short = [max(map(len, column)) <= LABEL_LENGTH for column in values]
    distinct = [len(set(column)) for column in values]
    length = [sum(map(len, column)) for column in values]
    label = min((0, 1), key=lambda c: (not short[c], distinct[c], length[c]))
    return 1 - label, label


def _undecided(
    name: str, names: Sequence[str], *, header: bool, text: int | None, label: int | None
) -> ColumnError:
    missing = "text" if text is None else "label"
    shown = ", ".join(map(repr, names))
    if len(names) == 1 and missing == "label":
        return ColumnError(f"{name}: one column only ({shown}), so there are no labels")
    how = f"--{missing} NAME" if header else f"--{missing} NUMBER (from 0)"
    hint = ", or --no-header if the first row is data" if header else ""
    return ColumnError(f"{name}: which column is the {missing}? There are {shown}; say {how}{hint}")
