"""The tables of ``docs/what-works.md``: what can be asked of which examples, from one table.

:func:`expected` answers for one cell; the page and the tests ask it.
"""

from __future__ import annotations

import string
import textwrap
from collections.abc import Iterable
from typing import Any, NamedTuple

from hardlimit import kernels, maps, orders, rules
from hardlimit.classifiers.model.ask import (
    CLUSTER,
    COLUMNS,
    MEMORY,
    NUMBERS,
    ONE,
    POINTS,
    SETS,
    STREAM,
    TABLE,
    TEXT,
    TEXTS,
    Ask,
)
from hardlimit.classifiers.model.compatibility import Combination, Conflict, find_conflict
from hardlimit.cli.face import CommandFace


class Kind(NamedTuple):
    """A kind of examples, and how they say what they are."""

    features: str
    targets: str


KINDS = {
    "text": Kind(TEXT, ONE),
    "texts": Kind(TEXTS, ONE),
    "table": Kind(TABLE, ONE),
    "num": Kind(NUMBERS, ONE),
    "sets": Kind(TEXT, SETS),
    "cols": Kind(NUMBERS, COLUMNS),
    "kern": Kind(POINTS, ONE),
}
WAYS = (MEMORY, STREAM, CLUSTER)
# What a row of the page asks for: options by name, and choices where the table looks at these.
FEATURES: dict[str, dict[str, Any]] = {
    "nothing else": {},
    "standard input": {"piped": True},
    "holdout": {"asked": {"holdout"}},
    "probability": {"asked": {"probability"}},
    "probability, holdout": {"asked": {"probability", "holdout"}},
    "max-f1, max-accuracy": {"asked": {"max_f1"}},
    "max-false-positive": {"asked": {"max_false_positive"}},
    "positive": {"asked": {"positive"}},
    "class-weight": {"asked": {"class_weight"}},
    "multiclass": {"asked": {"multiclass"}},
    "fold-labels": {"asked": {"fold_labels"}},
    "features": {"asked": {"features"}},
    "scale": {"asked": {"scale"}},
    "map": {"asked": {"map"}, "map": maps.resolve("polynomial")},
    "keep all": {"asked": {"keep"}},
    "readout voted": {"readout": "voted"},
    "readout longest": {"readout": "longest"},
    "pocket-ratchet": {"readout": "pocket-ratchet"},
    "rule arow": {"rule": rules.get("arow")},
    "order batch": {"order": orders.Batch()},
    "start": {"asked": {"start"}, "started": True},
    "train-from": {"asked": {"train_from"}},
    "shards": {"asked": {"shards"}, "shards": 2},
    "checkpoint": {"asked": {"checkpoint"}},
    "cache": {"asked": {"cache"}},
    "classes": {"asked": {"classes"}},
    "slim, note": {"asked": {"slim"}},
}
# Commands and what is asked of them; "" where nothing else is.
COMMANDS: dict[str, tuple[str, set[str]]] = {
    "predict": ("predict", set()),
    "predict --top": ("predict", {"top"}),
    "predict --explain": ("predict", {"explain"}),
    "predict -o FILE": ("predict", {"output"}),
    "predict --exit-status": ("predict", {"exit_status"}),
    "predict --cluster": ("predict", {"cluster", "output"}),
    "predict --live": ("predict", {"live"}),
    "evaluate": ("evaluate", set()),
    "evaluate --positive": ("evaluate", {"positive"}),
    "evaluate --cluster": ("evaluate", {"cluster"}),
    "explain": ("explain", set()),
    "explain --against": ("explain", {"against"}),
    "explain --label": ("explain", {"label"}),
    "explain --terms": ("explain", {"terms"}),
    "report": ("report", set()),
    "report --positive": ("report", {"positive"}),
    "inspect, bake": ("inspect", set()),
    "inspect --distances": ("inspect", {"distances"}),
    "diff": ("diff", set()),
    "tune": ("tune", set()),
    "export": ("export", set()),
    "correct, status": ("correct", set()),
    "certify": ("certify", set()),
}
YES = "✓"


def ask_to_train(feature: str, way: str, kind: str) -> Combination:
    """Return what a training is asked for in one cell."""
    facts = dict(FEATURES[feature])
    asked = set(facts.pop("asked", ())) | ({way} - {MEMORY})
    features, targets = KINDS[kind]
    if features == POINTS:
        if "train_from" not in asked:  # an earlier model has its kernel already
            asked.add("kernel")
        facts["kernel"] = kernels.resolve("rbf")
    usual = orders.Stream() if way == STREAM else orders.Shuffled()
    return Combination(
        facts.pop("rule", rules.get("perceptron")),
        facts.pop("order", usual),
        features=features,
        targets=targets,
        way=way,
        asked=frozenset(asked),
        **facts,
    )


def expected(feature: str, way: str, kind: str) -> Conflict | None:
    """Return the row that refuses a feature of this way and kind; None where it works."""
    return find_conflict(ask_to_train(feature, way, kind))


def ask_command(name: str, kind: str) -> Ask:
    """Return what a command is asked for in one cell."""
    command, asked = COMMANDS[name]
    way = CLUSTER if "cluster" in asked else MEMORY
    features, targets = KINDS[kind]
    return Ask(command=command, features=features, targets=targets, way=way, asked=frozenset(asked))


class Notes:
    """The reasons below the tables: a letter for each, in the order in which they are met."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}
        self._face = CommandFace()

    def letter(self, asked: Ask, conflict: Conflict | None) -> str:
        """Return the letter of a reason; the sign of what works where there is none."""
        if conflict is None:
            return YES
        error = self._face.mended(conflict.error(asked))
        parts = [self._face.text(error.reason), self._face.text(error.fix)]
        said = "; ".join(part for part in parts if part)
        reason = f"{said[0].upper()}{said[1:]}." if said[0].isalpha() else f"{said}."
        if conflict.unwritten:
            reason += " *"
        return self._letters.setdefault(reason, _letter(len(self._letters)))

    def markdown(self) -> str:
        """Return a paragraph a reason, no wider than the tables."""
        wrap = textwrap.TextWrapper(80, subsequent_indent="  ", break_on_hyphens=False)
        return "\n".join(
            wrap.fill(f"- **{letter}**: {why}") for why, letter in self._letters.items()
        )


def _letter(number: int) -> str:
    """Return a, b, ..., z, A, B, ..., Z.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', 'A')
    """
    return string.ascii_letters[number]


def markdown() -> str:
    """Return both tables and the reasons."""
    notes = Notes()
    training = [
        [name, *(" ".join(_cells(notes, name, kind)) for kind in KINDS)] for name in FEATURES
    ]
    commands = []
    for name in COMMANDS:
        asks = [ask_command(name, kind) for kind in KINDS]
        commands.append([name, *(notes.letter(one, find_conflict(one)) for one in asks)])
    tables = [_table(["train", *KINDS], training), _table(["command", *KINDS], commands)]
    return "\n\n".join([*tables, notes.markdown()]) + "\n"


def _cells(notes: Notes, feature: str, kind: str) -> Iterable[str]:
    """Return what becomes of a feature in memory, in a stream and on a cluster."""
    for way in WAYS:
        asked = ask_to_train(feature, way, kind)
        yield notes.letter(asked, find_conflict(asked))


def _table(head: list[str], body: list[list[str]]) -> str:
    """Return a Markdown table whose columns are as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True)) + " |"
        for row in [head, *body]
    ]
    rule = "|" + "|".join("-" * (n + 2) for n in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])
