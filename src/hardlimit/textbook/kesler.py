"""Many classes that share one correction: Kesler's construction."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from hardlimit.foundation.exact_numbers import Number, Scalar, Vector, dot, exact, scale
from hardlimit.foundation.types import ArrayLike
from hardlimit.textbook.asking import RuleLike, ScheduleLike
from hardlimit.textbook.data import Examples, examples
from hardlimit.textbook.incremental_mode import present_all
from hardlimit.textbook.learner import Guard, Learner
from hardlimit.textbook.plan import Order, Presentation
from hardlimit.textbook.steps import Outcome, Step


def coupled(
    X: ArrayLike,
    labels: Sequence[Any],
    rule: RuleLike = "perceptron",
    *,
    bias_feature: Scalar | None = -1,
    number: Number = exact,
    schedule: ScheduleLike = None,
    order: Order = None,
    guard: Guard | None = None,
    until: str | None = "separated",
    patient: bool = True,
    tol: Scalar = 0,
    max_iter: int = 1000,
) -> Generator[Step, None, Outcome]:
    """Correct the right class and its best rival together.

    ::

        r <- argmax of <w_c, x> over the other classes c (the first of equals)
        if <w_y, x> - <w_r, x> <= required:   w_y <- w_y + tau x;   w_r <- w_r - tau x

    Put the rows of weights one after the other, and this is the rule of two classes on the vector
    ``z`` that holds ``x`` at the place of y, ``-x`` at that of r, and zeros elsewhere: margin and
    ``sqnorm = 2 <x, x>`` come out by themselves. So do the steps: their vectors are the rows of all
    classes, in sorted order; :func:`rows_of_classes` takes them apart.

    Crammer and Singer, JMLR 3 (2003); Duda, Hart and Stork, section 5.12.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> X, labels = [[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"]
    >>> steps, outcome = textbook.run(textbook.coupled(X, labels, bias_feature=None, number=int))
    >>> textbook.rows_of_classes(outcome.w, 3), outcome.reason
    (((2, 0), (-1, 1), (-1, -1)), 'separated')
    """
    classes = sorted(set(labels))
    # Targets are all +1: the sign of a row is in its construction.
    base = examples(X, [1] * len(labels), bias_feature=bias_feature, number=number)
    learner = Kesler(base, [classes.index(c) for c in labels], len(classes), rule, schedule, guard)
    plan = Presentation(order, until, patient, tol, max_iter)
    return (yield from present_all(learner, plan))


class Kesler(Learner):
    """A learner whose signed rows depend on who is the best rival now."""

    def __init__(
        self,
        base: Examples,
        right: list[int],
        classes: int,
        rule: RuleLike,
        schedule: ScheduleLike,
        guard: Guard | None,
    ) -> None:
        super().__init__(base, rule, schedule, None, guard, classes)
        self.right, self.classes = right, classes

    def signed(self, i: int) -> Vector:
        """The row at the place of its class, and its negative at that of the best rival."""
        x, right = self.examples.rows[i], self.right[i]
        scores = [dot(w, x) for w in rows_of_classes(self.w, self.classes)]
        # Of equal scores the first class wins: -c is larger for it.
        rival = max((c for c in range(self.classes) if c != right), key=lambda c: (scores[c], -c))
        parts = [scale((c == right) - (c == rival), x) for c in range(self.classes)]
        return tuple(value for part in parts for value in part)


def rows_of_classes(w: Vector, classes: int) -> tuple[Vector, ...]:
    """The rows of weights, one a class, that stand one after the other in ``w``.

    >>> rows_of_classes((1, 2, 3, 4), 2)
    ((1, 2), (3, 4))
    """
    columns = len(w) // classes
    return tuple(w[c * columns : (c + 1) * columns] for c in range(classes))
