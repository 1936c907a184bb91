"""What features are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hardlimit.classifiers.model.model import Model
from hardlimit.examples.sparse import Csr
from hardlimit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Table


class Pass(NamedTuple):
    """One look at all rows before the first is learnt.

    what : what it is for.    of_all : whether rows that are held out are looked at too, and before
    anything is chosen.
    """

    what: str
    of_all: bool = False


class Made(NamedTuple):
    """Rows of some examples, None where nobody learns from them; and counts kept instead."""

    rows: Csr | None
    counts: Csr | None = None


class Features(Protocol):
    """Makes rows of examples; travels to workers, and what it has learnt goes into the model.

    kind : the class of that model.    vectorizer : what was learnt.    describes : whether
    kinds of columns are counted for people.
    """

    kind: type[Model]
    vectorizer: Any
    describes: bool

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns of an example; None before those of a table are known."""

    @property
    def of_file(self) -> Gather:
        """What gathers the rows of a file."""

    def open_table(self, table: Table) -> None:
        """Begin with the columns of the first file, where there are no names yet."""

    def seen(self, examples: Any) -> Any:
        """Return examples as a model sees them, for folds of equal ones."""

    def read(self, examples: Any) -> list[Any]:
        """Return the examples of a batch, as a user gave them."""

    def size(self, example: Any) -> int:
        """Return about the characters of an example."""

    def gather(self, X: Any, again: bool) -> Any:
        """Return the examples that a user gave, all at hand where they are gone through again."""

    def open(self, examples: Any) -> Any:
        """Choose by examples that are all there; return them, of which some were read."""

    def fit_rows(self, examples: Any) -> Csr:
        """Learn from all examples at once; return their rows."""

    def learn_rows(self, examples: Any) -> Csr:
        """Begin with the first of many examples; return their rows."""

    def choose(self, head: Sequence[Any]) -> None:
        """Choose what is left to the first examples."""

    @property
    def chosen(self) -> Mapping[str, Any]:
        """What was chosen, as parameters of the classifier that workers take."""

    @property
    def counts(self) -> bool:
        """Whether all rows are looked at before the first is learnt."""

    @property
    def why_counted(self) -> str:
        """Why all rows are looked at before the first is learnt, if only to count their labels."""

    @property
    def passes(self) -> list[Pass]:
        """What the looks are for; those behind a pass may be known when it is settled only."""

    def look(self, number: int, examples: Any, before: Any = None, part: int = 0) -> Any:
        """Return what was seen so far: of these examples and of those ``before`` them.

        part : of the parts that are looked at apart, which.
        """

    def pack(self, number: int, seen: Any) -> Any:
        """Return what was seen as it travels."""

    def settle(self, number: int, found: Sequence[Any]) -> None:
        """Learn from what was seen of all parts, in their order."""

    def restore(self, vectorizer: Any) -> None:
        """Take what a run before has learnt."""

    def begin(self) -> None:
        """Begin without a pass before: the columns are all there."""

    def go_back(self, n_documents: int) -> None:
        """Go on at an earlier place of a stream: the examples behind it come again."""

    def rows(self, examples: Any) -> Any:
        """Return the rows of examples."""

    def make(self, examples: Sequence[Any], learn: bool, kept: bool, wanted: bool) -> Made:
        """Return the rows of a chunk of a stream.

        learn : whether its terms are met for the first time.      kept, wanted : whether it is kept
        for later epochs, and whether it is learnt from.
        """

    @property
    def text_vectorizers(self) -> list[TextVectorizer]:
        """Those that make terms of texts."""
