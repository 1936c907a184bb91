"""The commands, by what a person wants of them.

A command is a module ``NAME.py``, or a folder where its work takes more than a page:

``command.py``
    the options as a class of fields, whose docstring is the help text, and ``command``.
``run.py``
    ``run(options)``, which does the work; imported when the command is invoked, with everything
    that it needs.

A command in one file has both, and imports what it needs in its functions. The names and summaries
that ``hardlimit --help`` lists stand here, so that no command is imported for them; a test compares
them with the commands that there are.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec

import click

GROUPS: dict[str, dict[str, str]] = {
    "Learn from labelled rows": {
        "demo": "Try it all on texts that every machine has; needs no file.",
        "train": "Train a classifier on labelled texts.",
        "tune": "Try candidates, and train the one that answers best.",
        "make": "Make a model of weights that are known, without training.",
    },
    "Use a model": {
        "predict": "Predict the label of each text.",
        "explain": "Show which terms of TEXT decided, and by how much.",
        "evaluate": "Measure MODEL on labelled texts it was not trained on.",
        "report": "Write a report on MODEL and labelled rows that are new to it.",
        "inspect": "Show what MODEL is, how it was trained, its most telling terms.",
        "export": "Write a linear model of numbers or of a table as ONNX.",
    },
    "Correct a model": {
        "correct": "Correct MODEL's answer to TEXT, at once and with a guarantee.",
        "confirm": "Confirm that MODEL's answer to TEXT is right.",
        "undo": "Take back ENTRY of MODEL's ledger, to the last bit.",
        "guard": "Guard texts that no correction of MODEL may flip.",
        "why": "Show the terms and the corrections that made the answer to TEXT.",
        "status": "Show how often MODEL was right, and whether it still fits.",
        "log": "List the corrections of MODEL: when, who, what they did.",
        "diff": "Compare two models, or MODEL and its corrections.",
        "replay": "Replay the corrections of MODEL, whole or until one of them.",
        "bake": "Write MODEL and its corrections as one new model file.",
    },
    "Prove and teach": {
        "certify": "Say whether classes are linearly separable, and prove it.",
        "trace": "Show every step of learning, as on the blackboard.",
        "margin": "Measure the margin of given weights on labelled points.",
        "rules": "List rules and all other choices, or explain one of them.",
    },
    "Serve a model": {
        "serve": "Serve MODEL over HTTP: predict, explain, correct, undo.",
        "key": "Keys that open MODEL's service: add, list, remove.",
    },
}


def names() -> list[str]:
    """Return the names of all commands, sorted."""
    return sorted(name for group in GROUPS.values() for name in group)


def load(name: str) -> click.Command:
    """Import the options of one command."""
    spec = find_spec(f"{__name__}.{name}")
    assert spec is not None  # a slip of ours, not of a user
    is_folder = spec.submodule_search_locations is not None
    module = f"{spec.name}.command" if is_folder else spec.name
    command = importlib.import_module(module).command
    assert isinstance(command, click.Command)
    return command
