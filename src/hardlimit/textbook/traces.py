"""A run that was kept, and its table in four forms."""

from __future__ import annotations

import collections
import itertools
import json
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from hardlimit.foundation import progress
from hardlimit.textbook.columns import Column, choose_columns
from hardlimit.textbook.data import Examples
from hardlimit.textbook.lengths import refuse_long
from hardlimit.textbook.sentences import About, heading, summarise
from hardlimit.textbook.steps import Outcome
from hardlimit.textbook.table import escape_markdown, render_csv, render_markdown, render_text
from hardlimit.textbook.writing import to_plain_json


@dataclass(frozen=True)
class Trace:
    """The steps of a run and their table.

    ``left_out`` steps are missing after the first ``gap_at`` ones, where ``keep`` asked for that.
    """

    steps: list[Any]
    outcome: Outcome
    examples: Examples
    about: About
    left_out: int = 0
    gap_at: int | None = None

    @property
    def stop_reason(self) -> str:
        """Why it ended, see :class:`hardlimit.textbook.Outcome`."""
        return self.outcome.reason

    @property
    def columns(self) -> list[Column]:
        """The columns of the table."""
        about = self.about
        return choose_columns(self.steps, self.examples, about.order, about.distances)

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = 80) -> str:
        """The table for people, ``width`` characters wide at most; None for no limit.

        Columns that repeat the next line's are left out where the table would not fit, and where
        it still does not, a step becomes a paragraph. Fractions too long for a cell are rounded and
        marked ``~``.
        """
        table = render_text(self.columns, self.steps, width, self.gap_at, self._gap())
        return self._framed(table, width, "\n")

    def markdown(self) -> str:
        """The table as Markdown, with the same sentences."""
        table = render_markdown(self.columns, self.steps, self.gap_at, self._gap())
        return self._framed(table, None, "  \n", escape_markdown)

    def csv(self) -> str:
        """The table alone, in every cell all digits: fractions as ``1/2``."""
        return render_csv(self.columns, self.steps)

    def json(self, indent: int | None = None) -> str:
        """Everything, rows numbered from 0; fractions that are not whole are strings ``"1/2"``."""
        outcome, ex = self.outcome, self.examples
        members = {
            "rule": self.about.rule,
            "order": self.about.order,
            "bias_feature": ex.bias_feature,
            "classes": list(ex.classes),
            "features": list(self.about.names),
            "stop_reason": outcome.reason,
            **{name: value for name, value in vars(outcome).items() if name != "reason"},
            "left_out": self.left_out,
        }
        plain = {name: to_plain_json(value) for name, value in members.items()}
        plain["steps"] = [
            {name: to_plain_json(value) for name, value in vars(step).items()}
            for step in self.steps
        ]
        return json.dumps(plain, indent=indent, ensure_ascii=False) + "\n"

    def shortened(self, first: int, last: int) -> Trace:
        """The same run with so many of its first and of its last steps only."""
        left_out = len(self.steps) - first - last
        if left_out <= 0 or self.left_out:
            return self
        steps = self.steps[:first] + self.steps[len(self.steps) - last :]
        return replace(self, steps=steps, left_out=left_out, gap_at=first)

    def _framed(
        self, table: list[str], width: int | None, end: str, write: Callable[[str], str] = str
    ) -> str:
        above = [*map(write, heading(self.about, self.examples, self.steps, width))]
        below = [*map(write, summarise(self.about, self.examples, self.outcome, width))]
        return f"{end.join(above)}\n\n" + "\n".join(table) + f"\n\n{end.join(below)}\n"

    def _gap(self) -> str:
        lines = "line" if self.left_out == 1 else "lines"
        return f"... {self.left_out:,} {lines} left out ..."


def collect(
    generator: Generator[Any, None, Any],
    examples: Examples,
    about: About,
    keep: tuple[int, int] | None = None,
) -> Trace:
    """Let a generator of any kind of steps come to its end, and keep all or some of them.

    A fraction of more than 2,000 digits ends it with an ``InputError``: take floats.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> dual = textbook.collect(textbook.dual(ex), ex, textbook.About("dual perceptron"))
    >>> print(dual.csv().splitlines()[3])
    1,3,1,1,0,0,-2,yes,1,1,1,0
    """
    run = _Returning(generator)
    if keep is None:
        return Trace(list(run), run.value, examples, about)
    first, last = (min(n, sys.maxsize) for n in keep)
    head = list(itertools.islice(run, first))
    # A run of millions of steps keeps no more of them than are shown.
    tail: collections.deque[Any] = collections.deque(maxlen=last)
    seen = 0
    for step in run:
        tail.append(step)
        seen += 1
    # Not seen - last: a short run may have fewer steps than were to be kept.
    left_out = seen - len(tail)
    steps, gap_at = [*head, *tail], len(head) if left_out else None
    return Trace(steps, run.value, examples, about, left_out, gap_at)


_REPORTED = 256  # steps between two reports of progress


class _Returning:
    """An iterator that remembers what its generator returned, and refuses endless fractions."""

    def __init__(self, generator: Generator[Any, None, Any]) -> None:
        self.steps = self._through(generator)
        self.value: Any = None

    def _through(self, generator: Generator[Any, None, Any]) -> Generator[Any, None, None]:
        seen = 0
        while True:
            try:
                step = next(generator)
            except StopIteration as end:
                self.value = end.value
                break
            seen += 1
            if not seen % _REPORTED:
                progress.report("tracing", seen, 0, "steps")
            refuse_long(step, seen)
            yield step
        # A run without a step can still end in weights that are too long to write.
        refuse_long(self.value, seen)

    def __iter__(self) -> Generator[Any, None, None]:
        return self.steps
