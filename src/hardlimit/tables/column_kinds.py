"""What a column of a table can be: a number, a category, a text, or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from hardlimit.foundation.formatting import plural
from hardlimit.tables.block import AnyBlock
from hardlimit.tables.categories import CategoryBlock
from hardlimit.tables.cells import fold_spellings
from hardlimit.tables.column_values import MOST_VALUES
from hardlimit.tables.numbers import NumberBlock
from hardlimit.tables.settings import TableSettings
from hardlimit.tables.texts import TextBlock
from hardlimit.text import default_features
from hardlimit.text.vectorizer import TextVectorizer

_NEARLY_ALL = 0.9
Json = Mapping[str, Any]


@dataclass(frozen=True)
class TableColumn:
    """One column: its kind, and what was seen of it.

    named : whether the user said so.      missing, distinct, rows : how many values are missing,
    how many different ones a category has (beyond ``MOST_VALUES`` about so many), and rows.
    """

    name: str
    kind: ColumnKind
    named: bool
    missing: int
    distinct: int
    rows: int

    def describe(self, missing: str = "refuse") -> str:
        """Return the column in a few words, for people.

        >>> TableColumn("city", Category(), False, 0, 81, 900).describe()
        'category (81 values)'
        """
        return self.kind.describe(self, missing)


class ColumnKind:
    """A kind of column, which makes its block of features.

    name : as in the settings and in model files.      became : what a missing value becomes.
    example : the name of a feature, of a column called ``{}``.
    """

    name: str
    became = ""
    example = "{}"
    has_features = True

    def describe(self, column: TableColumn, missing: str) -> str:
        """Return the column in a few words, for people."""
        return self._join(self._count_missing(column, missing))

    def _count_missing(self, column: TableColumn, missing: str) -> list[str]:
        gone = f" -> {self.became}" if missing == "mean" else ""
        return [f"{column.missing:,} missing{gone}"] if column.missing else []

    def _join(self, parts: list[str]) -> str:
        return f"{self.name} ({', '.join(parts)})" if parts else self.name

    def make(
        self, name: str, settings: TableSettings, texts: Json, values: Sequence[Any]
    ) -> AnyBlock:
        """Make the block of a column with these values; ``texts`` : settings of its texts."""
        raise ValueError(f"a column of the kind {self.name!r}")

    def restore(self, name: str, header: Json, arrays: Json, settings: TableSettings) -> AnyBlock:
        """Make the block of a model file, of what a stranger may have written."""
        block: Any = self.make(name, settings, {}, ())
        block.restore(header, arrays)
        return cast("AnyBlock", block)


class Number(ColumnKind):
    """A number."""

    name, became = "number", "mean"

    def make(
        self, name: str, settings: TableSettings, texts: Json, values: Sequence[Any]
    ) -> AnyBlock:
        """Make a block without a mean."""
        return NumberBlock(name, fold_spellings(settings.missing_values), settings.missing)


class Category(ColumnKind):
    """One of some values."""

    name, became, example = "category", "a value", "{} = VALUE"

    def describe(self, column: TableColumn, missing: str) -> str:
        """Return the column with the number of its values."""
        about = "about " if column.distinct > MOST_VALUES else ""
        parts = [about + plural(column.distinct, "value"), *self._count_missing(column, missing)]
        if column.distinct > _NEARLY_ALL * column.rows > 20:
            parts.append("nearly all different")
        return self._join(parts)

    def make(
        self, name: str, settings: TableSettings, texts: Json, values: Sequence[Any]
    ) -> AnyBlock:
        """Make a block without values."""
        spellings = fold_spellings(settings.missing_values)
        return CategoryBlock(name, spellings, settings.missing, settings.hash_categories)


class Words(ColumnKind):
    """A text."""

    name, became, example = "text", "empty", "{}: WORD"

    def make(
        self, name: str, settings: TableSettings, texts: Json, values: Sequence[Any]
    ) -> AnyBlock:
        """Make a block without terms; the values decide settings that are left open."""
        known = [value if isinstance(value, str | bytes) else "" for value in values]
        words, chars, _ = default_features.choose(texts["words"], texts["chars"], known)
        made = TextVectorizer(**{**texts, "words": words, "chars": chars})
        return TextBlock(name, settings.missing, made)

    def restore(self, name: str, header: Json, arrays: Json, settings: TableSettings) -> AnyBlock:
        """Make the block of a model file."""
        return TextBlock(name, settings.missing, TextVectorizer.from_frozen(header, arrays))


class LeftOut(ColumnKind):
    """A column that does not count."""

    name, has_features = "drop", False

    def describe(self, column: TableColumn, missing: str) -> str:
        """Return why it is left out."""
        return "left out" if column.named else "left out: it has no values"


COLUMN_KINDS = {kind.name: kind for kind in (Words(), Number(), Category(), LeftOut())}
