"""What is asked of a cluster that answers: the model, and the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from hardlimit import describing, readers
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.distributed.number_rows import check_settings
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.temporary_folder import make_temporary_folder
from hardlimit.predictions.answerers import Answerer
from hardlimit.readers import Layout
from hardlimit.sources.cutting import cut_files
from hardlimit.sources.numeric_pieces import cut_numbers
from hardlimit.sources.pieces import Shard

SHARDS = 16  # where nobody says how many


@contextmanager
def model_file(model: Any) -> Iterator[str]:
    """Give the file of a model, which may be in memory."""
    if isinstance(model, str | os.PathLike):
        yield os.fspath(model)
        return
    with make_temporary_folder("hardlimit-model") as folder:
        path = os.path.join(folder, "model")
        model.save(path)
        yield path


def list_paths(sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return the paths of one file or several.

    >>> list_paths("a.csv")
    ['a.csv']
    """
    given: Any = [sources] if isinstance(sources, str | os.PathLike) else sources
    return [os.fspath(one) for one in given]


def cut_sources(
    answerer: Answerer, paths: Sequence[str], layout: Any, shards: int | None, *, need_label: bool
) -> list[Shard]:
    """Return the recipes of files that a model answers.

    layout : a :class:`Layout`, or settings of files of numbers; None: as the model remembers.
    """
    return answerer.form.do(_Cutting(answerer, paths, layout, shards, need_label=need_label))


class _Cutting(ByForm[list[Shard]]):
    """Makes the recipes of files."""

    def __init__(
        self,
        answerer: Answerer,
        paths: Sequence[str],
        layout: Any,
        shards: int | None,
        *,
        need_label: bool,
    ) -> None:
        self._answerer, self._paths, self._layout = answerer, paths, layout
        self._n, self._at_most, self._need_label = shards or SHARDS, shards is None, need_label
        self._remembered = describing.layout_of(answerer.metadata)

    def numbers(self) -> list[Shard]:
        """Cut files of numbers."""
        settings = self._remembered if self._layout is None else self._layout
        if isinstance(settings, Layout):
            raise InputError(
                "this model takes numbers",
                parameter="layout",
                got=Given("a Layout"),
                wanted="a dictionary, as load_numbers takes its settings",
            )
        known = readers.without_folding(settings)
        known.pop("need_label", None)
        if self._need_label and "label_columns" not in known:
            known["label_columns"] = self._answerer.labels.columns(self._answerer.classes)
        wanted = {**known, "need_label": self._need_label}
        recipes, _ = cut_numbers(self._paths, wanted, self._n, at_most=self._at_most)
        check_settings(known, [piece for shard in recipes for piece in shard.pieces])
        return recipes

    def one_text(self) -> list[Shard]:
        """Cut files of texts or of tables."""
        layout = self._layout
        if layout is None:
            layout = {**self._answerer.labels.layout(self._remembered), **self._remembered}
        if isinstance(layout, Mapping):
            layout = Layout.from_json(layout)
        need_label = self._need_label
        n, at_most = self._n, self._at_most
        return cut_files(self._paths, layout, n, at_most=at_most, need_label=need_label)[0]
