"""A fitted model of tables: a model of numbers behind what makes rows of their columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from hardlimit.classifiers.model import explanation
from hardlimit.classifiers.model.explanation import Explanation, TermContribution
from hardlimit.classifiers.model.forms import NumbersForm, TableForm
from hardlimit.classifiers.model.text_model import ColumnsModel
from hardlimit.exceptions import InputError
from hardlimit.tables.rows import TableRows, as_table


@dataclass(eq=False)
class TableModel(ColumnsModel):
    """A model whose rows are made of the columns of a table."""

    codec = "tables"

    @property
    def form(self) -> NumbersForm:
        """What an example is: a row of columns of several kinds."""
        return TableForm({block.name: block.kind for block in self.vectorizer.blocks})

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that count."""
        names: tuple[str, ...] = self.vectorizer.names
        return names

    def batch(self, texts: object) -> Any:
        """Return the columns of this model of a table."""
        return as_table(texts, self.names)

    def check_one(self, text: object) -> None:
        """Refuse what is not one row."""
        if len(as_table([text], self.names)) != 1:
            raise InputError(parameter="row", got=text, wanted="one row")

    def _explain_now(
        self, text: Any, top: int | None, against: Hashable | None, label: Hashable | None
    ) -> Explanation:
        vectorizer = self.vectorizer
        table: TableRows = as_table([text], self.names)
        featurised = vectorizer.rows(table)
        columns = featurised.indices.tolist()
        opposed, weights, intercept = self._oppose(featurised, columns, against, label)
        block_of: dict[str, str] = {}
        has_texts = any(block.vectorizers for block in vectorizer.blocks)
        terms = []
        owners = (own.tolist() for own in vectorizer.owners(columns))
        owned = zip(columns, *owners, featurised.data, weights, strict=False)
        for column, k, own, value, row in owned:
            if not any(row):
                continue  # a feature without weights is unknown, as to a saved model
            block, name = vectorizer.blocks[k], vectorizer.names[k]
            if block.kind == "text":
                term = vectorizer.terms([column])[0]
                block_of[term] = explanation.blocks_of_columns((name,))(term)
            else:
                term = block.explain(own, table.columns[k][0])
                block_of[term] = name
            added = float(value) * opposed.toward(row)
            terms.append(TermContribution(term, float(value), added))
        return explanation.explain(
            opposed.labels,
            terms,
            intercept,
            top,
            block_of=block_of.__getitem__ if has_texts else None,
        )
