"""Raw text to canonical CSR, one thread, beside scikit-learn's vectorizers on the same texts.

Where ``HARDLIMIT_BEFORE`` names an earlier checkout (:mod:`benchmarks.earlier`), its rate is
measured too, in processes by turns.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.contestants import need
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.earlier import earlier_python, run_module, sides
from benchmarks.harness import Figure, Settings, Times, time_by_turns

TITLE = "Raw text to features, one thread"
CORPORA = ("20newsgroups", "imdb", "enron_spam")
HASH_BITS = 20
OF_HASHING = "sorting 22 %, cutting and hashing 22 %, clearing of fresh pages 12 %"
OF_VOCABULARY = (
    "looking up 28 %, clearing of fresh pages 7 to 15 %, sorting 10 %, cutting 9 %, weighing "
    "7.5 %, doubling of tables 6 %, counting of documents 5 %"
)


@dataclass(frozen=True)
class Job:
    """One kind of features: both sides' arguments, the target, and the amount of text."""

    name: str
    ours: dict
    theirs: dict
    target: float | None
    megabytes: float
    hashed: bool = True
    faster: float | None = None  # than the earlier checkout, as asked for
    profile: str = ""  # where the time goes, by perf


JOBS = (
    Job("words", {"words": (1, 1)}, {}, 15.0, 16),
    Job(
        "words 1-2",
        {"words": (1, 2)},
        {"ngram_range": (1, 2)},
        18.0,
        16,
        faster=1.5,
        profile=OF_HASHING,
    ),
    Job(
        "char_wb 3-5",
        {"words": None, "chars": (3, 5)},
        {"analyzer": "char_wb", "ngram_range": (3, 5)},
        28.0,
        4,
    ),
    Job(
        "vocabulary, words 1-2, tf-idf",
        {"words": (1, 2)},
        {"ngram_range": (1, 2)},
        None,
        16,
        hashed=False,
        faster=1.5,
        profile=OF_VOCABULARY,
    ),
)


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield one figure a kind of features and corpus."""
    need("sklearn.feature_extraction.text")
    for number, job in enumerate(JOBS):
        for name in CORPORA:
            megabytes = job.megabytes / (8 if settings.quick else 1)
            try:
                corpus = sample(load(name), megabytes)
            except Missing as missing:
                skipped.append(str(missing))
                continue
            yield compare(job, corpus, settings.repetitions)
            if job.faster is not None and earlier_python():
                yield beside_before(number, corpus, megabytes, settings.repetitions)


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


def beside_before(number: int, corpus: Corpus, megabytes: float, repetitions: int) -> Figure:
    """Compare the rates of this checkout and the earlier one, each in processes of its own."""
    words = "benchmarks.rows.features", str(number), corpus.name, str(megabytes)
    times = Times()
    for _ in range(repetitions):
        for side, python in sides().items():
            times.add(side, run_module(python, *words))
    size = corpus.n_bytes / 1e6
    return Figure(
        f"{JOBS[number].name}, {corpus.name}: rate over that of before",
        times.ratio("before", "now"),
        target=JOBS[number].faster,
        ours=f"{size / times.median('now'):.1f} MB/s",
        theirs=f"before {size / times.median('before'):.1f} MB/s",
        remark=f"processor time, median of {repetitions} processes on each side; where it goes: "
        + JOBS[number].profile,
    )


def processor_seconds(job: Job, corpus: Corpus) -> float:
    """Return what our side takes at its best, in this process."""
    work = (ours_hashed if job.hashed else ours_vocabulary)(job, corpus.texts)
    seconds = []
    for _ in range(5):
        gc.collect()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def hashed(job: Job, texts: list[str]):
    """Return both sides' work: hashing to 2^20 columns, counts, unit rows."""
    from sklearn.feature_extraction.text import HashingVectorizer

    theirs = HashingVectorizer(n_features=2**HASH_BITS, **job.theirs)
    return ours_hashed(job, texts), lambda: theirs.transform(texts)


def ours_hashed(job: Job, texts: list[str]):
    """Return our side's work."""
    from hardlimit.text import TextVectorizer

    ours = TextVectorizer(**job.ours, hash_bits=HASH_BITS, tf="raw", idf=None, norm="l2").fit([])
    return lambda: ours.transform(texts)


def vocabulary(job: Job, texts: list[str]):
    """Return both sides' work: an exact vocabulary, sublinear tf-idf, unit rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return (
        ours_vocabulary(job, texts),
        lambda: TfidfVectorizer(sublinear_tf=True, **job.theirs).fit_transform(texts),
    )


def ours_vocabulary(job: Job, texts: list[str]):
    """Return our side's work."""
    from hardlimit.text import TextVectorizer

    return lambda: TextVectorizer(**job.ours).fit_transform(texts)


if __name__ == "__main__":
    job, name, megabytes = JOBS[int(sys.argv[1])], sys.argv[2], float(sys.argv[3])
    print(processor_seconds(job, sample(load(name), megabytes)))
