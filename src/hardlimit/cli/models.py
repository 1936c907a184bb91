"""Model files as the commands need them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from hardlimit.cli import terminal
from hardlimit.foundation import storage
from hardlimit.predictions import answerers
from hardlimit.readers.opening import missing_file_error

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.options import AskedLive
    from hardlimit.live.model import LiveModel
    from hardlimit.predictions.answerers import Answerer

    Classifier = TextClassifier | LinearClassifier

# Of the corrections beside a model; a test compares.
LEDGER = ".ledger"


def load(path: str) -> Classifier:
    """Load a classifier whole, to train it further or to look into it."""
    require(path)
    return answerers.load(path)


def require(path: str) -> None:
    """Refuse a path where nothing is; the error names the nearest."""
    # lexists: a dangling link is there, and the error on opening it says more.
    if not storage.exists(path):
        raise missing_file_error(path)


def remark_corrections(path: str) -> None:
    """Say that corrections beside a model are not in its file, which answers."""
    if not os.path.isfile(path + LEDGER):
        return
    from hardlimit.live.sqlite import holds_entries  # start-up: few models have one

    if holds_entries(path + LEDGER):
        terminal.remark(
            f"the corrections in {path}{LEDGER} are not part of {path}: 'hardlimit bake' writes a "
            "model that has them, and predict, evaluate and report have them with --live"
        )


def open_answerer(path: str) -> Answerer:
    """Open a model to ask it for answers only; of a model of texts little is read."""
    require(path)
    remark_corrections(path)
    return answerers.open_answerer(path)


def asked(options: AskedLive) -> AskedModel:
    """Return the model of a command: with its corrections where --live asks for them."""
    if options.live:
        return CorrectedModel(options)
    if options.ledger is not None:
        raise click.UsageError("--ledger names the corrections of --live")
    return AskedModel(options)


class AskedModel:
    """The model of a command, as it stands in its file."""

    def __init__(self, options: AskedLive) -> None:
        self._options = options

    def answerer(self) -> Answerer:
        """Open it to ask for answers."""
        return answerers.with_threshold(open_answerer(self._options.model), self._options.threshold)

    @contextlib.contextmanager
    def file(self) -> Iterator[str]:
        """Give the path of its file."""
        require(self._options.model)
        remark_corrections(self._options.model)
        yield self._options.model


class CorrectedModel(AskedModel):
    """The model of a command with the corrections beside it."""

    def answerer(self) -> Answerer:
        """Open it to ask for answers."""
        require(self._options.model)
        return answerers.Living(self._open())

    @contextlib.contextmanager
    def file(self) -> Iterator[str]:
        """Give the path of a file that has the corrections in it, while it is needed."""
        from hardlimit.foundation.temporary_folder import make_temporary_folder  # start-up

        path = self._options.model
        require(path)
        with make_temporary_folder("hardlimit-baked") as folder, self._open() as live:
            baked = live.bake(os.path.join(folder, os.path.basename(path)))
            if baked.changed:
                named = ", ".join(f"#{one}" for one in baked.changed)
                terminal.remark(f"{named}: answered otherwise by the model that bake writes")
            yield baked.path

    def _open(self) -> LiveModel:
        from hardlimit.live import open_live  # late: few ask for corrections

        options = self._options
        return open_live(
            options.model,
            options.ledger or "",
            read_only=True,
            remember=0,
            recent=0,
            threshold=options.threshold,
        )
