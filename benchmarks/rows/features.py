"""Raw text to canonical CSR, one thread, beside scikit-learn's vectorizers on the same texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.contestants import need
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Settings, time_by_turns

TITLE = "Raw text to features, one thread"
CORPORA = ("20newsgroups", "imdb", "enron_spam")
HASH_BITS = 20


@dataclass(frozen=True)
class Job:
    """One kind of features: both sides' arguments, the target, and the amount of text."""

    name: str
    ours: dict
    theirs: dict
    target: float | None
    megabytes: float
    hashed: bool = True


JOBS = (
    Job("words", {"words": (1, 1)}, {}, 15.0, 16),
    Job("words 1-2", {"words": (1, 2)}, {"ngram_range": (1, 2)}, 18.0, 16),
    Job(
        "char_wb 3-5",
        {"words": None, "chars": (3, 5)},
        {"analyzer": "char_wb", "ngram_range": (3, 5)},
        28.0,
        4,
    ),
    Job(
        "vocabulary, words 1-2, tf-idf", {"words": (1, 2)}, {"ngram_range": (1, 2)}, None, 16, False
    ),
)


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield one figure a kind of features and corpus."""
    need("sklearn.feature_extraction.text")
    for job in JOBS:
        for name in CORPORA:
            try:
                corpus = sample(load(name), job.megabytes / (8 if settings.quick else 1))
            except Missing as missing:
                skipped.append(str(missing))
            else:
                yield compare(job, corpus, settings.repetitions)


def sample(corpus: Corpus, megabytes: float) -> Corpus:
    """Take every k-th text, so that about that many megabytes remain."""
    step = max(1, round(corpus.n_bytes / (megabytes * 1e6)))
    return corpus.take(range(0, len(corpus.texts), step))


def compare(job: Job, corpus: Corpus, repetitions: int) -> Figure:
    """Time both on one corpus."""
    ours, theirs = (hashed if job.hashed else vocabulary)(job, corpus.texts)
    times = time_by_turns({"ours": ours, "theirs": theirs}, repetitions)
    size = corpus.n_bytes / 1e6
    return Figure(
        f"{job.name}, {corpus.name}",
        times.ratio("theirs", "ours"),
        target=job.target,
        ours=f"{size / times.median('ours'):.1f} MB/s",
        theirs=f"{'Hashing' if job.hashed else 'Tfidf'}Vectorizer "
        f"{size / times.median('theirs'):.2f} MB/s",
        remark=f"{len(corpus.texts):,} texts, {size:.1f} MB",
    )


def hashed(job: Job, texts: list[str]):
    """Return both sides' work: hashing to 2^20 columns, counts, unit rows."""
    from sklearn.feature_extraction.text import HashingVectorizer

    from hardlimit.text import TextVectorizer

    ours = TextVectorizer(**job.ours, hash_bits=HASH_BITS, tf="raw", idf=None, norm="l2").fit([])
    theirs = HashingVectorizer(n_features=2**HASH_BITS, **job.theirs)
    return lambda: ours.transform(texts), lambda: theirs.transform(texts)


def vocabulary(job: Job, texts: list[str]):
    """Return both sides' work: an exact vocabulary, sublinear tf-idf, unit rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    from hardlimit.text import TextVectorizer

    return (
        lambda: TextVectorizer(**job.ours).fit_transform(texts),
        lambda: TfidfVectorizer(sublinear_tf=True, **job.theirs).fit_transform(texts),
    )
