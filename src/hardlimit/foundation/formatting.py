"""Numbers and names as people read them: counts with their nouns, sizes, labels made harmless."""

from __future__ import annotations


def plural(number: int, one: str, many: str | None = None) -> str:
    """Name a number of things.

    >>> plural(1, "text"), plural(5574, "text"), plural(3, "class", "classes")
    ('1 text', '5,574 texts', '3 classes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def format_signed(value: float, places: int) -> str:
    """Return a number with its sign; what rounds to 0 has none.

    >>> format_signed(1.5, 2), format_signed(-0.25, 2), format_signed(-0.0, 2)
    ('+1.50', '-0.25', '0.00')
    """
    text = f"{value:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def format_bytes(number: int) -> str:
    """Name a number of bytes.

    >>> format_bytes(812), format_bytes(1_572_864)
    ('812 bytes', '1.5 MB')
    """
    if number < 1000:
        return f"{number} bytes"
    value, units = number / 1024, ["kB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value, units = value / 1024, units[1:]
    return f"{value:.1f} {units[0]}"


def escape_controls(text: str) -> str:
    r"""Show control characters and the like as escapes.

    >>> escape_controls("a\tb\x1b[31m")
    'a\\tb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def format_label(label: object) -> str:
    """Return a label for people, on one line."""
    return escape_controls(
        label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    )


def display_width(text: str) -> int:
    """Return how many columns a terminal takes for printable text.

    >>> display_width("spam"), display_width("日本"), display_width("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    import unicodedata

    def of(char: str) -> int:
        if unicodedata.category(char) in ("Mn", "Me", "Cf"):
            return 0
        return 2 if unicodedata.east_asian_width(char) in "WF" else 1

    return sum(map(of, text))


def label_to_json(label: object) -> str | int | float | bool:
    """Return a label as JSON and tables can hold it.

    >>> label_to_json(b"spam"), label_to_json(1.5)
    ('spam', 1.5)
    """
    if isinstance(label, bytes):
        # Never fails: labels of bytes need not be UTF-8.
        return label.decode("utf-8", "backslashreplace")
    known = label.item() if hasattr(label, "item") else label  # numpy's scalars
    assert isinstance(known, str | int | float | bool)  # labels are numbers, texts or bytes
    return known
