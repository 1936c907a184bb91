"""The experiment of Freund and Schapire: kernel perceptrons on handwritten digits.

Machine Learning 37(3), 1999, section 5: raw pixels, ten classes each against the rest, the kernel
(1 + <x, z>)^d, one epoch in random order. Their figures are means of ten orders, quoted from
memory; ours are of one order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.corpora import Missing
from benchmarks.generators import mnist_pixels
from benchmarks.harness import Figure, Grid, Settings, format_seconds, time_call

TITLE = "Freund and Schapire's digits: one epoch of kernel perceptrons, degrees 1 to 6"
SEED = 1
DEGREES = (1, 2, 3, 4, 5, 6)
READOUTS = ("voted", "averaged", "last", "longest", "random")
# Remembered, not looked up: errors in percent, supports and mistakes of one epoch.
REMEMBERED = {
    1: {
        "voted": 8.5,
        "averaged": 8.7,
        "averaged, normalised": 8.5,
        "last": 14.7,
        "last, normalised": 14.1,
        "random": 15.7,
        "supports": 19795,
        "mistakes": 25461,
    },
    2: {
        "voted": 2.8,
        "averaged": 2.8,
        "last": 4.0,
        "random": 5.9,
        "supports": 8190,
        "mistakes": 10201,
    },
}
COLUMNS = (
    "voted",
    "averaged",
    "averaged, normalised",
    "last",
    "last, normalised",
    "longest",
    "random",
    "supports",
    "mistakes",
)


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the time of one epoch of degree 2 with voting, and the table of all degrees."""
    try:
        digits = Digits(settings.quick)
    except Missing as missing:
        skipped.append(str(missing))
        return
    lines = []
    for degree in DEGREES[: 2 if settings.quick else None]:
        results, took = one_epoch(digits, degree)
        if degree == 2:
            yield Figure(
                "one epoch of degree 2 and the vote on the test rows",
                sum(took.values()),
                "s",
                None if settings.quick else 40.0,
                "<=",
                ours=f"fit {format_seconds(took['fit'])}, vote {format_seconds(took['vote'])}",
                remark="2 cores; 10 classes, 60,000 rows, 10,000 voted on",
            )
        lines += table_lines(degree, results)
    yield Grid(
        "Errors in percent, supports and mistakes after one epoch; (r): the paper's, remembered",
        ("degree", *COLUMNS),
        tuple(lines),
    )


class Digits:
    """The digits in the order of training, and the test digits."""

    def __init__(self, quick: bool) -> None:
        from hardlimit.engine import shuffle

        X, self.y = mnist_pixels("train")
        test, self.right = mnist_pixels("t10k")
        order = shuffle(len(X), SEED, 0)[: 6000 if quick else None]
        self.X, self.y = X[order].astype(np.float32), self.y[order]
        self.test = test.astype(np.float32)


def one_epoch(digits: Digits, degree: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the results of one epoch of this degree, and the seconds of fit and vote."""
    from hardlimit import KernelClassifier, kernels

    clf = KernelClassifier(
        kernels.Polynomial(degree, 1),
        order="cyclic",
        multiclass="ovr",
        keep=("last", "averaged", "longest", "voted", "random"),
        readout="voted",
        until=None,
        max_iter=1,
    )
    took = {"fit": time_call(lambda: clf.fit(digits.X, digits.y))}
    results: dict[str, float] = {}

    def vote() -> None:
        results["voted"] = error(clf.decision_function(digits.test), digits)

    took["vote"] = time_call(vote)
    for readout in READOUTS[1:]:
        other = clf.with_readout(readout)
        scores = other.decision_function(digits.test)
        results[readout] = error(scores, digits)
        if readout in ("averaged", "last"):
            results[f"{readout}, normalised"] = error(scores / lengths(other, digits), digits)
    results |= {"supports": len(clf.support_), "mistakes": clf.n_mistakes_}
    return results, took


def error(scores: np.ndarray, digits: Digits) -> float:
    """Return the errors of the class of the largest score, in percent."""
    return float(100 * (scores.argmax(1) != digits.right).mean())


def lengths(clf, digits: Digits) -> np.ndarray:
    """Return ``||w_k||`` of each class, from the scores of the supports."""
    scores = clf.decision_function(digits.X[clf.support_])
    return np.sqrt(np.einsum("ki,ik->k", clf.dual_coef_, scores))


def table_lines(degree: int, results: dict[str, float]) -> Iterator[tuple[str, ...]]:
    """Yield our line, and the remembered one where there is one."""
    yield (str(degree), *(said(results.get(column)) for column in COLUMNS))
    if degree in REMEMBERED:
        paper = REMEMBERED[degree]
        yield (f"{degree} (r)", *(said(paper.get(column)) for column in COLUMNS))


def said(value: float | None) -> str:
    """Return an error with two decimals, a count as it is, and nothing for what is not known."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
