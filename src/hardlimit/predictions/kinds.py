"""The kinds of models, as model files spell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Importing the classifiers for them would import numpy.
TEXTS = "text classifier"
TEXT_COLUMNS = "classifier of text columns"
MANY_LABELS = "linear classifier of many labels"
TEXTS_MANY = "text classifier of many labels"
TABLES = "table classifier"
TABLES_MANY = "table classifier of many labels"
OF_TABLES = (TABLES, TABLES_MANY)
TEXT_COLUMNS_MANY = "classifier of text columns of many labels"
OF_TEXTS = (TEXTS, TEXT_COLUMNS, TEXTS_MANY, TEXT_COLUMNS_MANY, *OF_TABLES)


def votes(header: Mapping[str, Any]) -> bool:
    """Tell a model that answers by the votes of many hypotheses from one with weights."""
    parameters = header.get("parameters")
    # The header comes from a file, which may hold anything.
    return isinstance(parameters, dict) and parameters.get("readout") == "voted"
