"""The averaged perceptron with margin on texts, beside LinearSVC, from raw texts to predictions.

Its b and its epochs were chosen inside the training parts, by ``python -m benchmarks.defaults
margin`` (written down in DEFAULTS.md); the held-out fifth took no part.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contestants import contestants
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Settings, Times, format_seconds
from benchmarks.job import in_a_process

TITLE = "Averaged margin perceptron, raw text to predictions, one thread"
CORPORA = ("20newsgroups", "imdb")
OURS, BAR = "hardlimit_margin_perceptron", "sklearn_linear_svc"
BELOW_BAR, TENTH = 0.003, 0.1
QUICK = 4000


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield accuracy and share of the time on each corpus."""
    for corpus in (settings.corpus,) if settings.corpus else CORPORA:
        try:
            yield from compare(corpus, settings)
        except Missing as missing:
            skipped.append(str(missing))


def compare(corpus: str, settings: Settings) -> Iterator[Figure]:
    """Run both in turns."""
    runs: dict[str, list[dict]] = {OURS: [], BAR: []}
    for _ in range(settings.repetitions):
        for name, done in runs.items():
            done.append(in_a_process(name, corpus, QUICK if settings.quick else None))
    times = Times({name: [run["seconds"] for run in done] for name, done in runs.items()})
    ours, bar = (contestants()[name] for name in (OURS, BAR))
    setting = f"MarginPerceptron(b={ours.B:g}), {ours.EPOCHS} epochs"
    accuracy = {name: done[0]["accuracy"] for name, done in runs.items()}
    yield Figure(
        f"{corpus}, accuracy",
        accuracy[OURS],
        "",
        accuracy[BAR] - BELOW_BAR,
        ours=setting,
        theirs=f"{bar.TITLE} {accuracy[BAR]:.4f}",
        remark=f"target: at most {BELOW_BAR} below",
    )
    yield Figure(
        f"{corpus}, share of LinearSVC's time",
        1 / times.ratio(BAR, OURS),
        target=TENTH,
        sense="<=",
        ours=format_seconds(times.median(OURS)),
        theirs=f"{bar.TITLE} {format_seconds(times.median(BAR))}",
    )
