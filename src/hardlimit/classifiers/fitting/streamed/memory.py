"""How much memory a stream takes at most, said before it begins."""

from __future__ import annotations

from typing import NamedTuple

from hardlimit import rules
from hardlimit.classifiers.fitting.streamed.opening import Opened
from hardlimit.classifiers.model.choices import Choices
from hardlimit.foundation.formatting import format_bytes
from hardlimit.learner import Plan
from hardlimit.streaming.terms import BUDGET, CHOSEN
from hardlimit.text import TextVectorizer

# Measured: the interpreter with numpy and this package.
PROGRAM = 90 << 20
# The first texts, of which at most 64 MB are looked at; batches of 4 MB, the reader's of 8 MB, and
# blocks of the rows of usual texts.
ON_THE_WAY = 128 << 20
# Of a hashed column: the name of its first term, and the tables of both as the file is written.
NAME = 130
PLACE = 12  # its number among the columns of all blocks, and that as the file is written


class StreamPlan(NamedTuple):
    """What a stream will do.

    passes : over the input, what each is for.      memory : bytes at most, by what they are for,
    of the counting of terms or of the learning, which come after each other: of what takes more.
    """

    passes: tuple[str, ...]
    epochs: int
    cached: bool
    memory: dict[str, int]

    @property
    def bytes(self) -> int:
        """Memory at most."""
        return sum(self.memory.values())

    def __str__(self) -> str:
        """Say it in a sentence.

        >>> plan = StreamPlan(("learn",), 1, False, {"weights": 16 << 20, "program": 90 << 20})
        >>> str(plan)
        'memory at most about 106.0 MB: 16.0 MB weights, 90.0 MB program'
        """
        parts = ", ".join(f"{format_bytes(size)} {name}" for name, size in self.memory.items())
        return f"memory at most about {format_bytes(self.bytes)}: {parts}"


def plan_memory(choices: Choices, opened: Opened, plan: Plan, cached: bool) -> StreamPlan:
    """Return the passes over the input, and the memory that they take at most.

    It does not depend on how many examples there are, nor on how long the texts are, which are read
    few megabytes at a time. Their terms are estimated: a block of books has more of them.
    Terms are counted before there are weights.
    """
    outputs = opened.book.n_outputs
    vectors = (
        1 + ("averaged" in choices.kept) + sum(n not in ("last", "averaged") for n in choices.kept)
    )
    if isinstance(choices.rule, rules.CovarianceRule):
        vectors += 1
    cells = (opened.n_columns + 1) * outputs
    memory = {"weights": 8 * cells * vectors, "the answer": 8 * cells}
    counting = max(BUDGET, CHOSEN * opened.n_columns) if opened.counts_terms else 0
    if counting > sum(memory.values()):
        memory = {"terms being counted": counting}
    vectorizer = opened.more.get("fitted_vectorizer")
    if isinstance(vectorizer, TextVectorizer):
        memory["names of terms"] = NAME * opened.n_columns
    elif vectorizer is not None:
        memory["names of terms"] = (NAME + PLACE) * opened.n_columns
    memory |= {"rows on their way": ON_THE_WAY, "program": PROGRAM}
    return StreamPlan(tuple(opened.passes), plan.max_iter, cached, memory)
