"""The vectorizer that the choices of a classifier of texts ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.choices import TextSettings
from hardlimit.examples.texts import as_texts
from hardlimit.exceptions import InputError
from hardlimit.foundation.tables import check_column_names
from hardlimit.text import TextVectorizer, default_features
from hardlimit.text.columns import ColumnsVectorizer

if TYPE_CHECKING:
    from hardlimit.tables.settings import TableSettings


def check_names(names: Any) -> tuple[str, ...]:
    """Return names of columns; something else is refused."""
    # By type: a class of the user's could do anything when it is asked for its length.
    found = tuple(names) if type(names) in (list, tuple) else ()
    if not found or not all(type(name) is str for name in found) or len(set(found)) < len(found):
        wanted = "None, or different names of columns, such as ('subject', 'body')"
        raise InputError(parameter="text_columns", got=names, wanted=wanted)
    return check_column_names(found)


def new_vectorizer(
    settings: TextSettings | None, texts: Iterable[Any]
) -> tuple[TextVectorizer, Any]:
    """Return the vectorizer of these settings, and the texts, of which some were looked at."""
    if settings is None:
        raise TypeError("a classifier of texts wants choices of how texts become rows")
    if settings.table is not None:
        return _new_table_vectorizer(settings, settings.table, texts), texts
    if settings.text_columns is not None:
        names, made = check_names(settings.text_columns), settings.of_vectorizer
        vectorizer: Any = ColumnsVectorizer.chosen(names, made, list(texts))
        return vectorizer, texts
    words, chars = settings.words, settings.chars
    words, chars, texts = default_features.choose(words, chars, as_texts(texts))
    chosen = {**settings.of_vectorizer, "words": words, "chars": chars}
    return TextVectorizer(**chosen), texts


def _new_table_vectorizer(settings: TextSettings, table: TableSettings, rows: Any) -> Any:
    from hardlimit.tables import TableVectorizer, decide_kinds  # start-up: texts do without

    kinds = decide_kinds(rows, table, counted=False)
    return TableVectorizer.of_kinds(kinds, table, settings.of_vectorizer, rows)
