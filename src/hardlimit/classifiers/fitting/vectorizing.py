"""The vectorizer that the choices of a classifier of texts ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hardlimit.classifiers.model.choices import Choices
from hardlimit.exceptions import InputError
from hardlimit.text import TextVectorizer, default_features
from hardlimit.text.batches import as_texts
from hardlimit.text.columns import ColumnsVectorizer


def check_names(names: Any) -> tuple[str, ...]:
    """Return names of columns; something else is refused."""
    # By type: a class of the user's could do anything when it is asked for its length.
    found = tuple(names) if type(names) in (list, tuple) else ()
    if not found or not all(type(name) is str for name in found) or len(set(found)) < len(found):
        wanted = "None, or different names of columns, such as ('subject', 'body')"
        raise InputError(parameter="text_columns", got=names, wanted=wanted)
    return found


def new_vectorizer(choices: Choices, texts: Iterable[Any]) -> tuple[TextVectorizer, Any]:
    """Return the vectorizer of these choices, and the texts, of which some were looked at."""
    settings = choices.text
    if settings is None:
        raise TypeError("a classifier of texts wants choices of how texts become rows")
    if settings.text_columns is not None:
        names, made = check_names(settings.text_columns), settings.of_vectorizer
        vectorizer: Any = ColumnsVectorizer.chosen(names, made, list(texts))
        return vectorizer, texts
    words, chars = settings.words, settings.chars
    words, chars, texts = default_features.choose(words, chars, as_texts(texts))
    chosen = {**settings.of_vectorizer, "words": words, "chars": chars}
    return TextVectorizer(**chosen), texts
