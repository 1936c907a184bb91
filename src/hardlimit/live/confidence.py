r"""How sure a live model is, and how that follows what people say of its answers.

The probability of an answer is that of a slope ``a``, as ``predict_proba`` has it::

    p = 1 / (1 + exp(-a m))                          two classes, m the margin of the answer
    p_k = exp(a f_k) / sum_j exp(a f_j)              more

A *fitted* slope is that of the model file, if it was trained with ``probability=True``; it never
changes. The *live* one begins there, or at ``a = 1`` where the file has none: before anybody
confirmed anything the probability is then the logistic function of the margin, which is no more
than a guess. From then on it is the slope of least log loss on the answers that people confirmed or
corrected, each of which was given before its label was learnt (progressive validation: Dawid,
Journal of the Royal Statistical Society A 147, 1984)::

    a = argmin  sum of loss_right(a) + rho * sum of loss_wrong(a) + prior(a)
    rho = min(1, n_right / n_wrong)

over the latest thousand or so. The prior is worth a few answers of the probability 0.88, right as
often as that. ``rho`` is there because people report mistakes more often than they confirm what is
right: who only corrects says nothing of how often the model is right, so without confirmations the
slope stays where it is. With two classes rho costs nothing where everything is looked at: no slope
gives the answer less than one half, so that more mistakes than right answers say no more than as
many of both.

Answers are counted in bins of equal ``a_0 m``, eight an octave. Of more than two classes the loss
is that of the answer against all others, which count as ``n`` equal rivals, ``p = 1 / (1 + n
exp(-a m))``, with the n that gives the p of where the slope begins. So an entry that is undone
leaves no trace, and the slope is a function of the entries that hold, whatever their order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# Bins of the margin: eight an octave, from 2^-10 to 2^10 times 1 / a_0; of log n: two a unit.
AN_OCTAVE, MOST_BIN = 8, 80
A_UNIT, MOST_RIVALS = 2, 60
# Answers that the prior is worth, where the slope begins at a fitted one and where at 1.
PRIOR_FITTED, PRIOR = 20.0, 2.0
_PRIOR_AT = 2.0  # their a_0 m
# Of a slope, by the one that it begins at.
LEAST, MOST = 2.0**-10, 2.0**10
STEPS = 60
# What probabilities, losses and square errors are counted in.
PARTS = 10**6
# Of -log p, where the floor of the machine is.
MOST_LOSS = 36.0

# Of the margin and of log n, and whether the answer was right.
Bin = tuple[int, int, bool]


class Confidence(NamedTuple):
    """Where the slope of a model begins, and whether the model file has it."""

    slope: float
    fitted: bool


class Judged(NamedTuple):
    """A probability of an answer, and how good it was when the label came.

    p : of the answer. loss : ``-log`` of the probability of the right label. brier : its square
    error, of more than two classes the sum over all.
    """

    p: float
    loss: float
    brier: float


def probability(scores: Sequence[float], chosen: int, margin: float, slope: float) -> float:
    """Return the probability of the answer of these scores, ``margin`` above its rival.

    >>> round(probability([1.0], 1, 1.0, 2.0), 3), round(probability([1.0, 0.0, 0.0], 0, 1.0, 1), 3)
    (0.881, 0.576)
    """
    if len(scores) == 1:
        return 1.0 / (1.0 + _exp(-slope * margin))
    most = scores[chosen]
    return 1.0 / sum([_exp(slope * (one - most)) for one in scores])


def probabilities(scores: Sequence[float], chosen: int, margin: float, slope: float) -> list[float]:
    """Return the probability of each class; that of the answer is :func:`probability`.

    >>> [round(p, 3) for p in probabilities([1.0], 1, 1.0, 2.0)]
    [0.119, 0.881]
    >>> [round(p, 3) for p in probabilities([1.0, 0.0, 0.0], 0, 1.0, 1)]
    [0.576, 0.212, 0.212]
    """
    own = probability(scores, chosen, margin, slope)
    if len(scores) == 1:
        rival = own * _exp(-slope * margin)
        return [rival, own] if chosen else [own, rival]
    most = scores[chosen]
    return [own * _exp(slope * (one - most)) for one in scores]


_exp = math.exp


def judge_two(z: float, right: bool) -> list[int]:
    """Return what :class:`Judged` has, of two classes and ``z = a m``, in millionths.

    >>> judge_two(2.0, False)
    [880797, 2126928, 775803]
    """
    small = math.exp(-z)
    p = 1.0 / (1.0 + small)
    if right:
        loss, miss = math.log1p(small), 1.0 - p
    else:
        loss, miss = min(z + math.log1p(small), MOST_LOSS), p
    return [int(p * PARTS + 0.5), int(loss * PARTS + 0.5), int(miss * miss * PARTS + 0.5)]


def judge(scores: Sequence[float], chosen: int, label: int, slope: float) -> Judged:
    """Compare the probabilities of more than two classes with the right one's number.

    >>> judge([1.0, 0.0, 0.0], 0, 1, 1.0).loss.__round__(3)
    1.551
    """
    most = scores[chosen]
    powers = [math.exp(slope * (one - most)) for one in scores]
    total = math.fsum(powers)
    shares = [one / total for one in powers]
    loss = math.log(total) - slope * (scores[label] - most)
    brier = math.fsum([one * one for one in shares]) + 1.0 - 2.0 * shares[label]
    return Judged(shares[chosen], min(loss, MOST_LOSS), brier)


def margin_bin(z: float) -> int:
    """Return the bin of ``z = a_0 m``.

    >>> margin_bin(2.0), margin_bin(0.0)
    (8, -80)
    """
    place = round(AN_OCTAVE * math.log2(z)) if z > 0 else -MOST_BIN
    return max(-MOST_BIN, min(MOST_BIN, place))


def bin_of_many(scores: Sequence[float], chosen: int, slope: float) -> list[int]:
    """Return the bins of an answer of more than two classes: of its margin and of its rivals.

    >>> bin_of_many([1.0, 0.0, 0.0], 0, 1.0)
    [0, 1]
    """
    most = scores[chosen]
    below = [slope * (one - most) for k, one in enumerate(scores) if k != chosen]
    z = -max(below)
    rivals = math.log(math.fsum([math.exp(one + z) for one in below]))
    return [margin_bin(z), min(MOST_RIVALS, round(A_UNIT * rivals))]


def fit_slope(bins: Mapping[Bin, int], fitted: bool) -> float:
    """Return the slope of least loss, by the one that it begins at.

    Newton's steps inside a bracket: the loss is convex in the slope.

    >>> fit_slope({}, False)
    1.0
    >>> round(fit_slope({(8, 0, True): 600, (8, 0, False): 400}, True), 2)
    0.21
    """
    n_right = sum(n for key, n in bins.items() if key[2])
    n_wrong = sum(n for key, n in bins.items() if not key[2])
    if not n_right:
        return 1.0  # mistakes alone say nothing
    rho = min(1.0, n_right / n_wrong) if n_wrong else 1.0
    share = 1.0 / (1.0 + math.exp(-_PRIOR_AT))
    worth = PRIOR_FITTED if fitted else PRIOR
    # z, log n, number of right answers and of all.
    terms = [(_PRIOR_AT, 0.0, worth * share, worth)]
    for (place, rivals, right), n in sorted(bins.items()):
        z, weight = 2.0 ** (place / AN_OCTAVE), n if right else n * rho
        terms.append((z, rivals / A_UNIT, weight if right else 0.0, weight))
    low, high, s = LEAST, MOST, 1.0
    for _ in range(STEPS):
        slope, bend = _derivatives(s, terms)
        low, high = (low, s) if slope > 0 else (s, high)
        new = s - slope / bend if bend > 0 else 0.0
        if not low < new < high:
            new = math.sqrt(low * high)
        if abs(new - s) <= 1e-5 * s:
            break
        s = new
    return s


def _derivatives(
    s: float, terms: Sequence[tuple[float, float, float, float]]
) -> tuple[float, float]:
    """Return the first and second derivative of the loss by the slope."""
    first = second = 0.0
    for z, rivals, right, n in terms:
        t = rivals - s * z
        p = 1.0 / (1.0 + math.exp(t)) if t < 700 else 0.0
        first += z * (n * p - right)
        second += z * z * n * p * (1.0 - p)
    return first, second
