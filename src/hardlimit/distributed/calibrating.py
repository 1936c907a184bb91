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
    targets = run.featuriser.targets
    items = list(chain.from_iterable(one.labels for one in found))
    names, lengths = targets.known(items, model.classes), [len(one.labels) for one in found]
    readout = model.choices.readout
    answering = {"readout": readout, "keep": (readout,), "probability": False}
    given = dict(model.choices.given) | run.given | answering

    def learn_and_score(_: Array, rows: Array) -> tuple[Array, Array]:
        asked = np.zeros(len(names), bool)
        asked[rows] = True
        other = run.part(resolve_choices(given), cut_mask(asked, lengths))
        made = count(other)
        learn_epochs(other, fit.make_plan(other.choices, None), made, None)
        scores: Any = np.concatenate(other.map(work.score_shard, "calibrating"))
        codes = targets.codes(names, made.classes, rows)
        return made.classes.centre(scores, made.threshold), codes

    keys = digests or None
    slope = calibrating.slope_out_of_sample(learn_and_score, names, keys=keys)
    model.calibrate(slope)
