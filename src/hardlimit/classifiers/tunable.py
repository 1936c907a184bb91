"""What a classifier that can be tuned adds: the method ``tune``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from hardlimit.classifiers.probabilities import ProbabilisticClassifier

if TYPE_CHECKING:
    from hardlimit.classifiers.tuning import Front, Tuning
    from hardlimit.foundation.types import ArrayLike, Targets

Grid = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]


class Tunable(ProbabilisticClassifier):
    """A classifier whose parameters can be searched for."""

    def fit(self, X: Any, y: Any, /) -> Self:
        """Learn from all examples."""
        raise NotImplementedError

    def _begin_search(self, examples: Any) -> Front[Any]:
        """Return what a search asks of this classifier and these examples."""
        raise NotImplementedError

    def tune(
        self,
        examples: ArrayLike,
        labels: Targets,
        *,
        grid: Grid | None = None,
        folds: int = 5,
        scoring: str = "accuracy",
        n_jobs: int | None = None,
        nested: bool = False,
    ) -> Tuning:
        """Search for the parameters that answer best on examples that were not learnt from.

        Each candidate is judged by k-fold cross-validation, in which equal texts stay on one side.
        Features are counted once for all candidates that share them, from the learnt part only.
        With many rows all candidates are judged on a ninth of them, the best third on a third, and
        the best third of these on all (successive halving). The classifier itself is not changed.

        Parameters
        ----------
        examples, labels : as in ``fit``
        grid : values for each parameter, of which all combinations are tried, or a list of
            parameters; None: 24 candidates, 4 choices of features (of numbers: of scale) by 6 of
            rule, C and epochs; of a kernel 12, 4 kernels by 3 rules
        folds : parts of the examples, each of which is held out in turn
        scoring : "accuracy" (of several labels the subset accuracy), "macro-f1" or "micro-f1"
        n_jobs : threads, None is the classifier's own ``n_jobs`` and -1 all cores; what is found
            does not depend on them
        nested : also judge the search itself, by a search for each fold: ``nested`` of the result,
            ``folds`` times the cost

        Returns
        -------
        Tuning
            ``trials``, ``best`` and ``classifier``, which is fitted on all examples.

        Raises
        ------
        InputError, KindError
            A parameter that is not known or not in range, before anything is learnt.

        Examples
        --------
        >>> import hardlimit as hl
        >>> texts = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"] * 5
        >>> labels = ["spam", "ham"] * 10
        >>> found = hl.TextClassifier().tune(
        ...     texts, labels, grid={"words": [(1, 1), (1, 2)], "max_iter": [2]}, folds=2)
        >>> found.best.parameters, found.best.mean
        ({'words': (1, 1), 'max_iter': 2}, 1.0)
        """
        from hardlimit.classifiers.tuning import tune  # start-up: few classifiers are tuned

        return tune(
            self._begin_search,
            examples,
            labels,
            grid=grid,
            folds=folds,
            scoring=scoring,
            n_jobs=self.n_jobs if n_jobs is None else n_jobs,
            nested=nested,
        )
