"""Sets of texts cut, merged and relabelled from the shared ones, for defaults that hold elsewhere.

Everything is made of the training parts, without exact duplicates. A name says how: ``imdb@100``
has the first 100 characters of each text, ``imdb/sentence`` one sentence drawn of each,
``20newsgroups/subject`` the subject lines, ``20newsgroups/body`` what stands below the header;
``#500`` has 500 training texts, and in ``~`` a tenth of the training labels is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from benchmarks.corpora import Corpus, load

LONG = ("20newsgroups", "imdb", "enron_spam", "spamassassin")
SHORT = ("sms_spam", "banking77")
WRONG = 0.1  # of the labels of a set with "~"
MOST_TESTED = 2000  # texts, where the number of training texts is given

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SUBJECT = re.compile(r"Subject: (.*?)(?= [A-Z][\w-]*: |$)")
_BODY = re.compile(r"Lines: \d+ ")


def base(name: str) -> Corpus:
    """Return the training part of a shared corpus."""
    return without_duplicates(load(name).split()[0])


def without_duplicates(corpus: Corpus) -> Corpus:
    """Keep the first of equal texts."""
    first = {text: i for i, text in reversed(list(enumerate(corpus.texts)))}
    return corpus.take(sorted(first.values()))


def cut(corpus: Corpus, length: int | None) -> Corpus:
    """Cut each text to its first ``length`` characters."""
    return _changed(corpus, [text[:length] for text in corpus.texts])


def _changed(corpus: Corpus, texts: list[str]) -> Corpus:
    kept = [i for i, text in enumerate(texts) if text.strip()]
    labels = [corpus.labels[i] for i in kept]
    return without_duplicates(Corpus(corpus.name, [texts[i] for i in kept], labels))


def _sentences(corpus: Corpus) -> Corpus:
    draw, texts = np.random.default_rng(0), []
    for text in corpus.texts:
        long = [one for one in _SENTENCE.split(text) if len(one) > 20] or [text]
        texts.append(long[draw.integers(len(long))])
    return _changed(corpus, texts)


def _first_sentence(corpus: Corpus) -> Corpus:
    return _changed(corpus, [_SENTENCE.split(text)[0] for text in corpus.texts])


def _subjects(corpus: Corpus) -> Corpus:
    found = [_SUBJECT.search(text[:3000]) for text in corpus.texts]
    subjects = [match[1][:200] if match else "" for match in found]
    return _changed(corpus, [re.sub(r"^(re: ?)+", "", one, flags=re.I) for one in subjects])


def _bodies(corpus: Corpus) -> Corpus:
    found = [_BODY.search(text) for text in corpus.texts]
    pairs = zip(found, corpus.texts, strict=True)
    return _changed(corpus, [text[match.end() :] if match else text for match, text in pairs])


def _relabelled(corpus: Corpus, name: Callable[[str], str]) -> Corpus:
    return Corpus(corpus.name, corpus.texts, [name(label) for label in corpus.labels])


def _of_classes(corpus: Corpus, wanted: Callable[[str], bool]) -> Corpus:
    return corpus.take([i for i, label in enumerate(corpus.labels) if wanted(label)])


def _merged(parts: Iterable[Corpus]) -> Corpus:
    parts = list(parts)
    texts = [text for part in parts for text in part.texts]
    return Corpus("+".join(p.name for p in parts), texts, [one for p in parts for one in p.labels])


def _some(corpus: Corpus, n: int) -> Corpus:
    return corpus.take(np.random.default_rng(0).permutation(len(corpus.texts))[:n])


def _with_name(corpus: Corpus) -> Corpus:
    """Keep the classes of two corpora apart."""
    return _relabelled(corpus, lambda label: f"{corpus.name} {label}")


def _two(first: str, second: str, most: int | None = None) -> Corpus:
    parts = (_with_name(base(name)) for name in (first, second))
    return _merged(part if most is None else _some(part, most) for part in parts)


def _groups() -> Corpus:
    return _relabelled(base("20newsgroups"), lambda label: label.split(".")[0])


def _sets() -> dict[str, Callable[[], Corpus]]:
    sets: dict[str, Callable[[], Corpus]] = {}
    for name in SHORT + LONG:
        sets[name] = lambda name=name: base(name)
        lengths = (25,) if name in SHORT else (50, 100, 200, 400)
        for length in lengths:
            sets[f"{name}@{length}"] = lambda name=name, length=length: cut(base(name), length)
    return sets | {
        "imdb/sentence": lambda: _sentences(base("imdb")),
        "imdb/first sentence": lambda: _first_sentence(base("imdb")),
        "enron_spam/first sentence": lambda: _first_sentence(base("enron_spam")),
        "20newsgroups/subject": lambda: _subjects(base("20newsgroups")),
        "20newsgroups/body": lambda: _bodies(base("20newsgroups")),
        "20newsgroups/body@200": lambda: cut(_bodies(base("20newsgroups")), 200),
        "20newsgroups, 7 groups": _groups,
        "20newsgroups/subject, 7 groups": lambda: _subjects(_groups()),
        "20newsgroups, comp": lambda: _of_classes(base("20newsgroups"), _begins("comp.")),
        "20newsgroups, talk": lambda: _of_classes(base("20newsgroups"), _begins("talk.")),
        "banking77, card or not": lambda: _relabelled(
            base("banking77"), lambda label: str("card" in label)
        ),
        "banking77, first word": lambda: _relabelled(
            base("banking77"), lambda label: label.split("_")[0].lower()
        ),
        "enron_spam + imdb": lambda: _two("enron_spam", "imdb", 6000),
        "enron_spam + imdb@200": lambda: cut(_two("enron_spam", "imdb", 6000), 200),
        "sms_spam + spamassassin@100": lambda: cut(_two("sms_spam", "spamassassin"), 100),
        "sms_spam + banking77": lambda: _two("sms_spam", "banking77"),
        "spam of three": lambda: _merged(
            _some(base(name), 3000) for name in ("sms_spam", "enron_spam", "spamassassin")
        ),
    }


def _begins(start: str) -> Callable[[str], bool]:
    return lambda label: label.startswith(start)


SETS = _sets()
NAMES = (
    *SETS,
    *(f"{name}#{n}" for name in SHORT + LONG for n in (200, 1000)),
    "imdb/sentence#300",
    "20newsgroups/subject, 7 groups#300",
    *(f"{name}~" for name in SHORT + LONG),
    "imdb/sentence~",
    "20newsgroups/subject~",
)


def with_wrong_labels(corpus: Corpus, seed: int, share: float) -> Corpus:
    """Change that share of the labels to another class."""
    draw, classes = np.random.default_rng(seed), sorted(set(corpus.labels))
    labels = list(corpus.labels)
    for i in np.flatnonzero(draw.random(len(labels)) < share):
        labels[i] = str(draw.choice([label for label in classes if label != labels[i]]))
    return Corpus(corpus.name, corpus.texts, labels)


def draw_split(name: str, seed: int, most: int) -> tuple[Corpus, Corpus]:
    """Return a training and a test part of the named set, drawn at random."""
    plain, _, size = name.removesuffix("~").partition("#")
    corpus = SETS[plain]()
    order = np.random.default_rng(seed).permutation(len(corpus.texts))
    if size:
        n = int(size)
        return corpus.take(order[:n]), corpus.take(order[n : n + MOST_TESTED])
    order = order[:most]
    train, test = corpus.take(order[len(order) // 5 :]), corpus.take(order[: len(order) // 5])
    return (with_wrong_labels(train, seed, WRONG) if name.endswith("~") else train), test
