"""A fitted model in use: texts a second in one process, and the bytes of the saved model.

Each contestant learns the training part in a process of its own. Then all of them predict the
held-out fifth by turns, from raw texts to labels; raw mail from bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.contestants import contestants
from benchmarks.corpora import MAIL, Missing
from benchmarks.harness import Figure, Grid, Settings, Times
from benchmarks.in_use import InUse

TITLE = "Models in use: texts a second, bytes on disk"
OURS = "hardlimit_default"
CORPORA = ("sms_spam", "banking77", MAIL, "20newsgroups", "imdb")
TO_GO_ON = "hardlimit, with what further training needs"
QUICK = 3000


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the rate of every contestant beside ours, and a table of the sizes."""
    sizes: dict[str, dict[str, float]] = {}
    corpora = CORPORA[:1] if settings.quick else CORPORA
    corpora = (settings.corpus,) if settings.corpus else corpora
    for corpus in corpora:
        try:
            facts, times = take_turns(corpus, settings, skipped)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        yield from rates(corpus, facts, times)
        for title, size in named_sizes(facts):
            sizes.setdefault(title, {})[corpus] = size / 1e6
    yield Grid(
        "MB of the saved model",
        ("contestant", *corpora),
        tuple(
            (title, *(f"{by[one]:,.2f}" if one in by else "" for one in corpora))
            for title, by in sizes.items()
        ),
    )


def take_turns(corpus: str, settings: Settings, skipped: list[str]) -> tuple[dict, Times]:
    """Let all contestants learn, then predict by turns."""
    times = Times()
    with ExitStack() as stack:
        running = {}
        for name in settings.chosen(contestants(), OURS):
            try:
                running[name] = InUse(name, corpus, QUICK if settings.quick else None)
                stack.callback(running[name].close)
            except Missing as missing:
                if name == OURS:
                    raise
                if str(missing) not in skipped:
                    skipped.append(str(missing))
        for _ in range(max(3, settings.repetitions)):
            for name, process in running.items():
                times.add(name, process.seconds())
        return {name: process.facts for name, process in running.items()}, times


def rates(corpus: str, facts: dict[str, dict[str, int]], times: Times) -> Iterator[Figure]:
    """Yield how many times as many texts a second we predict."""

    def rate(name: str) -> str:
        return f"{facts[name]['texts'] / times.median(name):,.0f} texts/s"

    for name in facts:
        if name != OURS:
            yield Figure(
                f"{corpus}: {contestants()[name].TITLE}",
                times.ratio(name, OURS),
                ours=rate(OURS),
                theirs=rate(name),
                remark="our rate divided by its",
            )


def named_sizes(facts: dict[str, dict[str, int]]) -> Iterator[tuple[str, int]]:
    """Yield the bytes of each saved model."""
    for name, fact in facts.items():
        yield contestants()[name].TITLE, fact["save"]
        if name == OURS:
            yield TO_GO_ON, fact["save_to_go_on"]
