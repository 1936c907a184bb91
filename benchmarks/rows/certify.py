"""Separable or not: verdicts with proofs on all shared sets, beside those of a float solver.

Each set is certified with its defaults (10 seconds, margin to 1 %), its proof is written, read back
and checked against the data; nothing else counts as a verdict. Beside it a linear program in floats
(scipy's HiGHS: max t with Z w >= t, |w_j| <= 1, columns scaled to 1) says "separable" for t above
1e-9; where it disagrees with the proof, by how much.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks import certify_sets
from benchmarks.certify_sets import Set
from benchmarks.contestants import need
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings

TITLE = "Certificates: a verdict with a proof for every shared set"
FLOAT_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Answer:
    """The result of one set."""

    problem: Set
    verdict: str
    proved: bool
    seconds: float
    check_seconds: float
    gap: float
    found_by: str
    float_t: float

    @property
    def disagrees(self) -> bool:
        """Whether the float solver contradicts the proof."""
        says = "separable" if self.float_t > FLOAT_TOLERANCE else "not separable"
        return not np.isnan(self.float_t) and says != self.verdict


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the figures of shared sets, drawn sets and texts."""
    need("scipy.optimize")
    sets = certify_sets.shared_sets(settings.quick, skipped)
    shared = [certify_problem(problem) for problem in sets]
    drawn = [certify_problem(problem) for problem in certify_sets.drawn_sets()]
    if shared:
        yield from _of_shared(shared)
    yield Figure(
        "drawn integer sets with a proof that holds",
        sum(a.proved for a in drawn),
        f"of {len(drawn)}",
        len(drawn),
        remark=f"{sum(a.verdict == 'separable' for a in drawn)} separable; slowest "
        f"{max(a.seconds for a in drawn):.2f} s",
    )
    yield from _of_floats(shared + drawn)
    if not settings.quick:
        yield from _of_texts(skipped)
    if not settings.quick:
        sparse = [certify_problem(problem) for problem in certify_sets.sparse_sets(skipped)]
        yield Figure(
            "sparse sets of more than 2,000 columns with a proof that holds",
            sum(a.proved for a in sparse),
            f"of {len(sparse)}",
            len(sparse),
            remark="not separable, no two rows alike",
        )
        yield Grid("Sparse sets that are not separable", *_grid(sparse))
    yield Grid("Every set", *_grid(shared))


def _of_shared(answers: list[Answer]) -> Iterator[Figure]:
    separable = [a for a in answers if a.verdict == "separable"]
    small = [a for a in answers if a.problem.is_small]
    yield Figure(
        "shared sets with a proof that holds",
        sum(a.proved for a in answers),
        f"of {len(answers)}",
        len(answers),
        remark=f"{len(separable)} separable; each class of many against the rest",
    )
    slowest = max(small, key=lambda a: a.seconds)
    yield Figure(
        "slowest set up to 10,000 rows and 100 columns",
        slowest.seconds,
        "s",
        10.0,
        "<=",
        ours=slowest.problem.name,
        remark="search, proof and suspects",
    )
    yield Figure(
        "separable sets with the margin known to 1 %, in 10 s of search",
        sum(a.gap <= 0.01 for a in separable),
        f"of {len(separable)}",
        len(separable),
        remark=f"widest gap {100 * max((a.gap for a in separable), default=0):.2g} %",
    )


def _of_floats(answers: list[Answer]) -> Iterator[Figure]:
    compared = [a for a in answers if not np.isnan(a.float_t)]
    others = [a for a in compared if a.disagrees]
    yield Figure(
        "sets on which a float linear program says something else",
        len(others),
        f"of {len(compared)}",
        ours=", ".join(f"{a.problem.name}: {a.verdict}, t = {a.float_t:.2g}" for a in others),
        remark="largest |t| where the proof says not separable: "
        f"{max((abs(a.float_t) for a in compared if a.verdict == 'not separable'), default=0):.2g}",
    )


def _of_texts(skipped: list[str]) -> Iterator[Figure]:
    from benchmarks.corpora import load
    from hardlimit import TextVectorizer, certify

    try:
        corpus = load("sms_spam")
    except Missing as missing:
        skipped.append(str(missing))
        return
    began = time.perf_counter()
    X = TextVectorizer(words=(1, 2), chars=(2, 5)).fit_transform(corpus.texts)
    verdict = certify(X, corpus.labels, bias_feature=0.1)
    seconds = time.perf_counter() - began
    verdict.check(X, corpus.labels)
    yield Figure(
        "texts of the SMS set, from raw text to a proof",
        seconds,
        "s",
        30.0,
        "<=",
        ours=f"{verdict}; {X.shape[1]:,} columns",
        remark="checked",
    )


def certify_problem(problem: Set) -> Answer:
    """Certify one set, check its written proof, and run the float solver."""
    from hardlimit import certify
    from hardlimit.certificates.proof_file import from_bytes, to_bytes
    from hardlimit.exceptions import ProofError

    began = time.perf_counter()
    verdict = certify(problem.X, problem.y)
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    proved = verdict.verdict != "undecided"
    try:
        from_bytes(to_bytes([verdict]))[0].check(problem.X, problem.y)
    except ProofError:
        proved = False
    lo, hi = getattr(verdict, "margin", (1.0, 1.0))
    return Answer(
        problem,
        verdict.verdict,
        proved,
        seconds,
        time.perf_counter() - began,
        (hi - lo) / hi,
        verdict.found_by,
        solve_in_floats(problem) if problem.is_small else float("nan"),
    )


def solve_in_floats(problem: Set) -> float:
    """Solve max t, Z w >= t, |w_j| <= 1 in floats; NaN where the solver gives up."""
    from scipy.optimize import linprog

    X = problem.X
    if not isinstance(X, np.ndarray):
        from scipy.sparse import csr_matrix

        X = csr_matrix((X.data, X.indices, X.indptr), shape=X.shape).toarray()
    Z = np.hstack([X, np.ones((len(X), 1))]) * problem.y[:, None]
    largest = np.abs(Z).max(axis=0)
    Z = Z / np.where(largest > 0, largest, 1)
    cost = np.zeros(Z.shape[1] + 1)
    cost[-1] = -1
    solution = linprog(
        cost,
        A_ub=np.hstack([-Z, np.ones((len(Z), 1))]),
        b_ub=np.zeros(len(Z)),
        bounds=[(-1, 1)] * Z.shape[1] + [(None, None)],
        method="highs",
    )
    return float("nan") if solution.x is None else float(solution.x[-1])


def _grid(answers: list[Answer]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    head = ("set", "rows", "columns", "verdict", "margin known to", "s", "check, s", "found by")
    return head, tuple(
        (
            a.problem.name,
            f"{a.problem.X.shape[0]:,}",
            f"{a.problem.X.shape[1]:,}",
            a.verdict if a.proved else f"{a.verdict}, not proved",
            f"{100 * a.gap:.2g} %" if a.verdict == "separable" else "",
            f"{a.seconds:.1f}",
            f"{a.check_seconds:.1f}",
            a.found_by,
        )
        for a in answers
    )
