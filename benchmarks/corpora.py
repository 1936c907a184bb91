"""The labelled texts, and the split of them that every figure uses.

The common split: pool what the archive holds (its own train and test parts alike, duplicates kept),
decode as UTF-8 with replacement, fold white space, order by the SHA-1 of the path inside the
archive (a table keeps the order of its file), and hold out every fifth text, the first one first.

``spamassassin_mail`` has the same mails as they were sent: bytes, nothing decoded or folded.

Texts are read from ``$HARDLIMIT_DATA`` (default ``../shared/data`` beside this checkout) and kept,
one ``label<TAB>text`` line each, under ``benchmarks/.cache``.
"""

from __future__ import annotations

import csv
import hashlib
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
Document = tuple[str, str, str]
"""Path inside the archive, label, raw text."""
MAIL = "spamassassin_mail"


class Missing(Exception):  # noqa: N818 - it is no error
    """A data set or a package that this machine does not have; the message names it."""


def data_folder() -> Path:
    """Return the folder of the data sets: ``$HARDLIMIT_DATA``, or ``../shared/data``."""
    return Path(os.environ.get("HARDLIMIT_DATA", HERE.parent.parent / "shared" / "data"))


@dataclass(frozen=True)
class Corpus:
    """Texts and labels in the common order; raw mail instead of texts is bytes."""

    name: str
    texts: list
    labels: list[str]

    @property
    def is_mail(self) -> bool:
        """Whether the texts are raw mail."""
        return bool(self.texts) and isinstance(self.texts[0], bytes)

    def first(self, most: int | None) -> Corpus:
        """Return the first ``n`` texts, or all of them."""
        return self if most is None else self.take(range(min(most, len(self.texts))))

    def split(self) -> tuple[Corpus, Corpus]:
        """Return the training part and the held-out fifth."""
        train = [i for i in range(len(self.texts)) if i % 5]
        return self.take(train), self.take(range(0, len(self.texts), 5))

    def take(self, rows: Iterable[int]) -> Corpus:
        """Return the texts at these positions."""
        return Corpus(self.name, [self.texts[i] for i in rows], [self.labels[i] for i in rows])

    @property
    def n_bytes(self) -> int:
        """Length of the texts in UTF-8, or of the mails."""
        return sum(len(text if self.is_mail else text.encode()) for text in self.texts)


def fold(raw: str) -> str:
    """Replace each run of white space by one space, and remove it at the ends.

    >>> fold("  a    b ")
    'a b'
    """
    return " ".join(raw.split())


def in_common_order(documents: list) -> list:
    """Order documents by the SHA-1 of their path inside the archive."""
    return sorted(documents, key=lambda document: hashlib.sha1(document[0].encode()).hexdigest())


def raw_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of every regular file of an archive."""
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile():
                stream = tar.extractfile(member)
                if stream is not None:
                    yield member.name.removeprefix("./"), stream.read()


def members(archive: Path) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every regular file of an archive."""
    for path, raw in raw_members(archive):
        yield path, raw.decode("utf-8", "replace")


def _archive(relative: str, label_of: Callable[[str], str | None]) -> Iterator[Document]:
    for path, text in members(_existing(relative)):
        label = label_of(path)
        if label is not None:
            yield path, label, text


def _existing(relative: str) -> Path:
    path = data_folder() / relative
    if not path.exists():
        raise Missing(f"{path} is not there (HARDLIMIT_DATA names the folder of the data sets)")
    return path


def _second_folder(path: str) -> str:
    return path.split("/")[-2]


def _enron_label(path: str) -> str | None:
    return None if path.endswith("Summary.txt") else _second_folder(path)


def _spamassassin_label(path: str) -> str:
    return "spam" if _second_folder(path).startswith("spam") else "ham"


def _sms_spam() -> Iterator[Document]:
    with open(_existing("sms_spam/SMSSpamCollection"), encoding="utf-8", newline="\n") as lines:
        for line in lines:
            label, text = line.rstrip("\n").split("\t", 1)
            yield "", label, text


def _banking77() -> Iterator[Document]:
    for part in ("train", "test"):
        with open(_existing(f"banking77/{part}.csv"), encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                yield "", row["category"], row["text"]


SOURCES: dict[str, Callable[[], Iterator[Document]]] = {
    "sms_spam": _sms_spam,
    "banking77": _banking77,
    "enron_spam": lambda: _archive("enron_spam/enron_spam_raw.tar.xz", _enron_label),
    "20newsgroups": lambda: _archive("20newsgroups/20news-bydate.tar.xz", _second_folder),
    "imdb": lambda: _archive("imdb/aclImdb_labelled.tar.xz", _second_folder),
    "spamassassin": lambda: _archive("spamassassin/spamassassin.tar.xz", _spamassassin_label),
}


def load(name: str) -> Corpus:
    """Read one corpus, from the cache once it has been there.

    Raises ``Missing`` where the data set is not on this machine.
    """
    if name == MAIL:
        return _raw_mail()
    cached = CACHE / "texts" / f"{name}.tsv"
    if not cached.exists():
        _write(cached, in_common_order(list(SOURCES[name]())))
    texts, labels = [], []
    with open(cached, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            label, text = line.rstrip("\n").split("\t", 1)
            labels.append(label)
            texts.append(text)
    return Corpus(name, texts, labels)


def _raw_mail() -> Corpus:
    archive = _existing("spamassassin/spamassassin.tar.xz")
    mails = [(path, _spamassassin_label(path), raw) for path, raw in raw_members(archive)]
    mails = in_common_order(mails)
    return Corpus(MAIL, [raw for _, _, raw in mails], [label for _, label, _ in mails])


def _write(path: Path, documents: list[Document]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    with open(unfinished, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{label}\t{fold(text)}\n" for _, label, text in documents)
    unfinished.replace(path)
