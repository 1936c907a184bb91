"""What is asked of a command or of a training before any row is read.

Four values meet here: what an example is (*features*), how it says what it is (*targets*), where
the rows are while they are learnt (*way*), and what else was asked for. Which of them do not go
together is the subject of :mod:`hardlimit.classifiers.model.conflicts`, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Features: what an example is. Points are numbers that a kernel compares.
TEXT, TEXTS, TABLE, NUMBERS, POINTS = "text", "text columns", "table", "numbers", "kernel"
OF_TEXTS = (TEXT, TEXTS, TABLE)
OF_NUMBERS = (NUMBERS, POINTS)
# Targets: one label, any number of labels in one column, or a column for each label.
ONE, SETS, COLUMNS = "one label", "label sets", "columns of labels"
# Ways: all rows in memory, blocks of them, shards of files, or a batch at a time.
MEMORY, STREAM, CLUSTER, BATCHES = "memory", "stream", "cluster", "batches"
# Who refuses, by the way.
METHODS: Mapping[str, str] = {
    MEMORY: "fit",
    STREAM: "fit_stream",
    CLUSTER: "distributed.train",
    BATCHES: "partial_fit",
}


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What is asked for, as far as it is known before any row is read.

    command : of the command line; that of Python's classifiers is ``train``.
    features, targets, way : one of the names above each; features "" where nobody has looked yet.
    asked : the names of the parameters that were set by whoever asks.
    piped : the rows come once, by standard input or a pipe.
    """

    command: str = "train"
    features: str = ""
    targets: str = ONE
    way: str = MEMORY
    asked: frozenset[str] = frozenset()
    piped: bool = False

    def first(self, names: tuple[str, ...]) -> str:
        """Return the first of some parameters that was asked for; empty where none was."""
        return next((name for name in names if name in self.asked), "")
