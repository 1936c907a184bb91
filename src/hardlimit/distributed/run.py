"""One training: the shards, what workers were sent so far, and the weights as they are."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting.initial_terms import Start
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import of_file
from hardlimit.distributed import jobs, work
from hardlimit.distributed.engines import Engine, Part
from hardlimit.distributed.featurisers import Featuriser, make_featuriser
from hardlimit.distributed.learnt_files import Unchanged
from hardlimit.distributed.running import Tally, run_shards
from hardlimit.distributed.wire import pack_delta, unpack_delta
from hardlimit.engine import mixing
from hardlimit.engine.acceleration import no_lead
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import Array, ArrayLike
from hardlimit.learner import FitOutcome
from hardlimit.sources.pieces import Shard

# Of each shard, by its number, a truth value a row.
Masks = dict[int, Array]
# Workers hold what they were sent: after so many mixtures they get all weights in place of them.
MOST_PARTS = 32


class Run:
    """What is known of the shards of a training, and the one training state.

    featuriser : what makes rows.    sizes : rows of each shard that is known, by its number.
    left_out, scored : which rows of each shard are not learnt from, and which are scored in the
    end; None: none.    lead : what mixing with momentum remembers of the last epoch.
    start : the weights that it begins at; None: 0.
    """

    training: Training
    labels: Counter[Any]
    n_rows: int
    largest = 0.0

    def __init__(
        self,
        choices: Choices,
        engine: Engine,
        shards: list[Shard],
        featuriser: Featuriser | None = None,
    ) -> None:
        self._engine, self.shards = engine, shards
        self.featuriser = featuriser or make_featuriser(choices)
        if featuriser is None:
            self.featuriser.targets = of_file(*shards[0].pieces[0].label_spelling)
        self.left_out: Masks | None = None
        self.scored: Masks | None = None
        self.take_choices(choices)
        self._parts: list[Part] = []
        self._unchanged = Unchanged(shards)
        self.sizes: dict[int, int] = {}
        self.lead = no_lead()
        self.start: Start | None = None

    def take_choices(self, choices: Choices) -> None:
        """Learn by these choices, of which some are settled after a look at the rows."""
        self.choices = choices
        given = {name: value for name, value in choices.given.items() if name != "n_jobs"}
        # Drawn by chance it would be another one for each worker.
        self.given = given | {"random_state": choices.seed}

    def part(self, choices: Choices, scored: Masks) -> Run:
        """Return a run on the rows that are learnt here but some, which it scores in the end.

        scored : of the rows that are learnt here.
        """
        whole = scored if self.left_out is None else {}
        for number, gone in (self.left_out or {}).items():
            whole[number] = np.zeros(len(gone), bool)
            whole[number][~gone] = scored[number]
        other = Run(choices, self._engine, self.shards, copy.copy(self.featuriser))
        before = self.left_out or {}
        other.left_out = {k: mask | before.get(k, False) for k, mask in whole.items()}
        other.scored, other.start = whole, self.start
        return other

    @property
    def digest_of_rows(self) -> str:
        """What tells which rows are left out; empty where none are."""
        if self.left_out is None:
            return ""
        masks = (self.left_out[number] for number in sorted(self.left_out))
        return hashlib.sha256(b"".join(mask.tobytes() for mask in masks)).hexdigest()

    @property
    def digest_of_start(self) -> str:
        """What tells the weights at the start from others; empty where there are none."""
        return "" if self.start is None else self.start.digest

    def settings(self, **more: Any) -> jobs.TrainingSettings:
        """Return what workers must know."""
        return jobs.TrainingSettings(
            self.given, self.featuriser, left_out=self.left_out, scored=self.scored, **more
        )

    def weights_at_start(self, book: LabelBook) -> ArrayLike | None:
        """Return the weights to begin at; terms that no text has are added to the features."""
        vectorizer = self.featuriser.of_model.get("fitted_vectorizer")  # numbers have none
        start = self.start
        return None if start is None else start.at_start(vectorizer, book, self.choices.bias)

    def begin(self, class_weight: dict[Any, float] | None) -> None:
        """Have the first of the parts: what is learnt."""
        settings = self.settings(book=self.training.book, class_weight=class_weight)
        self._parts = [Part.of(settings.packed())]

    def make_model(self, outcome: FitOutcome) -> Model:
        """Return a model of the training state."""
        featuriser, training = self.featuriser, self.training
        return featuriser.kind(
            self.choices, training.book, outcome, training, **featuriser.of_model
        )

    def learn_epoch(self, epoch: int) -> tuple[list[mixing.Delta], list[mixing.ShardTally]]:
        """Let every shard learn an epoch; what they moved, by shard."""
        self._unchanged.take(self.shards)
        self._unchanged.check()
        found: list[jobs.Learnt] = self.map(
            work.learn_shard, "learning", epoch=epoch, tally=self._count_learnt
        )
        if not all(one.finite for one in found):
            raise InputError("the weights or scores overflowed", fix=self.featuriser.fix)
        self.largest = max(self.largest, *(one.largest for one in found))
        return [unpack_delta(one.delta)[0] for one in found], [one.tally for one in found]

    def _count_learnt(self, place: int, learnt: jobs.Learnt) -> tuple[int, int]:
        self.sizes[place] = rows = learnt.tally.presentations
        return rows, sum(mistakes for mistakes, _, _ in learnt.tally.counts)

    def send(self, mixed: mixing.Delta) -> None:
        """Have workers go on from the mixture, which the state holds already."""
        state: Any = self.training.state
        counts = {
            "presentations": state.presentations,
            "corrections": state.corrections,
            "resting": [k for k, rests in enumerate(state.resting) if rests],
        }
        self._parts.append(Part.of(pack_delta(mixed, counts)))
        if len(self._parts) > MOST_PARTS:
            self.send_all()

    def send_all(self) -> None:
        """Have workers begin at the weights as they are, in place of all mixtures so far."""
        state: Any = self.training.state
        blank: Any = Training(self.choices, self.training.book, state.n_columns).state
        del self._parts[1:]
        self.send(mixing.find_differences(state, blank))

    def send_resting(self) -> None:
        """Tell workers which neurons rest."""
        none = np.empty(0)
        averaged = self.training.state.averaged
        self.send(mixing.Delta(np.empty(0, np.int64), none, none if averaged else None))

    def verify(self) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        found = self.map(work.verify_shard, "verifying")
        return [
            (sum(c[0] for c in counts), sum(c[1] for c in counts))
            for counts in zip(*found, strict=True)
        ]

    def map(
        self,
        function: Callable[..., Any],
        stage: str,
        parts: list[Part] | None = None,
        *,
        tally: Tally | None = None,
        epoch: int | None = None,
        **more: Any,
    ) -> list[Any]:
        """Do it for all shards; what it gave, in their order.

        parts : None: all that workers were sent so far.
        """
        if epoch is not None:
            more["epoch"] = epoch
        return run_shards(
            self._engine,
            function,
            self._parts if parts is None else parts,
            [jobs.Job(shard, **more) for shard in self.shards],
            stage,
            epoch=epoch,
            epochs=None if epoch is None else self.choices.max_iter,
            tally=tally or (lambda place, result: (self.sizes.get(place, 0), None)),
        )
