"""The training errors of all shards."""

from __future__ import annotations

from typing import Any, cast

from hardlimit.classifiers.fitting.training_errors import errs_by_default
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed import work
from hardlimit.distributed.run import Run


def count_errors(run: Run, model: Model) -> None:
    """Count the training errors, as :func:`.training_errors.count_errors` does."""
    _count_errors_of_answer(run, model)
    if errs_by_default(model):
        default = model.choices.readout
        model.answer_by("last")
        _count_errors_of_answer(run, model)
        if model.training_errors["last"] >= model.training_errors[default]:
            model.answer_by(default)


def _count_errors_of_answer(run: Run, model: Model) -> None:
    readout = model.choices.readout
    found = run.map(
        work.count_errors_of_shard,
        "counting errors",
        tally=lambda place, found: (run.sizes.get(place, 0), found[0]),
        readout=readout,
    )
    model.training_errors[readout] = sum(errors for errors, _ in found)
    least = [each for _, each in found if each is not None]
    if model.facts is not None and least:
        model.facts.least[readout] = tuple(
            None if None in each else min(cast(Any, each)) for each in zip(*least, strict=True)
        )
