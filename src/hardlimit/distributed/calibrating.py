"""Probabilities: the slope of scores that were each made by a model that had not seen the row.

The second fits are runs in the same shards, of which some rows are left out; what is left out
depends on all rows in their order, and not on the shards.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import calibrating, fit
from hardlimit.classifiers.model.choices import resolve_choices
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed import work
from hardlimit.distributed.counting import Questions, count
from hardlimit.distributed.epochs import learn_epochs
from hardlimit.distributed.holding_out import Keys, RowKeys, cut_mask, split_digests
from hardlimit.distributed.run import Run
from hardlimit.foundation.types import Array


def calibrate(run: Run, model: Model) -> None:
    """Calibrate a model by runs on parts of its rows, as an ordinary fit does."""
    found: list[RowKeys] = Questions(run).ask(Keys(of_model=True))
    digests = split_digests(found)
    items = list(chain.from_iterable(one.labels for one in found))
    lengths = [len(one.labels) for one in found]
    names = run.featuriser.targets.known(items, model.classes)

    def learn_part(given: dict[str, Any], _: Array, rows: Array) -> tuple[Model, Array]:
        asked = np.zeros(len(names), bool)
        asked[rows] = True
        other = run.part(resolve_choices(given), cut_mask(asked, lengths))
        made = count(other)
        learn_epochs(other, fit.make_plan(other.choices, None), made, None)
        return made, np.concatenate(other.map(work.score_shard, "calibrating"))

    calibrating.calibrate(model, learn_part, names, None, digests or None, run.given)
