"""Peak memory from raw texts to predictions, each contestant in a fresh process.

The figure of each contestant is the growth: the peak less the resident memory after loading the raw
texts and the libraries. hardlimit's own bound: the growth stays under twice
(matrix + weights + vocabulary), counted as the smallest sensible layout of each would have it:
matrix    float32 values, int32 columns, int64 row starts of the training rows;
weights   one float64 a column and output (one output for two classes);
vocabulary    the UTF-8 bytes of the terms and an int64 place for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contestants import contestants
from benchmarks.corpora import Missing, load
from benchmarks.harness import Figure, Settings, format_megabytes
from benchmarks.job import in_a_process

TITLE = "Peak memory from raw texts to predictions"
OURS = "hardlimit_default"
PEERS = ("sklearn_linear_svc", "sklearn_hashing_perceptron", "vowpal_wabbit", "fasttext")
CORPORA = ("20newsgroups", "imdb", "enron_spam")


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the bound and the peers of every corpus."""
    for corpus in ("sms_spam",) if settings.quick else CORPORA:
        try:
            ours = in_a_process(OURS, corpus)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        yield bound(corpus, ours)
        yield from beside(corpus, ours, skipped)


def growth(run: dict) -> int:
    """Return the bytes that the work added."""
    return run["memory_peak"] - run["memory_before"]


def bound(corpus: str, ours: dict) -> Figure:
    """Compare our growth with the bytes that a run has to hold."""
    parts = sizes(corpus)
    held = sum(parts.values())
    both = growth(ours) / (held + parts["weights"])
    return Figure(
        f"{corpus}, growth over (matrix + weights + vocabulary)",
        growth(ours) / held,
        target=2.0,
        sense="<=",
        ours=f"peak {format_megabytes(ours['memory_peak'])}, "
        f"growth {format_megabytes(growth(ours))}",
        remark=", ".join(f"{name} {format_megabytes(size)}" for name, size in parts.items())
        + f"; {both:.2f} when the weights of both read-outs kept (last, averaged) are counted",
    )


def sizes(corpus: str) -> dict[str, int]:
    """Return the bytes of what a run has to hold, from a fit of its own."""
    from hardlimit import TextClassifier

    train, _ = load(corpus).split()
    classifier = TextClassifier().fit(train.texts, train.labels)
    X = classifier.vectorizer_.transform(train.texts)
    outputs = 1 if len(classifier.classes_) == 2 else len(classifier.classes_)
    terms = classifier.vectorizer_.terms(range(X.shape[1]))
    return {
        "matrix": 8 * X.nnz + 8 * (X.shape[0] + 1),
        "weights": 8 * X.shape[1] * outputs,
        "vocabulary": sum(len(term.encode()) for term in terms) + 8 * len(terms),
    }


def beside(corpus: str, ours: dict, skipped: list[str]) -> Iterator[Figure]:
    """Yield the growth of every other contestant divided by ours."""
    for name in PEERS:
        try:
            theirs = in_a_process(name, corpus)
        except Missing as missing:
            if str(missing) not in skipped:
                skipped.append(str(missing))
            continue
        yield Figure(
            f"{corpus}: {contestants()[name].TITLE}",
            growth(theirs) / growth(ours),
            ours=format_megabytes(growth(ours)),
            theirs=f"peak {format_megabytes(theirs['memory_peak'])}, "
            f"growth {format_megabytes(growth(theirs))}",
            remark="its growth divided by ours",
        )
