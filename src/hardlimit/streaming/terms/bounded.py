"""A limited vocabulary of texts of any number, counted in bounded memory.

The compiled vocabulary counts until it has grown to the budget. Then its terms go into a file, as
records sorted by the hash of the term, and an empty one counts on. At the end the files are merged:
what was counted of a term is added up, and the terms that the vectorizer keeps are put into a
vocabulary, numbered by first appearance. It is the one that ``TextVectorizer.fit`` makes of the
same texts in memory, to the last byte of a model file.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from hardlimit import _native
from hardlimit.examples.texts import as_texts, refuse_others
from hardlimit.exceptions import FileError, InputError, KindError
from hardlimit.foundation import progress
from hardlimit.foundation.temporary_folder import (
    make_folder,
    make_temporary_folder,
    remove_dead_folders,
)
from hardlimit.foundation.workers import count_workers
from hardlimit.streaming.terms._protocol import BUDGET, LEAST_BUDGET, TermCounts, TextQueue
from hardlimit.text import limits
from hardlimit.text.batches import LEAST_SHARE, Texts, length_of
from hardlimit.text.vectorizer import TextVectorizer

# Files that are merged at once.
FAN_IN = 32
_NAME = "hardlimit-terms"  # of the folder of files
# Terms of texts that are counted at once are this part of the budget.
_BATCH_PART = 256
_MOST_TEXTS = 8192
# Of one part: their numbers stand before those of the next part's.
_MOST_SPILLS = 1 << 14


@contextlib.contextmanager
def _make_folder(parent: str | os.PathLike[str] | None = None) -> Iterator[str]:
    """Give a folder for sorted files: in one that was named, else among the temporary files."""
    if parent is None:
        with make_temporary_folder(_NAME) as folder:
            yield folder
        return
    parent = os.fspath(parent)
    remove_dead_folders(parent)
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(make_folder(os.path.join(parent, _NAME)))
        except FileNotFoundError as error:
            raise FileError("no such folder", where=parent, fix="make it first") from error
        except OSError as error:
            reason = f"cannot be written: {error.strerror or error}"
            raise FileError(reason, where=parent, fix="name another folder") from error
        yield folder


class TermRecords(NamedTuple):
    """What was counted of some of the texts: sorted records, and how many texts there were."""

    records: tuple[bytes, ...]
    n_documents: int
    n_replaced: int

    def packed(self) -> TermRecords:
        """Return this."""
        return self

    def fit(self, vectorizer: TextVectorizer, others: Sequence[Any]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it."""
        counter = BoundedCounter(vectorizer)
        counter.add_parts([self, *(other.packed() for other in others)])
        return counter.fit(vectorizer, ())


