"""Answering the rows of files in shards, each of which becomes a file of answers.

::

    found = score("spam.hardlimit", "new/*.parquet", cluster="processes:2", output="scored")

The driver cuts the files, hands out the model and the recipes, and writes what says that all is
there; it sees no row.
:mod:`shard_files` has what is done with a shard.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.opened_models import SentModel, file_of_model, lend
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.score_folders import Folder
from hardlimit.distributed.shard_answers import AnswerOrder, Written
from hardlimit.distributed.shard_files import ShardToAnswer, make_schema, score_shard
from hardlimit.exceptions import Given, InputError, Setting, mask
from hardlimit.foundation import storage
from hardlimit.foundation.package import VERSION
from hardlimit.foundation.progress import heard_by
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.foundation.types import PathLike
from hardlimit.predictions import answerers
from hardlimit.predictions.answered import note_new_categories, note_unknown
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.columns import AnswerColumns
from hardlimit.predictions.files import cut_to_answer, files_for
from hardlimit.predictions.showing import Showing, WantedColumns
from hardlimit.readers.file_notes import sentences_of
from hardlimit.readers.writing import find_free_names
from hardlimit.sources.cutting import list_paths
from hardlimit.sources.files import FileRows, GivenLayout
from hardlimit.sources.pieces import Piece, Shard

FORMATS = ("jsonl", "parquet")


@dataclass
class Scored:
    """What became of the rows.

    Attributes
    ----------
    rows : int
    output : str
        The folder of the parts, empty where none was asked for.
    parts : list of str
        Their paths, in the order of the rows.
    kept : int
        Parts that were there already, of the same model, files and options.
    columns : dict
        The answers by the name of the column, where no output was asked for.
    notes : list of str
        What there is to say of the rows.
    """

    rows: int
    output: str = ""
    parts: list[str] = field(default_factory=list)
    kept: int = 0
    columns: dict[str, list[Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def score(
    model: object,
    sources: PathLike | Sequence[PathLike],
    layout: GivenLayout = None,
    *,
    cluster: object = "threads",
    output: PathLike | None = None,
    format: str | None = None,
    shards: int | None = None,
    overwrite: bool = False,
    scores: bool = False,
    probability: bool = False,
    top: int | None = None,
    min_probability: float | None = None,
    threshold: float | None = None,
    explain: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Scored:
    r"""Answer the rows of files in shards, on the cores of one machine or on several machines.

    Parameters
    ----------
    model
        A model file, or a fitted classifier.
    sources
        One file or several, read as the training file was; they need no labels.
    layout
        How the files are read, of numbers the settings of ``load_numbers``; default: as the model
        remembers it.
    cluster
        Who answers, as for :func:`train`.
    output
        A folder: a file a shard, and ``_SUCCESS`` when all are there. Without it the answers come
        back.
    format
        ``"jsonl"`` or ``"parquet"``; default: Parquet where the input is Parquet or Arrow.
    shards
        How many parts; default 16, or as many as the files can be cut into. The rows and their
        order do not depend on it.
    overwrite
        Whether the answers of other work in the folder are removed first. Those of the same model,
        files and options are kept in any case.
    scores, probability, top, min_probability
        What stands beside label and score, as for the command ``predict``.
    threshold
        What a score must exceed for the second of two classes, or for each of several labels;
        default: the model's own.
    explain
        How many terms or columns that tell most for each answer, or against it, stand beside it.
    progress
        Called after each shard.

    Returns
    -------
    Scored

    Raises
    ------
    InputError
        The folder holds answers of other work; the model has no probabilities, or others of what
        is asked.
    DataFormatError
        A row breaks its format; the shard leaves no file, those of the others stay.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hardlimit import TextClassifier
    >>> clf = TextClassifier().fit(["win a prize", "see you"], ["spam", "ham"])
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "new.txt").write_text("a prize\nlunch?\n")
    >>> found = score(clf, folder / "new.txt", cluster="threads:2", output=folder / "out")
    >>> print((folder / "out" / "part-00000-of-00002.jsonl").read_text().strip())
    {"text": "a prize", "label": "spam", "score": 0.641545, "known_features": 22}
    """
    wanted = WantedColumns(scores, probability, top, min_probability, None, threshold, explain)
    with heard_by(progress), file_of_model(model) as path:
        answerer = answerers.open_answerer(path)
        named = path if isinstance(model, str | os.PathLike) else ""
        source = files_for(answerer, expand_all(list_paths(sources)), layout, need_label=False)
        return score_files(
            answerer, path, source, wanted, cluster, output, format, shards, overwrite, named
        )


def score_files(
    opened: Answerer,
    path: str,
    source: FileRows,
    wanted: WantedColumns,
    cluster: object,
    output: PathLike | None = None,
    format: str | None = None,
    shards: int | None = None,
    overwrite: bool = False,
    named: str = "",
) -> Scored:
    """Do what :func:`score` does, by a model that is open.

    named : what errors call the model.
    """
    if format not in (None, *FORMATS):
        raise InputError(parameter="format", got=format, wanted=f"one of {', '.join(FORMATS)}")
    answerer = answerers.with_threshold(opened, wanted.threshold)
    showing = Showing(answerer, wanted, named)
    recipes, paths = cut_to_answer(answerer, source, shards), list(source.paths)
    natural = "parquet" if recipes[0].pieces[0].is_columnar else "jsonl"
    made = None if output is None else format or natural
    asked = _make_asked(answerer, showing, wanted, recipes, made)
    sent = SentModel(path)
    lend(sent, opened)
    folder = None
    if output is not None:
        digest = _digest_of_run(sent, paths, recipes, asked)
        folder = Folder(os.fspath(output), asked.format, len(recipes), digest)
    run = _ScoringRun(sent, asked, recipes, folder, paths)
    known = {} if folder is None else folder.begin(overwrite=overwrite)
    return run.finish(known, run.answer(known, cluster))


def _make_asked(
    answerer: Answerer,
    showing: Showing,
    wanted: WantedColumns,
    recipes: list[Shard],
    format: str | None,
) -> AnswerOrder:
    pieces = {piece.path: piece for shard in recipes for piece in reversed(shard.pieces)}
    taken = list(dict.fromkeys(name for piece in pieces.values() for name in piece.columns))
    own = AnswerColumns(answerer, showing, wanted).names
    names = find_free_names(find_free_names((), taken), own)
    if format is None:
        return AnswerOrder(wanted, tuple(own))
    if format == "jsonl":
        for piece in pieces.values():
            _check_lines(piece)
        return AnswerOrder(wanted, names, format)
    first = next(iter(pieces.values()))
    for piece in pieces.values():
        _check_alike(first, piece)
    names = find_free_names(_columns_of(first), own)
    return AnswerOrder(wanted, names, format, make_schema(first, names, answerer, showing, wanted))


def _columns_of(piece: Piece) -> Sequence[str]:
    return piece.open_columns().names if piece.is_columnar else find_free_names((), piece.columns)


def _check_lines(piece: Piece) -> None:
    """Refuse columns of numbers that are not read as they stand."""
    if not piece.shows_rows:
        raise InputError(
            "columns of numbers stay columns",
            where=piece.path,
            parameter="format",
            got=Given("jsonl"),
            fix=("say ", Setting("format", "parquet")),
        )


def _check_alike(first: Piece, piece: Piece) -> None:
    """Refuse files whose columns make no one table."""
    fix = ("say ", Setting("format", "jsonl"))
    if piece.layout.format == "jsonl":
        raise InputError(
            "JSON Lines do not say what their columns hold",
            where=piece.path,
            parameter="format",
            got=Given("parquet"),
            fix=fix,
        )
    columnar = [first.is_columnar, piece.is_columnar]
    if columnar == [True, True]:
        same = first.open_columns().schema.equals(piece.open_columns().schema)
    else:
        same = columnar == [False, False] and first.columns == piece.columns
    if not same:
        raise InputError(
            f"the columns are not those of {first.path}, and Parquet has one schema",
            where=piece.path,
            parameter="format",
            got=Given("parquet"),
            fix=fix,
        )


def _digest_of_run(
    model: SentModel, paths: list[str], recipes: list[Shard], asked: AnswerOrder
) -> str:
    """Return the digest of all that the parts depend on; files are told by size and time."""
    digest = hashlib.sha256(repr((VERSION, model.sha256, recipes, asked)).encode())
    for path in paths:
        found = storage.state_of(path)
        when = found.version
        if not storage.is_remote(path):
            when = str(os.stat(storage.local_path(path)).st_mtime_ns)
        digest.update(repr((path, found.size, when)).encode())
    return digest.hexdigest()


@dataclass
class _ScoringRun:
    """What is answered, and where the answers go."""

    model: SentModel
    asked: AnswerOrder
    recipes: list[Shard]
    folder: Folder | None
    sources: list[str]

    def answer(self, known: dict[int, Written], cluster: object) -> dict[int, Written]:
        """Answer the shards that are not known, and return what became of them."""
        left = [shard for shard in self.recipes if shard.number not in known]
        if not left:
            return {}
        try:
            with open_engine(cluster) as engine:
                questions = [ShardToAnswer(shard, self._path_of(shard)) for shard in left]
                told = self.model.run(engine, score_shard, self.asked.packed(), questions)
        finally:
            if self.folder is not None:
                self.folder.sweep()
        return dict(zip((shard.number for shard in left), told, strict=True))

    def _path_of(self, shard: Shard) -> str:
        if self.folder is None:
            return ""
        path = self.folder.part(shard.number)
        # A worker may have another working directory.
        return path if storage.is_uri(path) else os.path.abspath(path)

    def finish(self, known: dict[int, Written], found: dict[int, Written]) -> Scored:
        """Say that all is there."""
        written = [(known | found)[shard.number] for shard in self.recipes]
        rows, notes = sum(one.rows for one in written), _notes_of(list(found.values()))
        if self.folder is None:
            columns = {
                name: [value for one in written for value in one.columns[place]]
                for place, name in enumerate(self.asked.names)
            }
            return Scored(rows, columns=columns, notes=notes)
        sources = [mask(path) for path in self.sources]
        facts = {"hardlimit": VERSION, "model": self.model.sha256, "sources": sources}
        self.folder.finish(written, facts)
        parts = [self.folder.part(shard.number) for shard in self.recipes]
        return Scored(rows, self.folder.path, parts, len(known), notes=notes)


def _notes_of(written: list[Written]) -> list[str]:
    """Return what the shards have to say, of each file once."""
    notes = sentences_of(note for one in written for note in one.notes)
    categories: Counter[tuple[str, str]] = Counter()
    for one in written:
        categories.update(one.categories)
    notes += note_new_categories(categories)
    total = sum(one.rows for one in written)
    return notes + note_unknown(sum(one.unknown for one in written), total)
