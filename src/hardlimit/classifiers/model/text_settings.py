"""How texts and the columns of a table become rows, as it was given to a fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from hardlimit.tables.settings import TableSettings


@dataclass(frozen=True)
class TextSettings:
    """How texts become rows, as it was given: ``"auto"`` is resolved by the texts of the fit.

    MADE_BY : what makes the rows, a module of ``classifiers/features/`` and its class.
    """

    MADE_BY: ClassVar[tuple[str, str]] = ("texts", "TextFeatures")

    words: Any = "auto"
    chars: Any = "auto"
    hash_bits: int | None = None
    tf: str = "sublinear"
    idf: str | None = "smooth"
    norm: str | None = "l2"
    block_weights: tuple[float, float] | None = None
    analyzer: str = "char_wb"
    strip_accents: str | None = None
    stop_words: Any = None
    min_df: int | float = 1
    max_df: int | float = 1.0
    max_features: int | None = None
    vocabulary: Any = None
    text_columns: tuple[str, ...] | None = None
    table: TableSettings | None = None

    @property
    def of_vectorizer(self) -> dict[str, Any]:
        """What a vectorizer is made with."""
        return {
            name: getattr(self, name) for name in SETTINGS if name not in ("text_columns", "table")
        }


class TextColumnsSettings(TextSettings):
    """How texts in several columns become rows."""

    MADE_BY = ("blocks", "TextColumnFeatures")


class ColumnsOfTableSettings(TextSettings):
    """How the columns of a table become rows; those of texts are among others."""

    MADE_BY = ("blocks", "TableFeatures")


SETTINGS = tuple(field.name for field in fields(TextSettings))
# What a model file names only where it is asked for: all that came after its second version.
TEXT_OPTIONS = {
    field.name: field.default
    for field in fields(TextSettings)
    if field.name not in ("words", "chars", "hash_bits", "tf", "idf", "norm", "block_weights")
}


def text_settings(given: Mapping[str, Any]) -> TextSettings | None:
    """Return the settings of texts among the arguments of a classifier; None of numbers."""
    if "words" not in given:
        return None
    # A file names those that are not the defaults.
    known = {name: given[name] for name in SETTINGS if name in given}
    if "number_columns" in given:
        from hardlimit.tables.settings import check_settings  # start-up: few classifiers have one

        known |= {"text_columns": None, "table": check_settings(given)}
        return ColumnsOfTableSettings(**known)
    kind = TextSettings if known.get("text_columns") is None else TextColumnsSettings
    return kind(**known)