class BoundedCounter:
    """Counts texts into sorted files.

    Memory is ``budget`` bytes while counting, and beside it a few MiB of texts and the features of
    the longest of them; then what is kept: the vocabulary, and about 200 bytes a kept term while it
    is chosen (``CHOSEN``).
    Cost: that of ``fit`` and, for each term of each file, about a microsecond; on the disk about 30
    bytes a term and file. The files go with the counter; a process that is killed leaves a folder,
    which the next count removes.
    """

    def __init__(
        self,
        vectorizer: TextVectorizer,
        part: int = 0,
        budget: int = BUDGET,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        if not isinstance(budget, int) or budget < LEAST_BUDGET:
            wanted = f"a number of bytes, at least {LEAST_BUDGET}"
            raise InputError(parameter="budget", got=budget, wanted=wanted)
        self.vectorizer, self.budget = vectorizer, budget
        self.limits = limits.check_limits(vectorizer.get_params())
        stack = contextlib.ExitStack()
        self.folder = stack.enter_context(_make_folder(folder))
        self._close = weakref.finalize(self, stack.close)
        self.n_threads = count_workers(vectorizer.n_jobs)
        self.n_files = self.n_texts = self.n_documents = self.n_replaced = 0
        self.n_spills = part * _MOST_SPILLS
        self.largest = 0  # bytes that were taken at once, for tests
        # By how often their terms were merged.
        self.levels: list[list[str]] = [[]]
        self._queue = TextQueue()
        self._begin()

    def fit(self, vectorizer: TextVectorizer, others: Sequence[TermCounts]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it."""
        if others:
            return self.packed().fit(vectorizer, others)
        self._count(self._queue.rest())
        self._spill()
        fitted = vectorizer.take_features(self._chosen(), self.n_replaced)
        self._close()
        return fitted

    def packed(self) -> TermRecords:
        """Return what is in the files, which go."""
        self._count(self._queue.rest())
        self._spill()
        records = []
        for path in (path for level in self.levels for path in level):
            with open(path, "rb") as file:
                records.append(file.read())
        self._close()
        return TermRecords(tuple(records), self.n_documents, self.n_replaced)

    def add_parts(self, parts: Sequence[TermRecords]) -> None:
        """Have the files of parts that were counted elsewhere."""
        for part in parts:
            self.n_documents += part.n_documents
            self.n_replaced += part.n_replaced
            for records in part.records:
                with self._new_file(0) as write:
                    write(records)
            self._merge_full_levels()

    def add(self, texts: Texts) -> None:
        """Count more texts."""
        self._count(self._queue.add(texts))

    def _count(self, some: Iterable[Texts]) -> None:
        try:
            for texts in some:
                self._count_now(texts)
        except BaseException:
            self._close()
            raise

    def _count_now(self, texts: Texts) -> None:
        for first, batch, more in self._batches(texts):
            if _native.count_bytes_of_terms(self.features, *more) > self.budget:
                self._spill()
            self._learn(self.vectorizer.prepare(batch), first)
            self.n_texts = first + len(batch)

    def _begin(self) -> None:
        self.features = self.vectorizer.new_features()
        self.occurrences = _native.TermOccurrences()

    def _batches(self, texts: Texts) -> Iterator[tuple[int, list[Any], tuple[int, int, int]]]:
        """Yield the position of the first, texts, and how many terms of each kind they may have."""
        most, total = max(1, self.budget // _BATCH_PART), length_of(texts)
        batch: list[Any] = []
        more, first = (0, 0, 0), self.n_texts
        for text in as_texts(texts):
            terms = self._most_terms(text)
            # What is no text is refused where it is read, after those before it.
            if batch and (sum(more) + sum(terms) > most or len(batch) == _MOST_TEXTS):
                yield first, batch, more
                progress.report("counting terms", first + len(batch), total, "texts")
                first, batch, more = first + len(batch), [], (0, 0, 0)
            batch.append(text)
            more = more[0] + terms[0], more[1] + terms[1], more[2] + terms[2]
        if batch:
            yield first, batch, more

    def _most_terms(self, text: object) -> tuple[int, int, int]:
        """Most words, n-grams of runs and of characters that a text may have."""
        if not isinstance(text, str | bytes):
            return 0, 0, 0
        size, words, chars = len(text), self.vectorizer.words, self.vectorizer.chars
        # A word has two characters at least, and one behind it. Blanks are put around words.
        of_chars = 0 if chars is None else (chars[1] - chars[0] + 1) * (size + size // 2 + 2)
        if words is None:
            return 0, 0, of_chars
        return size // 3 + 1, 0 if text.isascii() else 3 * size, of_chars

    def _learn(self, batch: list[Any], first: int) -> None:
        rows = _native.TextRows()
        try:
            self.n_replaced += self.features.count(
                batch, first, True, rows, True, self.n_threads, LEAST_SHARE
            )
        except KindError:
            refuse_others(batch, first)  # says more: of a missing text what to do
            raise
        if self.limits.max_features is not None:
            self.occurrences.add(rows)
        self.largest = max(self.largest, _native.count_bytes_of_terms(self.features))

    def _spill(self) -> None:
        """Write what was counted into a file, and begin anew."""
        if self.features.n_documents:
            run = _native.TermSpill(self.features, self.occurrences, self.n_spills)
            self.n_spills += 1
            self.n_documents += self.features.n_documents
            with self._new_file(0) as write:
                while records := run.write(self._chunk):
                    write(records)
            del run
        self._begin()
        self._merge_full_levels()

    @property
    def _chunk(self) -> int:
        """Bytes of each file that are in memory while files are merged."""
        return max(4096, min(1 << 20, self.budget // (4 * FAN_IN)))

    @contextlib.contextmanager
    def _new_file(self, level: int) -> Iterator[Callable[[bytes], Any]]:
        path = os.path.join(self.folder, f"terms-{self.n_files}")
        self.n_files += 1
        while len(self.levels) <= level:
            self.levels.append([])
        try:
            with open(path, "xb") as file:
                yield file.write
        except OSError as error:
            raise FileError(
                f"cannot be written: {error.strerror or error}",
                where=path,
                fix="free some space, name another folder, or raise the budget",
            ) from error
        self.levels[level].append(path)

    def _merge_full_levels(self) -> None:
        level = 0
        while level < len(self.levels):
            if len(self.levels[level]) >= FAN_IN:
                self._merge_level(level)
            level += 1

    def _merge_level(self, level: int) -> None:
        paths, self.levels[level] = self.levels[level], []
        with self._new_file(level + 1) as write:
            for records in merged(paths, self._chunk):
                write(records)
        for path in paths:
            os.unlink(path)

    def _chosen(self) -> _native.TextFeatures:
        """Return the features of the terms that are kept."""
        while sum(map(len, self.levels)) > FAN_IN:
            self._merge_level(next(at for at, paths in enumerate(self.levels) if paths))
        fewest, most = self.limits.documents(self.n_documents)
        selection = _native.TermSelection(fewest, most, self.limits.max_features, False)
        paths = [path for level in self.levels for path in level]
        n_terms = 0
        for records in merged(paths, self._chunk):
            n_terms += bool(records)
            selection.add(records)
        if selection.choose():
            for records in merged(paths, self._chunk):
                selection.find_parts(records)
        limits.refuse_nothing_left(selection.n_kept, n_terms, fewest, most, self.n_documents)
        features = self.vectorizer.new_features()
        selection.fill(features, self.n_documents)
        return features


def merged(paths: list[str], chunk: int) -> Iterator[bytes]:
    """Yield the records of sorted files in their order, those of one term added up."""
    merge = _native.TermMerge(len(paths))
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(open(path, "rb", buffering=0)) for path in paths]
        while not merge.done:
            while (number := merge.hungry()) >= 0:
                merge.feed(number, files[number].read(chunk) or b"")
            yield merge.write(chunk)
