"""A text an example; of a stream its counts are kept for later epochs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.features._protocol import Made, Pass
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.classifiers.model.text_settings import TextSettings
from hardlimit.examples.sparse import Csr
from hardlimit.examples.texts import as_texts, read_texts
from hardlimit.streaming.terms import (
    TermCounter,
    TermCounts,
    finds_terms,
    fit_terms,
    make_counter,
)
from hardlimit.text import default_features
from hardlimit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Table


class TextFeatures:
    """The terms of one text an example."""

    kind: type[Model] = TextModel
    vectorizer: Any = None
    names: tuple[str, ...] | None = ()
    describes = False

    def __init__(self, choices: Choices) -> None:
        assert choices.text is not None  # texts
        self.settings: TextSettings = choices.text

    def read(self, examples: object) -> list[Any]:
        """Return the texts of a batch."""
        return read_texts(examples)

    @property
    def of_file(self) -> Gather:
        """What gathers the rows of a file."""
        from hardlimit.examples.of_rows import gather_texts  # start-up: readers

        return gather_texts(self.names)

    def open_table(self, table: Table) -> None:
        """Do nothing: the names are known."""

    def seen(self, examples: Any) -> Any:
        """Return examples as a model sees them."""
        return examples

    def size(self, example: Any) -> int:
        """Return the characters of a text."""
        return len(example)

    def gather(self, X: object, again: bool) -> Any:
        """Return the texts that a user gave, all at hand where they are gone through again."""
        return read_texts(X) if again else X

    def open(self, examples: object) -> Any:
        """Choose words and characters by the first texts; return all, of which some were read."""
        settings = self.settings
        words, chars = settings.words, settings.chars
        words, chars, texts = default_features.choose(words, chars, as_texts(examples))
        chosen = {**settings.of_vectorizer, "words": words, "chars": chars}
        self.vectorizer = TextVectorizer(**chosen)
        return texts

    def choose(self, head: Sequence[Any]) -> None:
        """Choose what is left to the first examples."""
        self.open(list(head))

    def fit_rows(self, examples: Sequence[object]) -> Csr:
        """Learn from all examples at once; return their rows."""
        examples = self.open(examples)
        found: Csr = self.vectorizer.fit_rows(examples)
        return found

    def learn_rows(self, examples: Sequence[object]) -> Csr:
        """Begin with the first of many examples; return their rows."""
        examples = self.open(examples)
        found: Csr = self.vectorizer.learn_rows(examples)
        return found

    @property
    def chosen(self) -> Mapping[str, Any]:
        """Words and characters."""
        return {"words": self.vectorizer.words, "chars": self.vectorizer.chars}

    @property
    def counts(self) -> bool:
        """Whether terms are found, or their documents counted, before any text is learnt."""
        return self.settings.idf is not None or finds_terms(self.settings)

    @property
    def why_counted(self) -> str:
        """Why texts are looked at before the first is learnt, if only to count their labels."""
        idf = self.settings.idf
        if idf is not None:
            return f"idf={idf!r} counts the documents of each term before any is learnt"
        if finds_terms(self.settings):
            known = "with hash_bits=20 they need not be"
            return f"the terms are counted before any text is learnt; {known}"
        return "the classes are counted before any text is learnt"

    @property
    def passes(self) -> list[Pass]:
        """One for all terms."""
        return [Pass("count terms, documents and classes")]

    def look(
        self,
        number: int,
        examples: Sequence[Any],
        before: TermCounter | None = None,
        part: int = 0,
    ) -> TermCounter:
        """Count the terms of some texts."""
        counter = make_counter(self.vectorizer, part) if before is None else before
        counter.add(examples)
        return counter

    def pack(self, number: int, seen: TermCounter) -> TermCounts:
        """Return the counts as they travel."""
        return seen.packed()

    def settle(self, number: int, found: Sequence[TermCounts]) -> None:
        """Learn the terms of all texts."""
        fit_terms(self.vectorizer, found)

    def restore(self, vectorizer: Any) -> None:
        """Take what a run before has learnt."""
        self.vectorizer = vectorizer

    def begin(self) -> None:
        """Begin without a pass before: the columns are all there."""
        self.vectorizer.partial_fit([])

    def go_back(self, n_documents: int) -> None:
        """Go on at an earlier place: the texts behind it come again."""
        self.vectorizer.set_documents(n_documents)

    def rows(self, examples: Sequence[Any]) -> Any:
        """Return the rows of texts."""
        return self.vectorizer.rows(examples)

    def make(self, examples: Sequence[Any], learn: bool, kept: bool, wanted: bool) -> Made:
        """Return the rows of a chunk, and a copy of its counts where it is kept."""
        vectorizer = self.vectorizer
        counts = vectorizer.learn_counts(examples) if learn else vectorizer.count(examples)
        copy = None
        if kept:  # a copy, since weighing takes the counts away
            starts, columns, cells = (counts.copy() if wanted else counts).take_counts()
            copy = Csr(starts, columns, cells, vectorizer.n_columns_)
        return Made(vectorizer.weigh(counts) if wanted else None, copy)

    @property
    def text_vectorizers(self) -> list[TextVectorizer]:
        """The one."""
        return [self.vectorizer]
