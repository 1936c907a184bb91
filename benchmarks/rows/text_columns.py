"""One row of several columns: what it costs to learn beside a row of one, as the terms grow."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmarks.contestants import need
from benchmarks.harness import Figure, Grid, Settings, Times, format_seconds

TITLE = "partial_fit of one row of several columns"
GOAL, MOST_COLUMNS = 2.0, 3  # times one text of as many words; of so many columns
GROWTH = 2.0  # what caches may cost as the terms become 300 times as many: the work is the same
TERMS = (1_000, 30_000, 300_000)
WORDS, PER_FIT, SEED = 48, 24, 3
WARMING, CALLS, TURNS = 50, 50, 40  # many short turns: a busy machine disturbs some of them
ONE = "one text"
# Columns by their kinds: text, number, category. The words of a row are shared out among its texts.
CASES = {
    ONE: "t",
    "2 texts": "tt",
    "3 texts": "ttt",
    "text, number and category": "tnc",
    "2 texts, 2 numbers and 2 categories": "ttnncc",
}
FEATURES: dict[str, dict[str, Any]] = {
    "words counted": {"words": (1, 1), "chars": None},
    "words counted, without idf": {"words": (1, 1), "chars": None, "idf": None},
    "words hashed": {"words": (1, 1), "chars": None, "hash_bits": 18},
    "features left to the texts": {},
}
USUAL = "words counted"


class Learner(NamedTuple):
    """A model that has learnt a vocabulary, and rows without end for it."""

    model: Any
    rows: Iterator[Any]

    def learn(self, calls: int) -> float:
        """Return the mean seconds of ``partial_fit`` of one row, of the processor."""
        rows = [next(self.rows) for _ in range(calls)]
        begin = time.process_time()
        for number, row in enumerate(rows):
            self.model.partial_fit([row], [number % 2])
        return (time.process_time() - begin) / calls


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the ratio to one column for each number of terms, and the growth with the terms."""
    need("hardlimit")
    sizes = TERMS[:2] if settings.quick else TERMS
    found = {(features, n): measure(features, n, settings) for features in FEATURES for n in sizes}
    for case in CASES:
        if case == ONE:
            continue
        for n in sizes:
            yield compare(case, n, found[USUAL, n])
        yield worst(case, found)
    for case in CASES:
        yield grow(case, found[USUAL, sizes[0]], found[USUAL, sizes[-1]], sizes)
    yield Grid(
        f"Microseconds of the processor for one call, {WORDS} words a row, a new word in each text",
        ("features", "terms", *CASES),
        tuple(
            (features, f"{n:,}", *(f"{1e6 * times.median(case):.0f}" for case in CASES))
            for (features, n), times in found.items()
        ),
    )


def measure(features: str, n_terms: int, settings: Settings) -> Times:
    """Time all cases by turns."""
    learners = {case: begin(kinds, FEATURES[features], n_terms) for case, kinds in CASES.items()}
    for learner in learners.values():
        learner.learn(WARMING)
    times = Times()
    for _ in range(max(TURNS, settings.repetitions)):
        for case, learner in learners.items():
            times.add(case, learner.learn(CALLS))
    return times


def begin(kinds: str, features: dict[str, Any], n_terms: int) -> Learner:
    """Return a model that knows so many words, shared out among its columns of texts."""
    import hardlimit as hl

    n_texts = kinds.count("t")
    known = [[f"w{i:x}" for i in range(k, n_terms, n_texts)] for k in range(n_texts)]
    names = [f"{kind}{at}" for at, kind in enumerate(kinds)]
    draw = random.Random(SEED)
    make = row_maker(kinds, names, draw)
    model: Any
    if kinds == "t":
        model = hl.TextClassifier(**features)
    elif set(kinds) == {"t"}:
        model = hl.TextClassifier(text_columns=names, **features)
    else:
        groups = {"text_columns": "t", "number_columns": "n", "category_columns": "c"}
        chosen = {
            group: [name for name in names if name[0] == kind] for group, kind in groups.items()
        }
        model = hl.TableClassifier(**chosen, **features)
    first = [
        make([" ".join(words[at : at + PER_FIT]) for words in known])
        for at in range(0, len(known[0]), PER_FIT)
    ]
    model.partial_fit(first, [number % 2 for number in range(len(first))])
    return Learner(model, endless_rows(known, make, draw))


def row_maker(kinds: str, names: list[str], draw: random.Random) -> Callable[[list[str]], Any]:
    """Return what makes a row of its texts, as the model takes it."""
    drawn = {"n": draw.random, "c": lambda: f"c{draw.randrange(20)}"}

    def make(texts: list[str]) -> Any:
        if kinds == "t":
            return texts[0]
        left = iter(texts)
        values = [next(left) if kind == "t" else drawn[kind]() for kind in kinds]
        return tuple(values) if set(kinds) == {"t"} else dict(zip(names, values, strict=True))

    return make


def endless_rows(
    known: list[list[str]], make: Callable[[list[str]], Any], draw: random.Random
) -> Iterator[Any]:
    """Yield rows of words that are known, the common ones more often, and one new a text."""
    n_words, serial = WORDS // len(known), 0
    while True:
        serial += 1
        texts = []
        for words in known:
            scale = math.log(len(words))
            drawn = [words[int(math.exp(scale * draw.random())) - 1] for _ in range(n_words - 1)]
            texts.append(" ".join([*drawn, f"new{serial}"]))
        yield make(texts)


def goal(case: str) -> float | None:
    """Return the goal of a case; None of more columns than it is meant for."""
    return GOAL if len(CASES[case]) <= MOST_COLUMNS else None


def compare(case: str, n_terms: int, times: Times) -> Figure:
    """Return the ratio of a case to one column, among so many terms."""
    return Figure(
        f"{case}, {n_terms:,} terms",
        times.ratio(case, ONE),
        target=goal(case),
        sense="<=",
        ours=format_seconds(times.median(case)),
        theirs=f"{ONE} of as many words {format_seconds(times.median(ONE))}",
    )


def worst(case: str, found: dict[tuple[str, int], Times]) -> Figure:
    """Return the largest ratio of a case over all features and numbers of terms."""
    at = max(found, key=lambda key: found[key].ratio(case, ONE))
    return Figure(
        f"{case}, the largest ratio",
        found[at].ratio(case, ONE),
        target=goal(case),
        sense="<=",
        remark=f"{at[0]}, {at[1]:,} terms",
    )


def grow(case: str, few: Times, many: Times, sizes: tuple[int, ...]) -> Figure:
    """Return how much longer a row takes among the most terms than among the fewest."""
    return Figure(
        f"{case}: {sizes[-1]:,} terms against {sizes[0]:,}",
        many.median(case) / few.median(case),
        target=GROWTH,
        sense="<=",
        ours=format_seconds(many.median(case)),
        theirs=format_seconds(few.median(case)),
    )
