"""``hardlimit evaluate``: how good a model is on labelled texts."""

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


@click.argument("model")
@click.argument("words", nargs=-1, required=True, metavar="FILE...")
@layout_options()
@option("--positive LABEL", "Which of two classes is the positive one.")
@option(
    "--min-probability P",
    "Also measure the answers whose probability is at least P: how many there are, and how "
    "many of them are correct.",
    type=SHARE,
)
@threshold_option
@option("--all-classes", "Show every class, not only the 20 worst.")
@option(
    "--cluster WHO",
    "Answer shards of the files by threads:N, processes:N, dask://HOST:PORT, "
    "spark://HOST:PORT or sc://HOST:PORT (Spark Connect), whose workers must see the files "
    "too. The figures are the same.",
)
@option(
    "--shards N",
    "With --cluster: the parts of the files; default 16, or as many as can be cut.",
    type=COUNT,
)
@progress_option
@live_mode
@jobs
@as_json
class EvaluateOptions(LayoutOptions, AskedLive, Sources):
    """Measure MODEL on labelled texts it was not trained on.

    FILE is read as the training file was, unless options say otherwise; several are measured as
    one. Labels that the model does
    not know are named and counted as errors.

    \b
      hardlimit evaluate spam.hardlimit held-out.csv
      hardlimit evaluate --live spam.hardlimit held-out.csv
    """

    model: str
    positive: str | None
    min_probability: float | None
    all_classes: bool
    cluster: str | None
    shards: int | None
    progress: str | None
    jobs: int | None
    as_json: bool


command = command_of(
    "evaluate",
    EvaluateOptions,
    first="text label positive min_probability threshold live cluster as_json",
)
