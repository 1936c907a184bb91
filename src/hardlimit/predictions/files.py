"""Files of rows to be answered, read as the training file was unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.predictions.answerers import Answerer
from hardlimit.readers import Layout
from hardlimit.sources.files import FileRows, GivenLayout, WordFiles
from hardlimit.sources.numbers import NumberFiles
from hardlimit.sources.pieces import Piece, Shard

SHARDS = 16  # where nobody says how many


def files_for(
    answerer: Answerer, paths: Sequence[str], layout: GivenLayout, *, need_label: bool
) -> FileRows:
    """Return files as a source of rows for a model.

    layout : of numbers the settings of their reader; None: as the model remembers.
    """
    return answerer.form.do(_FilesFor(answerer, paths, layout, need_label))


class _FilesFor(ByForm[FileRows]):
    """Files as a source of rows."""

    def __init__(
        self, answerer: Answerer, paths: Sequence[str], layout: GivenLayout, need_label: bool
    ) -> None:
        self._answerer, self._paths, self._need_label = answerer, paths, need_label
        self._remembered = describing.layout_of(answerer.metadata)
        self._layout = layout

    def numbers(self) -> FileRows:
        """Return files of numbers."""
        if isinstance(self._layout, Layout):
            raise InputError(
                "this model takes numbers",
                parameter="layout",
                got=Given("a Layout"),
                wanted="a dictionary, as load_numbers takes its settings",
            )
        answerer = self._answerer
        settings = dict(self._remembered if self._layout is None else self._layout)
        settings.pop("need_label", None)
        if self._need_label:
            settings.setdefault("label_columns", answerer.labels.columns(answerer.classes))
        return NumberFiles(self._paths, settings, need_label=self._need_label)

    def one_text(self) -> FileRows:
        """Return files of texts or of tables."""
        layout: GivenLayout = self._layout
        if layout is None:
            layout = {**self._answerer.labels.layout(self._remembered), **self._remembered}
        if isinstance(layout, Mapping):
            layout = Layout.from_json(layout)
        gather = self._answerer.form.gathering()
        return WordFiles(self._paths, layout, gather, need_label=self._need_label)


def cut_to_answer(answerer: Answerer, source: FileRows, shards: int | None) -> list[Shard]:
    """Return shards of rows that a model is to answer.

    Raises
    ------
    InputError
        Sparse rows of which only all files together show from where they count.
    """
    found = source.cut(SHARDS if shards is None else shards, at_most=shards is None)
    for piece in (piece for shard in found for piece in shard.pieces):
        if piece.counts_from_all:
            raise InputError(
                "whether indices count from 0 or from 1 is told by all rows, which no shard sees",
                where=piece.path,
                fix=("say ", Setting("zero_based", False)),
            )

    def widen(piece: Piece) -> Piece:
        return piece.as_wide_as(lambda: answerer.n_columns)

    return [replace(shard, pieces=tuple(map(widen, shard.pieces))) for shard in found]
