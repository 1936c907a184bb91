"""Mixed tables for the commands: reading the columns of a file, and saying what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from hardlimit import readers
from hardlimit.cli import terminal
from hardlimit.cli.option_words import given_names
from hardlimit.cli.options import LayoutSettings
from hardlimit.cli.table_options import NAMES, parse_weights
from hardlimit.exceptions import ColumnError, HardlimitError, InputError
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import name_column
from hardlimit.readers import Layout
from hardlimit.readers.columns import NO_TEXT
from hardlimit.readers.numbers import detect_by_extension
from hardlimit.readers.registry import DOCUMENTS
from hardlimit.tables import TableSettings, decide_kinds_of_parts
from hardlimit.tables.vectorizer import explicit

if TYPE_CHECKING:
    from hardlimit.cli.commands.certify.command import CertifyOptions
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.tune.command import TuneOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.tables import Kinds, TableRows

    RowOptions = TrainOptions | TuneOptions | CertifyOptions

_SHOWN = 40  # columns in the table that is printed


def settle(options: RowOptions, settings: LayoutSettings) -> LayoutSettings | None:
    """Return how a file is read as a mixed table; None where no option says that it is one."""
    named = given_names(options, NAMES)
    if not named:
        return None
    first = named[0]
    promised = settings.get("format") or detect_by_extension(options.source)
    if storage.is_folder(options.source) or promised in DOCUMENTS:
        raise click.UsageError(f"{first} is of tables; {options.source} is no table")
    if promised in ("svmlight", "vw", "npy", "npz", "idx"):
        raise click.UsageError(f"{first} is of tables with named columns; {promised} has none")
    settings = {name: value for name, value in settings.items() if name not in ("text", "drop")}
    return _in_format(options.source, settings) | {"table": True}


def _in_format(path: str, settings: LayoutSettings) -> LayoutSettings:
    """Return the settings with the format that reads words where the usual one reads numbers."""
    promised = settings.get("format") or detect_by_extension(path)
    if promised == "arff":
        return settings | {"format": "weka"}
    if promised is not None and promised.startswith("numeric-") and "format" in settings:
        return settings | {"format": promised.removeprefix("numeric-")}
    return settings


def detect_words(path: str, settings: LayoutSettings) -> LayoutSettings | None:
    """Return how a file of numbers is read that nobody described, if it is a mixed table.

    It is one if it would be refused otherwise: not all of its columns are numbers.
    """
    # Whoever names the format is believed: numbers are meant.
    is_arff = "format" not in settings and detect_by_extension(path) == "arff"
    if not is_arff or not _may_be_table(path, settings):
        return None
    known = {name: value for name, value in settings.items() if name != "drop"}
    is_mixed = _has_words(path, known, settings.get("drop", ()))
    return _in_format(path, known) | {"table": True} if is_mixed else None


def detect_columns(path: str, settings: LayoutSettings) -> LayoutSettings | None:
    """Return how a file of words is read that nobody described, if it is a mixed table.

    It is one if it would be refused otherwise: no column is known to be the text.
    """
    known = {name: value for name, value in settings.items() if name != "drop"}
    is_mixed = _may_be_table(path, settings) and _lacks_text(path, known)
    return known | {"table": True} if is_mixed else None


def _may_be_table(path: str, settings: LayoutSettings) -> bool:
    # Standard input cannot be read twice, and whoever says what the text is is believed.
    return storage.is_file(path) and not {"text", "mail", "label_from"} & settings.keys()


def _lacks_text(path: str, settings: LayoutSettings) -> bool:
    """Tell a table of several columns of which one is the label, and none is known as the text."""
    try:
        with readers.open_rows(path, Layout.from_json(settings), need_label=True):
            return False
    except ColumnError as error:
        if error.topic != NO_TEXT:
            return False
    except (HardlimitError, OSError):
        return False
    try:
        layout = Layout.from_json(settings | {"table": True})
        with readers.open_rows(path, layout, need_label=True):
            return True
    except (HardlimitError, OSError):
        return False


def _has_words(path: str, settings: LayoutSettings, drop: Sequence[str]) -> bool:
    """Tell an ARFF that has attributes of words beside the label."""
    from hardlimit.readers.arff import default_label, read_attributes  # few files are of this kind
    from hardlimit.readers.decoding import TextSource

    try:
        with TextSource(path) as source:
            attributes = read_attributes(source, source.lines())
    except HardlimitError:
        return False
    label = settings.get("label") or default_label(attributes)
    others = [one for one in attributes if one.name not in (label, *drop)]
    return any(one.kind != "number" for one in others)


def parameters(options: RowOptions) -> dict[str, Any]:
    """Return what the options say of the columns, as the classifier's parameters."""
    found = {
        "text_columns": options.texts or None,
        "number_columns": options.number_columns or None,
        "category_columns": options.category_columns or None,
        "drop_columns": options.drop,
        "missing": options.missing,
        "missing_values": options.missing_values or None,
        "hash_categories": options.hash_categories,
        "column_weights": parse_weights(options.column_weights),
    }
    return {name: value for name, value in found.items() if value not in (None, ())}


def decide(classifier: Classifier, name: str, parts: Callable[[], Iterable[TableRows]]) -> Kinds:
    """Return the kind of each column; ``parts`` gives the rows from their beginning."""
    try:
        return decide_kinds_of_parts(parts, _settings_of(classifier))
    except InputError as error:
        raise error.replaced(where=f"{name}: {error.where}".rstrip(": ")) from None


def take_kinds(classifier: Classifier, kinds: Kinds, layout: Layout | None) -> None:
    """Give the classifier the kind of each column, and print them."""
    settings = _settings_of(classifier)
    named = explicit(settings, kinds)
    groups = ("text_columns", "number_columns", "category_columns")
    classifier.set_params(**{name: getattr(named, name) for name in groups})
    _show(kinds, settings.missing, layout)


def _settings_of(classifier: Classifier) -> TableSettings:
    text = classifier.resolve_parameters(rule_known=False).text
    assert text is not None and text.table is not None  # it learns from tables
    return text.table


def _show(kinds: Kinds, missing: str, layout: Layout | None) -> None:
    """Say what each column is taken for."""
    said = [f"{name_column(kind.name)}: {kind.describe(missing)}" for kind in kinds[:_SHOWN]]
    if len(kinds) > _SHOWN:
        said.append("and " + plural(len(kinds) - _SHOWN, "more column"))
    if layout is not None and layout.label is not None:
        said.append(f"{layout.label}: the label")
    told = not all(kind.named for kind in kinds)
    hint = " (told by their values; --number, --category, --text or --drop NAME say otherwise)"
    terminal.remark("columns: " + "; ".join(said) + (hint if told else ""))
    if any(not kind.name and kind.kind.has_features for kind in kinds):
        terminal.remark(
            "a column has no name: where pandas has written it, it numbers the rows, and "
            "--drop '' leaves it out"
        )
