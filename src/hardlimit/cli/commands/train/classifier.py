"""The classifier that the options of ``hardlimit train`` ask for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from hardlimit import rules
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.ask import OF_NUMBERS, TABLE, Ask
from hardlimit.classifiers.text import TextClassifier
from hardlimit.cli import choices, starts
from hardlimit.cli.choice_options import DEFAULT_RULES
from hardlimit.cli.errors import usage_error
from hardlimit.cli.features import parse_features
from hardlimit.cli.option_words import parse_pairs
from hardlimit.cli.options import NONE
from hardlimit.exceptions import HardlimitError

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.models import Classifier

BATCH_ITERATIONS = 1000  # each corrects once: ten, which suit texts row by row, are ten corrections


def build_classifier(options: TrainOptions, ask: Ask) -> Classifier:
    """Build the classifier of texts, numbers or tables; what it refuses is a usage error."""
    is_numeric, is_table = ask.features in OF_NUMBERS, ask.features == TABLE
    rule = options.rule
    is_batch = options.order is not None and options.order.loop == "batch"
    iterations = BATCH_ITERATIONS if is_batch else None
    asked: dict[str, Any] = {
        "rule": rule,
        "multiclass": options.multiclass,
        "until": options.until,
        "max_iter": options.epochs or iterations,
        "random_state": options.seed,
        "scale": options.scale,
        "probability": options.probability or None,
        "shards": options.shards,
        "mixing": options.mixing,
        "text_columns": options.texts if len(options.texts) > 1 else None,
    }
    if is_table:
        from hardlimit.cli import tables  # start-up: few models are of tables

        asked |= tables.parameters(options)
    asked = {name: value for name, value in asked.items() if value is not None}
    asked |= choices.choose(options, rule or rules.get(DEFAULT_RULES[is_numeric]))
    # None in Python means never; left out it would mean the default.
    if asked.get("until") == "none":
        asked["until"] = None
    if is_numeric:
        asked |= _space(options)
    made: Any = _kind(options, is_numeric, is_table)(
        **asked, **({} if is_numeric else parse_features(options.features))
    )
    classifier: Classifier = made
    choices.check_parameters(classifier, ask)
    if options.start:
        _check_start(classifier)
    return classifier


def _kind(options: TrainOptions, is_numeric: bool, is_table: bool) -> type[Any]:
    if is_table:
        from hardlimit.classifiers.table import TableClassifier  # start-up: few models are

        return TableClassifier
    if not is_numeric:
        return TextClassifier
    if options.kernel is None:
        return LinearClassifier
    from hardlimit.classifiers.kernel import KernelClassifier  # start-up: few models have a kernel

    return KernelClassifier


def _space(options: TrainOptions) -> dict[str, Any]:
    """Return the map, the kernel and the bias of numbers as the classifier's parameters."""
    names = ("map", "kernel", "budget")
    found: dict[str, Any] = {name: getattr(options, name) for name in names}
    found = {name: given for name, given in found.items() if given is not None}
    if getattr(options.kernel, "given", False):
        raise click.UsageError("--kernel precomputed has no rows to predict; use it in Python")
    if options.bias_feature is not None:
        off = options.bias_feature.lower() in NONE
        found["fit_intercept"] = not off
        if not off:
            found["bias_feature"] = _bias(options.bias_feature)
    return found


def _bias(text: str) -> float:
    try:
        bias = float(text)
    except ValueError:
        bias = 0.0
    if not 0 < abs(bias) < math.inf:
        wanted = "a number or none, and not 0"
        raise click.BadOptionUsage("--bias-feature", f"--bias-feature wants {wanted}; got {text!r}")
    return bias


def _check_start(classifier: Classifier) -> None:
    """Refuse weights at the start, before anything is read, where they have no meaning."""
    chosen = classifier.resolve_parameters()
    try:
        compatibility.check_started(chosen.combination, chosen.kept)
    except HardlimitError as error:
        raise usage_error(error) from None


def start_of(options: TrainOptions, is_numeric: bool) -> dict[str, Any]:
    """Return what ``fit`` is told of ``--start``; a file is read here, before the rows are."""
    if not options.start:
        return {}
    if not is_numeric:
        return {"initial_weights": starts.read_terms(options.start)}
    rows = starts.parse_start(options.start)
    return {"initial_weights": [[float(one) for one in row] for row in rows]}


def parse_class_weight(
    text: str | None, labels: Iterable[object]
) -> str | dict[object, float] | None:
    """Read ``--class-weight``: ``balanced``, or ``spam=2,ham=1``."""
    if text is None or text == "balanced":
        return text
    # Labels of numbers are typed as texts.
    known = {str(label): label for label in labels}
    weights = {}
    for name, value in parse_pairs(text.split(","), "--class-weight").items():
        if name not in known:
            there = ", ".join(sorted(known)[:20])
            raise click.BadOptionUsage(
                "--class-weight", f"--class-weight: no class {name!r}; there are {there}"
            )
        weights[known[name]] = _weight(name, value)
    return weights


def _weight(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise click.BadOptionUsage(
            "--class-weight", f"--class-weight {name}= wants a number, got {value!r}"
        ) from None
