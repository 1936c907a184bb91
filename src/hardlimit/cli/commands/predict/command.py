"""``hardlimit predict``: labels and scores for new texts."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    COUNT,
    SHARE,
    AskedLive,
    LayoutOptions,
    Sources,
    as_json,
    jobs,
    layout_options,
    live_mode,
    option,
    progress_option,
    threshold_option,
)
from hardlimit.exceptions import mask


@click.argument("model")
@click.argument("words", nargs=-1, metavar="[FILE...]")
@option(
    "-o --output FILE",
    "Write .csv, .tsv, .jsonl or .xlsx: FILE with label and score. With --cluster a folder.",
)
@option(
    "--spreadsheet",
    "With -o: write CSV or TSV for Excel and the like: marked as UTF-8, and an apostrophe "
    "before texts that they would take for a formula.",
)
@option("--scores", "Show the scores of all classes too.")
@option(
    "--probability",
    "Show the probability of the answer too; for models trained with --probability.",
)
@option(
    "--top N",
    "Show the N best classes, with their scores or, if the model has them, probabilities.",
    type=COUNT,
)
@option(
    "--explain N",
    "Show the N terms or columns that tell most for the answer or against it, and what each adds.",
    type=COUNT,
)
@option(
    "--min-probability P",
    "Answer '?' if the probability of the answer is below P, such as 0.9, or the model knows "
    "no term of the text.",
    type=SHARE,
)
@threshold_option
@option(
    "--exit-status LABEL",
    "Exit with 0 if the answer is LABEL, 1 if it is another, 2 after an error; of several "
    "texts 0 if any is LABEL.",
)
@option(
    "--cluster WHO",
    "Answer shards of the files by threads:N, processes:N, dask://HOST:PORT or "
    "spark://HOST:PORT, whose workers must see the files too, and write a file a shard into the "
    "folder -o.",
)
@option(
    "--shards N",
    "With --cluster: the parts of the files; default 16, or as many as can be cut.",
    type=COUNT,
)
@click.option(
    "--output-format",
    type=click.Choice(["jsonl", "parquet"]),
    help="With --cluster: what is written; default Parquet of Parquet and Arrow, else JSON Lines.",
)
@option("--overwrite", "With --cluster: remove the answers of other work that are in the folder.")
@progress_option
@live_mode
@layout_options(label=False)
@jobs
@as_json
class PredictOptions(LayoutOptions, AskedLive, Sources):
    """Predict the label of each text.

    Standard input is plain lines, one text each; a FILE is read as the training file was, and with
    several each answer begins with the name of its file. The output is a line 'label<TAB>score' for
    each text, or JSON Lines with --json. With two classes the score is that of the second class
    against the first. 'known_features: 0' marks a text none of whose terms the model knows.

    A model of raw mail takes one mail on standard input.

    \b
      echo "win a prize now" | hardlimit predict spam.hardlimit
      hardlimit predict spam.hardlimit new.csv -o scored.csv
      hardlimit predict spam.hardlimit --exit-status spam < a.eml && echo caught
      hardlimit predict spam.hardlimit new.csv --min-probability 0.9 --top 3
      hardlimit predict --live spam.hardlimit < message.eml
      hardlimit predict spam.hardlimit '*.parquet' --cluster processes:4 -o scored
    """

    model: str
    output: str | None
    spreadsheet: bool
    scores: bool
    probability: bool
    top: int | None
    explain: int | None
    min_probability: float | None
    exit_status: str | None
    cluster: str | None
    shards: int | None
    output_format: str | None
    overwrite: bool
    progress: str | None
    jobs: int | None
    as_json: bool
    beside: str = ""  # the name of the file, to stand beside each answer where there are several

    @property
    def answered(self) -> set[str]:
        """The labels that were answered so far, of all files."""
        found: set[str] = self.__dict__.setdefault("_answered", set())
        return found

    @property
    def sources(self) -> tuple[str, ...]:
        """The files; standard input where none was named."""
        return super().sources or ("-",)

    def only(self, source: str) -> PredictOptions:
        """Return what is asked of one of several files."""
        one = PredictOptions(
            **{**self.__dict__, "_answered": self.answered, "beside": mask(source)}
        )
        one.__dict__["_sources"] = (source,)
        return one


command = command_of(
    "predict",
    PredictOptions,
    first="output text probability top explain min_probability exit_status live cluster as_json",
)
